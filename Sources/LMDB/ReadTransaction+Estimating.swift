// SPDX-License-Identifier: Apache-2.0

import CLMDB

extension ReadTransaction {
    /// About how many entries of a database have keys in a range.
    ///
    /// Looks at the pages on the way to both ends, and at no other. The answer is exact where both
    /// ends lie in one page, with all values of each key, and for all entries. For a wider range
    /// the pages between are taken to be as full as the average.
    ///
    /// - Parameters:
    ///   - name: The name of a database whose keys are ordered as bytes.
    ///   - lower: The least key; empty for the first one.
    ///   - upper: The first key behind the range; nil for none.
    /// - Returns: nil where pages are not as expected, or LMDB's are larger than the system's.
    /// - Complexity: O(log *n*) pages.
    public func estimatedCount(
        inDatabaseNamed name: String, from lower: [UInt8], to upper: [UInt8]?
    ) -> Int? {
        let range = CollectionOfOne((lower: lower, upper: upper))
        return estimatedCount(inDatabaseNamed: name, of: range)?.count
    }

    /// About how many entries of a database have keys in some ranges, and how many it has.
    ///
    /// As ``estimatedCount(inDatabaseNamed:from:to:)``, which has the rest.
    public func estimatedCount(
        inDatabaseNamed name: String, of ranges: some Sequence<(lower: [UInt8], upper: [UInt8]?)>
    ) -> (count: Int, total: Int)? {
        guard let tree = MappedTree(named: name, in: handle) else { return nil }
        var sum = 0
        for (lower, upper) in ranges {
            guard let count = tree.estimatedCount(from: lower, to: upper) else { return nil }
            sum += count
        }
        return (sum, tree.total)
    }
}

/// The tree of a database where it lies in the map, read without LMDB's cursors.
///
/// What does not look as ``PageLayout`` expects is answered with nil: nothing is read outside the
/// file's pages.
private struct MappedTree {
    private let map: UnsafeRawPointer
    private let pageByteCount: Int
    private let lastPage: UInt64
    private let record: TreeRecord

    /// LMDB's number of the tree that lists the others.
    private static var main: MDB_dbi { 1 }

    init?(named name: String, in transaction: OpaquePointer) {
        let environment = environment(of: transaction)
        pageByteCount = environment.pageByteCountInMap
        guard pageByteCount > 0,
            let found = MappedTree.record(named: name, in: transaction),
            let start = found.baseAddress
        else { return nil }
        record = TreeRecord(found)
        guard record.flags & (TreeRecord.integerKey | TreeRecord.reverseKey) == 0 else {
            return nil
        }
        var info = MDB_envinfo()
        guard mdb_env_info(mdb_txn_env(transaction), &info) == MDB_SUCCESS else { return nil }
        lastPage = UInt64(info.me_last_pgno)
        // The record lies in a page that knows its number, and so where the map begins.
        let offset = Int(bitPattern: start) & (pageByteCount - 1)
        let page = MappedPage(base: start - offset)
        guard page.number <= lastPage, page.flags == PageLayout.Flags.leaf else { return nil }
        map = page.base - Int(page.number) * pageByteCount
    }

    private static func record(
        named name: String, in transaction: OpaquePointer
    ) -> UnsafeRawBufferPointer? {
        var name = name
        return name.withUTF8 { text -> UnsafeRawBufferPointer? in
            var key = MDB_val(UnsafeRawBufferPointer(text))
            var value = MDB_val()
            guard mdb_get(transaction, main, &key, &value) == MDB_SUCCESS,
                value.mv_size == TreeRecord.byteCount
            else { return nil }
            return value.bytes
        }
    }

    /// The number of all entries.
    var total: Int { record.plausibleEntries }

    func estimatedCount(from lower: [UInt8], to upper: [UInt8]?) -> Int? {
        if lower.isEmpty, upper == nil || total == 0 { return total }
        if record.root == PageLayout.noPage { return 0 }
        guard let start = way({ $0.firstIndex(notBelow: lower) }),
            let end = way({ $0.firstIndex(below: upper) }), start.count == end.count
        else { return nil }
        return count(from: start, to: end).map { min(total, $0) }
    }

    private func page(_ number: UInt64) -> MappedNode? {
        guard number >= PageLayout.firstPage, number <= lastPage else { return nil }
        let page = MappedPage(base: map + Int(number) * pageByteCount)
        return page.number == number ? MappedNode(page, byteCount: pageByteCount) : nil
    }
}

extension MappedTree {
    /// A place in a page on the way from the root to a leaf.
    private struct Step {
        let page: MappedNode
        let index: Int
    }

    /// The pages from the root to a leaf with the places that a search chooses.
    private func way(_ search: (MappedNode) -> Int?) -> [Step]? {
        var steps: [Step] = []
        var number = record.root
        while steps.count < min(record.depth, PageLayout.mostLevels) {
            guard let page = page(number), let index = search(page) else { return nil }
            steps.append(Step(page: page, index: index))
            guard page.isBranch else { return steps.count == record.depth ? steps : nil }
            guard let child = page.child(index) else { return nil }
            number = child
        }
        return nil
    }

    private func count(from start: [Step], to end: [Step]) -> Int? {
        let leaf = start.count - 1
        let fork = (0..<leaf).first { start[$0].index != end[$0].index }
        guard let fork else {
            guard start[leaf].index < end[leaf].index else { return 0 }
            return start[leaf].page.valueCount(start[leaf].index..<end[leaf].index)
        }
        guard start[fork].index < end[fork].index else { return 0 }
        guard
            let first = start[leaf].page.valueCount(start[leaf].index..<start[leaf].page.count),
            let last = end[leaf].page.valueCount(0..<end[leaf].index)
        else { return nil }
        var leaves = 0.0
        // The leaves below one entry, from the level above the leaves up to the fork.
        var share = 1.0
        for level in (fork..<leaf).reversed() {
            let (left, right) = (start[level], end[level])
            if level == fork {
                leaves += Double(right.index - left.index - 1) * share
            } else {
                leaves += Double(left.page.count - left.index - 1 + right.index) * share
                share *= Double(left.page.count + right.page.count) / 2
            }
        }
        let entriesOfLeaf = Double(total) / Double(max(1, record.leafPages))
        return first + last + Int(min(leaves * entriesOfLeaf, Double(total)))
    }
}

extension TreeRecord {
    /// The number of entries, so bounded that sums of what a damaged page says cannot overflow.
    fileprivate var plausibleEntries: Int { Int(min(entries, 1 << 47)) }
}

/// A page of a tree in the map, each entry checked to lie in it.
private struct MappedNode {
    private let page: MappedPage
    private let byteCount: Int
    let count: Int

    init?(_ page: MappedPage, byteCount: Int) {
        let kind = page.flags & ~PageLayout.Flags.dirty
        guard kind == PageLayout.Flags.branch || kind == PageLayout.Flags.leaf,
            page.lower > PageLayout.Header.byteCount, page.lower <= byteCount
        else { return nil }
        self.page = page
        self.byteCount = byteCount
        count = page.count
    }

    var isBranch: Bool { page.isBranch }

    private func position(_ index: Int) -> Int? {
        let position = page.position(index)
        guard position >= page.lower, position + PageLayout.Entry.key <= byteCount,
            position + PageLayout.Entry.key + page.keySize(at: position) <= byteCount
        else { return nil }
        return position
    }

    func child(_ index: Int) -> UInt64? { position(index).map { page.child(at: $0) } }

    /// The place of the first entry of a leaf whose key is not less; in a branch, the child that
    /// has it.
    func firstIndex(notBelow key: [UInt8]) -> Int? {
        // The first key of a branch stands for whatever is less than the second.
        var (low, high) = (isBranch ? 1 : 0, count)
        while low < high {
            let middle = (low + high) / 2
            guard let order = order(of: middle, key) else { return nil }
            if order < 0 || order == 0 && isBranch { low = middle + 1 } else { high = middle }
        }
        return isBranch ? low - 1 : low
    }

    /// The place behind the last entry of a leaf with a smaller key than a bound, if there is one.
    func firstIndex(below bound: [UInt8]?) -> Int? {
        guard let bound else { return isBranch ? count - 1 : count }
        return firstIndex(notBelow: bound)
    }

    /// Less than, equal to or greater than zero, as the key of an entry compares with another.
    private func order(of index: Int, _ key: [UInt8]) -> Int? {
        guard let position = position(index) else { return nil }
        let start = page.base + position + PageLayout.Entry.key
        let found = UnsafeRawBufferPointer(start: start, count: page.keySize(at: position))
        for (left, right) in zip(found, key) where left != right { return Int(left) - Int(right) }
        return found.count - key.count
    }

    /// How many values the keys of some entries of a leaf have.
    func valueCount(_ indices: Range<Int>) -> Int? {
        var total = 0
        for index in indices {
            guard let count = valueCount(index) else { return nil }
            total += count
        }
        return total
    }

    private func valueCount(_ index: Int) -> Int? {
        guard let position = position(index) else { return nil }
        let start = position + PageLayout.Entry.key + page.keySize(at: position)
        let size = page.valueSize(at: position)
        switch page.entryFlags(at: position) {
        case PageLayout.EntryFlags.subpage:
            guard size >= PageLayout.Header.byteCount, start + size <= byteCount else {
                return nil
            }
            return max(0, MappedPage(base: page.base + start).count)
        case PageLayout.EntryFlags.duplicates:
            guard size == TreeRecord.byteCount, start + size <= byteCount else { return nil }
            let bytes = UnsafeRawBufferPointer(start: page.base + start, count: size)
            return TreeRecord(bytes).plausibleEntries
        default: return 1
        }
    }
}
