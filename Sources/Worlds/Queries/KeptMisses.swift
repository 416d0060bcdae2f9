// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Blocks in which a query has no match.
struct BlockMisses: Sendable {
    private(set) var count = 0
    /// A bit for each block; empty until there is a miss, as most loops have none.
    private var words: [UInt64] = []

    /// Notes that some blocks, behind all noted ones, have no match.
    ///
    /// - Parameters:
    ///   - blocks: The blocks.
    ///   - all: The number of all blocks.
    mutating func append(_ blocks: Range<Int>, of all: Int) {
        guard !blocks.isEmpty else { return }
        if words.isEmpty { words = Array(repeating: 0, count: (all + 63) >> 6) }
        count += blocks.count
        for block in blocks { words[block >> 6] |= 1 << UInt64(block & 63) }
    }

    /// The first block from one on that is not noted.
    func firstOther(from block: Int) -> Int {
        var word = block >> 6
        guard word < words.count else { return block }
        var others = ~words[word] & ~0 << UInt64(block & 63)
        while others == 0 {
            word += 1
            guard word < words.count else { return word << 6 }
            others = ~words[word]
        }
        return word << 6 | others.trailingZeroBitCount
    }
}

/// Where the queries of a world have looked in vain, as long as no value that says so comes or
/// goes.
///
/// A loop looks at the presence bits of all blocks that its rarest component has. Where several
/// components are dense and never together, that finds nothing each time.
final class KeptMisses: Sendable {
    /// So many that the systems of most schedules have room, and so few that a search is short.
    private static let limit = 32
    /// What is not worth keeping: looking takes about 30 nanoseconds a block.
    private static let leastMisses = 8

    fileprivate struct Entry: Sendable {
        /// The places of the columns in the world.
        let required: [Int]
        let without: [Int]
        let groups: [[Int]]
        let shift: Int
        /// What the columns had when the blocks were looked at.
        let versions: [UInt64]
        let misses: BlockMisses
    }

    // A lock, as systems that run beside each other have runs of queries at once.
    private let entries = Mutex<[Entry]>([])

    /// The blocks in which a run finds nothing; nil if that is not known.
    func find(_ run: QueryRun) -> BlockMisses? {
        entries.withLock { entries in
            guard !entries.isEmpty, let entry = entries.first(where: { $0.isOf(run) }) else {
                return nil
            }
            return entry.isValid(for: run) ? entry.misses : nil
        }
    }

    /// Keeps the blocks in which a run has found nothing, if they are many.
    func keep(_ misses: BlockMisses, _ run: QueryRun) {
        guard misses.count >= KeptMisses.leastMisses else { return }
        let entry = Entry(run, misses)
        entries.withLock { entries in
            entries.removeAll { $0.isOf(run) }
            if entries.count == KeptMisses.limit { entries.removeFirst() }
            entries.append(entry)
        }
    }
}

extension KeptMisses.Entry {
    fileprivate init(_ run: QueryRun, _ misses: BlockMisses) {
        required = run.required.map(\.index)
        without = run.filters.without.map(\.index)
        groups = run.filters.groups.map { $0.map(\.index) }
        shift = run.shift
        var versions: [UInt64] = []
        run.forEachColumnOfPresence { versions.append($0.presenceVersion) }
        self.versions = versions
        self.misses = misses
    }

    /// Whether a run has the same columns, in blocks of the same size.
    fileprivate func isOf(_ run: QueryRun) -> Bool {
        shift == run.shift && isSame(required, run.required) && isSame(without, run.filters.without)
            && groups.count == run.filters.groups.count
            && zip(groups, run.filters.groups).allSatisfy(isSame)
    }

    private func isSame(_ places: [Int], _ columns: [Column]) -> Bool {
        places.count == columns.count && zip(places, columns).allSatisfy { $0 == $1.index }
    }

    /// Whether no value has come or gone since.
    fileprivate func isValid(for run: QueryRun) -> Bool {
        var place = 0
        var isValid = true
        run.forEachColumnOfPresence {
            if versions[place] != $0.presenceVersion { isValid = false }
            place += 1
        }
        return isValid
    }
}
