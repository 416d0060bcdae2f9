// SPDX-License-Identifier: Apache-2.0

/// Finds the names that a mistyped one may stand for.
enum NearestNames {
    /// Up to three names near another one, the nearest first.
    static func of(_ name: String, among names: [String]) -> [String] {
        let wanted = Array(name.lowercased().utf8)
        let ranked = names.map { candidate in
            (candidate, distance(wanted, Array(candidate.lowercased().utf8)))
        }
        .filter { candidate, distance in
            distance <= max(2, wanted.count / 3)
                || candidate.lowercased().hasPrefix(name.lowercased())
        }
        .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
        return ranked.prefix(3).map(\.0)
    }

    /// `; did you mean a or b?`, or the list of all names when none is near.
    static func advice(for name: String, among names: [String]) -> String {
        let nearest = of(name, among: names)
        if !nearest.isEmpty { return "did you mean \(nearest.joined(separator: " or "))?" }
        let sorted = names.sorted()
        if sorted.isEmpty { return "there are none" }
        let listed = sorted.prefix(12).joined(separator: ", ")
        return "there are \(listed)" + (sorted.count > 12 ? " and \(sorted.count - 12) more" : "")
    }

    /// The number of bytes to insert, delete or replace.
    private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
        var row = Array(0...right.count)
        for (index, byte) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for column in right.indices {
                let replaced = diagonal + (byte == right[column] ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, row[column] + 1, row[column + 1] + 1)
            }
        }
        return row[right.count]
    }
}
