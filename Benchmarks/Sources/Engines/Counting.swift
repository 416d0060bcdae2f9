// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit

/// Numbers of things that operations need, which do not depend on the machine's speed.
public struct Counting {
    /// A number of something for each book, look-up or save.
    public struct Count: Sendable {
        /// What is counted.
        public let name: String
        /// How many.
        public let value: Double

        /// Makes a count.
        public init(name: String, value: Double) {
            self.name = name
            self.value = value
        }
    }

    /// What was counted, but for instructions, which callgrind writes.
    private(set) var counts: [Count] = []

    mutating func add(_ name: String, _ value: Double) {
        counts.append(Count(name: name, value: value))
    }

    /// Counts what a body needs for each of `divisor` things.
    mutating func count(
        _ name: String, _ divisor: Int, writes: Bool = false, _ body: () throws -> Void
    ) throws {
        let written = try WrittenBytes.count()
        let allocated = Allocations.count
        Instructions.reset()
        try body()
        Instructions.write("\(name), instructions|\(divisor)")
        let allocations = Allocations.count - allocated
        let bytes = try WrittenBytes.count() - written
        add("\(name), allocations", Double(allocations) / Double(divisor))
        if writes { add("\(name), bytes written", Double(bytes) / Double(divisor)) }
    }
}

/// All counts that are kept.
public enum LodeCounts {
    /// Counts in new files, whose names begin with a path.
    public static func measure(path: String) throws -> [Counting.Count] {
        var counting = Counting()
        try LibraryCounts(path: "\(path)-library").measure(&counting)
        let game = try LodeGame(path: "\(path)-game")
        try game.measure(&counting)
        try game.close()
        let items = try FollowedItems(path: "\(path)-items", itemCount: 4_000, groupCount: 1)
        try items.measureMoves(&counting)
        try items.close()
        try NoteCounts(path: "\(path)-notes").measure(&counting)
        return counting.counts
    }
}
