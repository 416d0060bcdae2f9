// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Plays a game in the terminal; started again with the same file, it goes on.
///
/// `Dungeon [FILE]`, then lines of keys: `w`, `a`, `s` and `d` move, a space waits, `q` ends.
@main
struct Main {
    static func main() throws {
        let path = CommandLine.arguments.dropFirst().first ?? "dungeon.lode"
        let dungeon = try Dungeon(url: URL(fileURLWithPath: path))
        print(dungeon.drawing())
        while !dungeon.isOver, let keys = readLine(), keys != "q" {
            for key in keys { try dungeon.play(key) }
            print(dungeon.drawing())
        }
        if dungeon.isOver { print("The hero is dead.") }
    }
}
