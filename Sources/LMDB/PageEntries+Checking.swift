// SPDX-License-Identifier: Apache-2.0

extension PageEntries {
    /// The form that the entries of a page must have.
    struct Form {
        /// How the keys follow each other.
        var order: PageOrder
        /// The size that keys without entries have to have.
        var plainSize: Int?
        /// The sizes that keys may have: of values of a key they may be none.
        var keySizes: ClosedRange<Int>
        /// The most bytes that an entry takes.
        var mostBytes: Int
        /// The keys that a page may hold: from the one that leads to it to the next one.
        var bounds = Bounds()
    }

    struct Bounds {
        var lower: ArraySlice<UInt8>?
        var upper: ArraySlice<UInt8>?
    }

    /// What is wrong with the positions, sizes and order of the entries.
    func problem(_ form: Form) -> String? {
        guard lower >= PageLayout.Header.byteCount, lower % PageLayout.positionByteCount == 0,
            lower <= upper, upper <= bytes.count
        else { return "has bounds \(lower) and \(upper)" }
        if isPlain {
            // LMDB trusts the free room that the page states when it adds a key.
            guard form.keySizes.contains(keySize), keySize > 0,
                form.plainSize == nil || form.plainSize == keySize,
                PageLayout.Header.byteCount + count * keySize + (upper - lower) <= bytes.count
            else { return "has \(count) keys of \(keySize) bytes" }
        } else if let wrong = placeProblem(form) {
            return wrong
        }
        return orderProblem(form)
    }

    /// Looks for entries that are not inside the page, or that share bytes: LMDB moves them when
    /// one is deleted.
    private func placeProblem(_ form: Form) -> String? {
        var extents: [Range<Int>] = []
        extents.reserveCapacity(count)
        for index in 0..<count {
            guard let extent = extent(index, form) else { return "has entry \(index) outside" }
            extents.append(extent)
        }
        extents.sort { $0.lowerBound < $1.lowerBound }
        var end = upper
        for extent in extents {
            guard extent.lowerBound >= end else { return "has entries that overlap" }
            end = extent.upperBound
        }
        return nil
    }

    /// Where an entry lies; nil where that is not in the page, or it is larger than any.
    private func extent(_ index: Int, _ form: Form) -> Range<Int>? {
        let start = position(index)
        guard start >= upper, start % 2 == 0, start + PageLayout.Entry.key <= bytes.count else {
            return nil
        }
        let keySize = keySize(at: start)
        // The first key of a branch stands for everything below the second, and may be left out.
        let least = isBranch && index == 0 ? 0 : form.keySizes.lowerBound
        guard (least...form.keySizes.upperBound).contains(keySize) else { return nil }
        var end = start + PageLayout.Entry.key + keySize
        if !isBranch {
            let isInPagesOfItsOwn = entryFlags(at: start) == PageLayout.EntryFlags.pages
            end += isInPagesOfItsOwn ? PageLayout.numberByteCount : valueSize(at: start)
        }
        guard end <= bytes.count, end - start <= form.mostBytes else { return nil }
        return start..<end
    }

    private func orderProblem(_ form: Form) -> String? {
        guard form.order != .unknown else { return nil }
        var former = form.bounds.lower
        var mayBeEqual = !isBranch
        for index in (isBranch ? 1 : 0)..<max(count, 1) where index < count {
            let key = key(index)
            if form.order == .integers, key.count != PageLayout.numberByteCount {
                return "has a number of \(key.count) bytes"
            }
            if let former, !form.order.isAscending(former, key, mayBeEqual: mayBeEqual) {
                return "has keys out of order at \(index)"
            }
            former = key
            mayBeEqual = false
        }
        if let former, let upper = form.bounds.upper,
            !form.order.isAscending(former, upper, mayBeEqual: false)
        {
            return "has keys that belong behind it"
        }
        return nil
    }
}

/// How the keys of a tree follow each other.
enum PageOrder {
    case bytes, integers, unknown

    /// Whether two keys, of 8 bytes each if they are integers, follow each other.
    func isAscending(
        _ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>, mayBeEqual: Bool
    ) -> Bool {
        switch self {
        case .unknown: true
        case .integers:
            PageOrder.number(left) < PageOrder.number(right)
                || mayBeEqual && left.elementsEqual(right)
        case .bytes:
            left.lexicographicallyPrecedes(right) || mayBeEqual && left.elementsEqual(right)
        }
    }

    static func number(_ key: ArraySlice<UInt8>) -> UInt64 {
        key.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
