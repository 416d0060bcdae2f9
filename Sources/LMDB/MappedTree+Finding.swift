// SPDX-License-Identifier: Apache-2.0

/// Searches from the root.
extension MappedTree {
    /// The value of an integer key; nil where LMDB has to be asked.
    @inline(__always)
    func value(of key: UInt64) -> UnsafeRawBufferPointer? {
        guard let leaf = leaf(for: key) else { return nil }
        leaf.willSearch()
        leaf.willRead(key, pageByteCount)
        return leaf.value(of: key, pageByteCount)
    }

    /// The leaf in which an integer key has its place; nil where LMDB has to be asked.
    func leaf(for key: UInt64) -> RowLeaf? {
        guard record.root != PageLayout.noPage else { return nil }
        var number = record.root
        var range = RowLeaf.Range(least: 0, greatest: .max)
        var level = record.depth
        while level > 1 {
            guard let page = page(number), let branch = RowBranch(page, byteCount: pageByteCount),
                let child = branch.child(for: key, &range)
            else { return nil }
            number = child
            level &-= 1
        }
        guard number >= PageLayout.firstPage, number <= lastPage else { return nil }
        let page = MappedPage(base: map + Int(number) &* pageByteCount)
        return RowLeaf(page: page, number: number, range: range)
    }

    /// Has the part of a page loaded that says where its entries are.
    @inline(__always)
    private func willSearch(_ number: UInt64) {
        guard number <= lastPage else { return }
        let start = map + Int(number) &* pageByteCount
        MemoryHint.load(start, 3 * MemoryHint.lineByteCount)
    }

    /// Searches for a key of bytes.
    func search(_ key: UnsafeRawBufferPointer) -> TreeAnswer {
        if record.root == PageLayout.noPage { return .nothing }
        guard record.flags & (TreeRecord.integerKey | TreeRecord.reverseKey) == 0 else {
            return .unknown
        }
        guard let start = key.baseAddress else { return .unknown }
        let key = KeyBytes(start: start, count: key.count)
        var number = record.root
        var level = record.depth
        while level > 1 {
            guard let branch = node(number), branch.isBranch, let place = branch.place(of: key),
                let child = branch.child(place.index)
            else { return .unknown }
            number = child
            level &-= 1
        }
        willSearch(number)
        guard let leaf = node(number), !leaf.isBranch, let place = leaf.place(of: key) else {
            return .unknown
        }
        guard place.isExact else { return .nothing }
        return leaf.value(place.index).map { .value($0) } ?? .unknown
    }
}

/// What a search for a key of bytes ends with.
enum TreeAnswer {
    /// The value.
    case value(UnsafeRawBufferPointer)
    /// There is no such key.
    case nothing
    /// LMDB has to be asked.
    case unknown
}
