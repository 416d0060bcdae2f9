// SPDX-License-Identifier: Apache-2.0

/// The walls of the dungeon, and where everyone stands at the beginning.
enum Level {
    static let rows = [
        "####################",
        "#@..#......#.......#",
        "#...#..g...#...k...#",
        "#.!....#...#.......#",
        "#...#..#......#..*.#",
        "####################",
    ].map { Array($0.utf8) }

    static func isWall(_ place: Place) -> Bool {
        guard rows.indices.contains(Int(place.y)), rows[0].indices.contains(Int(place.x)) else {
            return true
        }
        return rows[Int(place.y)][Int(place.x)] == UInt8(ascii: "#")
    }

    /// Calls a closure with each letter that is neither wall nor floor.
    static func forEachThing(_ body: (UInt8, Place) throws -> Void) rethrows {
        for (y, row) in rows.enumerated() {
            for (x, letter) in row.enumerated() where !"#.".utf8.contains(letter) {
                try body(letter, Place(x: Int32(x), y: Int32(y)))
            }
        }
    }
}
