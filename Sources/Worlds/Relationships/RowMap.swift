// SPDX-License-Identifier: Apache-2.0

/// A number for each row, 0 where none was set.
///
/// Rows that are used mostly lie near each other, so the numbers are kept in pages of rows; a page
/// without a number takes no memory.
struct RowMap {
    private static let shift = 9
    private var pages: ContiguousArray<ContiguousArray<Int>> = []

    subscript(row: Int) -> Int {
        get {
            let page = row >> RowMap.shift
            guard page < pages.count, !pages[page].isEmpty else { return 0 }
            return pages[page][row & (1 << RowMap.shift - 1)]
        }
        set {
            let page = row >> RowMap.shift
            if page >= pages.count {
                guard newValue != 0 else { return }
                pages.append(contentsOf: repeatElement([], count: page + 1 - pages.count))
            }
            if pages[page].isEmpty {
                guard newValue != 0 else { return }
                pages[page] = ContiguousArray(repeating: 0, count: 1 << RowMap.shift)
            }
            pages[page][row & (1 << RowMap.shift - 1)] = newValue
        }
    }
}
