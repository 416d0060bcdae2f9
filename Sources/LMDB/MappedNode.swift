// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// A page of a tree in the map, each entry that is read checked to lie in it.
struct MappedNode {
    let page: MappedPage
    let byteCount: Int
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

    @inline(__always)
    func position(_ index: Int) -> Int? {
        let position = page.position(index)
        guard position >= page.lower, position &+ PageLayout.Entry.key <= byteCount,
            position &+ PageLayout.Entry.key &+ page.keySize(at: position) <= byteCount
        else { return nil }
        return position
    }

    /// The bytes of the key of an entry.
    @inline(__always)
    func key(_ index: Int) -> KeyBytes? {
        guard let position = position(index) else { return nil }
        return KeyBytes(
            start: page.base + (position &+ PageLayout.Entry.key),
            count: page.keySize(at: position))
    }

    func child(_ index: Int) -> UInt64? { position(index).map { page.child(at: $0) } }

    /// The value of an entry of a leaf; nil where it does not lie in the entry, as one of several
    /// values of the key does not.
    func value(_ index: Int) -> UnsafeRawBufferPointer? {
        guard let position = position(index),
            page.entryFlags(at: position) == PageLayout.EntryFlags.value
        else { return nil }
        let start = position + PageLayout.Entry.key + page.keySize(at: position)
        let size = page.valueSize(at: position)
        guard start + size <= byteCount else { return nil }
        return UnsafeRawBufferPointer(start: page.base + start, count: size)
    }
}

/// Searches in the page.
extension MappedNode {
    /// A place of a key among those of a page.
    struct Place {
        let index: Int
        /// Whether the entry has just this key.
        var isExact = false
    }

    /// Finds where a key has its place: in a leaf at the first entry whose key is not less, behind
    /// the last one if there is none; in a branch at the child that has it, if any has.
    ///
    /// What a key has in common with two others, it has with all between them: those bytes are
    /// compared once.
    ///
    /// - Returns: nil where the page is damaged.
    func place(of wanted: KeyBytes) -> Place? {
        let isBranch = isBranch
        // The first key of a branch stands for whatever is less than the second.
        var (low, high) = (isBranch ? 1 : 0, count)
        var (commonBelow, commonAbove) = (0, 0)
        // Branches are few, and so in the processor's cache.
        var stepsUntilHint = isBranch ? -1 : 0
        while low < high {
            if stepsUntilHint == 0 {
                willBisect(low, high)
                stepsUntilHint = 3
            }
            stepsUntilHint &-= 1
            let middle = (low &+ high) / 2
            guard let key = key(middle) else { return nil }
            let (order, common) = key.compared(
                with: wanted, behind: min(commonBelow, commonAbove))
            if order == 0 { return Place(index: middle, isExact: true) }
            if order < 0 {
                (low, commonBelow) = (middle &+ 1, common)
            } else {
                (high, commonAbove) = (middle, common)
            }
        }
        return Place(index: isBranch ? low &- 1 : low)
    }

    /// Has the entries loaded that the next three steps of a bisection may look at.
    ///
    /// They lie in the order in which they came: each step would wait for a line of its own.
    @inline(__always)
    private func willBisect(_ low: Int, _ high: Int) {
        let middle = (low &+ high) / 2
        let (below, above) = ((low &+ middle) / 2, (middle &+ 1 &+ high) / 2)
        willRead(middle)
        willRead(below)
        willRead(above)
        willRead((low &+ below) / 2)
        willRead((below &+ 1 &+ middle) / 2)
        willRead((middle &+ 1 &+ above) / 2)
        willRead((above &+ 1 &+ high) / 2)
    }

    @inline(__always)
    private func willRead(_ index: Int) {
        // The last of them may be the one behind all.
        guard index < count else { return }
        lode_prefetch(page.base + (page.position(index) &+ PageLayout.Entry.key))
    }
}
