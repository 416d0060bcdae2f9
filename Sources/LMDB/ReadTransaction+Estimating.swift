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

extension MappedTree {
    /// The number of all entries.
    fileprivate var total: Int { record.plausibleEntries }

    fileprivate func estimatedCount(from lower: [UInt8], to upper: [UInt8]?) -> Int? {
        guard record.flags & (TreeRecord.integerKey | TreeRecord.reverseKey) == 0 else {
            return nil
        }
        if lower.isEmpty, upper == nil || total == 0 { return total }
        if record.root == PageLayout.noPage { return 0 }
        guard let start = way({ $0.firstIndex(notBelow: lower) }),
            let end = way({ $0.firstIndex(below: upper) }), start.count == end.count
        else { return nil }
        return count(from: start, to: end).map { min(total, $0) }
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
            guard let page = node(number), let index = search(page) else { return nil }
            steps.append(Step(page: page, index: index))
            guard page.isBranch else { return steps.count == record.depth ? steps : nil }
            guard let child = page.child(index) else { return nil }
            number = child
        }
        return nil
    }

    /// How many entries a leaf has on average, without some leaves and those at both ends.
    ///
    /// A key of which there are very many, as null in an index of an attribute that few objects
    /// have, is the first or the last one, or a bound of the range. Counted with the others it
    /// would make each leaf seem full of it.
    private func usualEntries(besides known: [MappedNode]) -> Double {
        let average = Double(total) / Double(max(1, record.leafPages))
        // Where keys have few entries each, none of them makes a difference.
        if known.contains(where: { average <= 2 * Double($0.count) }) { return average }
        var leaves = known
        for end in [way { _ in 0 }, way { $0.isBranch ? $0.count - 1 : $0.count }] {
            guard let leaf = end?.last?.page else { continue }
            if !leaves.contains(where: { $0.page.base == leaf.page.base }) { leaves.append(leaf) }
        }
        let counted = leaves.reduce(0) { $0 + min(total, $1.valueCount(0..<$1.count) ?? 0) }
        let others = Double(record.leafPages) - Double(leaves.count)
        guard others > 0 else { return average }
        return Double(max(0, total - counted)) / others
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
        if leaves <= 0 { return first + last }
        let entriesOfLeaf = usualEntries(besides: [start[leaf].page, end[leaf].page])
        return first + last + Int(min(leaves * entriesOfLeaf, Double(total)))
    }
}

extension TreeRecord {
    /// The number of entries, so bounded that sums of what a damaged page says cannot overflow.
    fileprivate var plausibleEntries: Int { Int(min(entries, 1 << 47)) }
}

extension MappedNode {
    /// The place of the first entry of a leaf whose key is not less; in a branch, the child that
    /// has it.
    fileprivate func firstIndex(notBelow key: [UInt8]) -> Int? {
        key.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress, !bytes.isEmpty else { return 0 }
            return place(of: KeyBytes(start: start, count: bytes.count))?.index
        }
    }

    /// The place behind the last entry of a leaf with a smaller key than a bound, if there is one.
    fileprivate func firstIndex(below bound: [UInt8]?) -> Int? {
        guard let bound else { return isBranch ? count - 1 : count }
        return firstIndex(notBelow: bound)
    }

    /// How many values the keys of some entries of a leaf have.
    fileprivate func valueCount(_ indices: Range<Int>) -> Int? {
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
