// SPDX-License-Identifier: Apache-2.0

/// A number for each row, 0 where none was set.
///
/// Rows that are used mostly lie near each other, so the numbers are kept in pages of rows; a page
/// without a number takes no memory. That matters as rows are never used again: a world in which
/// game objects come and go has ever higher ones.
struct RowMap {
    private static let shift = 9

    /// The numbers of adjacent rows.
    private struct Page {
        /// One for each row; none while all are 0.
        var numbers: ContiguousArray<Int> = []
        /// How many of them are not 0.
        var count = 0
    }

    private var pages: ContiguousArray<Page> = []
    /// The page that became free last, all zeros: a number that comes and goes takes the same one.
    private var spare: ContiguousArray<Int> = []

    /// The number of pages that take memory.
    var pageCount: Int { pages.count { $0.count > 0 } + (spare.isEmpty ? 0 : 1) }

    /// The memory that a number of a row would need more for the list of pages.
    func room(upTo row: Int) -> Int {
        max(0, row >> RowMap.shift + 1 - pages.count) * MemoryLayout<Page>.stride
    }

    subscript(row: Int) -> Int {
        get {
            let page = row >> RowMap.shift
            guard page < pages.count, pages[page].count > 0 else { return 0 }
            return pages[page].numbers[row & (1 << RowMap.shift - 1)]
        }
        set {
            let page = row >> RowMap.shift
            if page >= pages.count {
                guard newValue != 0 else { return }
                pages.append(contentsOf: repeatElement(Page(), count: page + 1 - pages.count))
            }
            if pages[page].count == 0 {
                guard newValue != 0 else { return }
                pages[page].numbers = takePage()
            }
            let place = row & (1 << RowMap.shift - 1)
            let isNew = pages[page].numbers[place] == 0
            pages[page].numbers[place] = newValue
            if isNew, newValue != 0 { pages[page].count += 1 }
            if !isNew, newValue == 0 { forgetNumber(of: page) }
        }
    }

    /// A page of zeros.
    private mutating func takePage() -> ContiguousArray<Int> {
        guard !spare.isEmpty else { return ContiguousArray(repeating: 0, count: 1 << RowMap.shift) }
        let page = spare
        spare = []
        return page
    }

    /// Notes that a number of a page became 0; the last one gives the page free.
    private mutating func forgetNumber(of page: Int) {
        pages[page].count -= 1
        guard pages[page].count == 0 else { return }
        spare = pages[page].numbers
        pages[page].numbers = []
    }
}
