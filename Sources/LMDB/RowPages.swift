// SPDX-License-Identifier: Apache-2.0

import CLMDB

extension MappedPage {
    /// The integer key of an entry; nil where it would not lie in the page.
    @inline(__always)
    fileprivate func rowKey(_ index: Int, _ byteCount: Int) -> UInt64? {
        let position = position(index)
        guard position <= byteCount &- LeafPage.entryByteCount else { return nil }
        return load(position &+ PageLayout.Entry.key)
    }
}

/// A branch of a tree with integer keys.
struct RowBranch {
    private let page: MappedPage
    private let byteCount: Int
    private let count: Int

    /// Nil for a page that is no branch.
    @inline(__always)
    init?(_ page: MappedPage, byteCount: Int) {
        let lower = page.lower
        guard page.flags == PageLayout.Flags.branch, lower > PageLayout.Header.byteCount,
            lower <= byteCount
        else { return nil }
        self.page = page
        self.byteCount = byteCount
        count = (lower &- PageLayout.Header.byteCount) / PageLayout.positionByteCount
    }

    /// The page of the child that has a key, if any has it; nil where this page is damaged.
    ///
    /// Rows are numbered as they come, so keys grow almost evenly: the place is guessed, and then
    /// closed in on by growing steps.
    ///
    /// - Parameter range: The keys that the page may have; then those that the child may have.
    @inline(__always)
    func child(for wanted: UInt64, _ range: inout RowLeaf.Range) -> UInt64? {
        // The first key stands for whatever is less than the second.
        guard count > 1 else { return child(0) }
        var (low, high) = (1, count &- 1)
        guard let first = page.rowKey(low, byteCount), let last = page.rowKey(high, byteCount)
        else { return nil }
        if wanted < first {
            range.greatest = first &- 1
            return child(0)
        }
        if wanted >= last {
            range.least = last
            return child(high)
        }
        // From here on the key at `low` is not above the wanted one, and the key at `high` is.
        (range.least, range.greatest) = (first, last)
        let share = (wanted &- first) &* UInt64(high &- low) / (last &- first)
        var middle = low &+ Int(truncatingIfNeeded: share)
        var step = 1
        while high &- low > 1 {
            middle = min(max(middle, low &+ 1), high &- 1)
            guard let found = page.rowKey(middle, byteCount) else { return nil }
            let half = (high &- low) / 2
            if found <= wanted {
                (low, range.least) = (middle, found)
                middle = middle &+ min(step, half)
            } else {
                (high, range.greatest) = (middle, found)
                middle = middle &- min(step, half)
            }
            step &*= 2
        }
        range.greatest &-= 1
        return child(low)
    }

    @inline(__always)
    private func child(_ place: Int) -> UInt64? {
        let position = page.position(place)
        guard position <= byteCount &- PageLayout.Entry.key else { return nil }
        return page.child(at: position)
    }
}

/// A leaf of a tree with integer keys, which may not have been loaded yet.
struct RowLeaf {
    /// The keys that a page may have.
    struct Range {
        var least: UInt64
        var greatest: UInt64
    }

    let page: MappedPage
    let number: UInt64
    let range: Range

    /// Whether a key has its place here.
    @inline(__always)
    func spans(_ key: UInt64) -> Bool { key >= range.least && key <= range.greatest }

    /// Has the part of the page loaded that says where its entries are.
    @inline(__always)
    func willSearch() {
        lode_prefetch(page.base)
        lode_prefetch(page.base + MemoryHint.lineByteCount)
    }

    /// Has the entry loaded that a key probably has; the page itself is loaded by now.
    @inline(__always)
    func willRead(_ key: UInt64, _ byteCount: Int) {
        guard let leaf = LeafPage(page, byteCount: byteCount) else { return }
        leaf.load(page.base + page.position(guess(key, leaf)))
    }

    /// Where an entry is if the keys before it have no gap, as most rows have none.
    @inline(__always)
    private func guess(_ key: UInt64, _ leaf: LeafPage) -> Int {
        min(distance(key &- range.least, leaf), leaf.count &- 1)
    }

    /// How far apart two entries may be at most.
    @inline(__always)
    private func distance(_ difference: UInt64, _ leaf: LeafPage) -> Int {
        Int(truncatingIfNeeded: min(difference, UInt64(truncatingIfNeeded: leaf.count)))
    }

    /// The value of a key; nil where it is missing, lies outside its entry or the page is damaged.
    @inline(__always)
    func value(of wanted: UInt64, _ byteCount: Int) -> UnsafeRawBufferPointer? {
        guard page.number == number, let leaf = LeafPage(page, byteCount: byteCount) else {
            return nil
        }
        var (low, high) = (0, leaf.count)
        var place = guess(wanted, leaf)
        while low < high {
            guard let found = page.rowKey(place, byteCount) else { return nil }
            if found == wanted { return leaf.entry(at: place)?.value }
            // From entry to entry keys grow by one at least.
            if found < wanted {
                low = place &+ 1
                high = min(high, low &+ distance(wanted &- found, leaf))
            } else {
                high = place
                low = max(low, place &- distance(found &- wanted, leaf))
            }
            place = (low &+ high) / 2
        }
        return nil
    }
}
