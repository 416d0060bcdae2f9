// SPDX-License-Identifier: Apache-2.0

/// Rows that a filter names one by one, ascending.
struct RowSet {
    private let rows: [Int]
    /// Whether the rows are those that do not match.
    let isExcluded: Bool

    init(_ rows: [Int], isExcluded: Bool) {
        self.rows = rows
        self.isExcluded = isExcluded
    }

    /// The place of the first row that is not below a row.
    private func place(of row: Int) -> Int {
        var (low, high) = (0, rows.count)
        while low < high {
            let middle = (low + high) / 2
            if rows[middle] < row { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The first row from a row on; nil for none.
    func first(from row: Int) -> Int? {
        let place = place(of: row)
        return place < rows.count ? rows[place] : nil
    }

    /// Leaves those bits of a block set that match.
    ///
    /// - Parameters:
    ///   - masks: A bit for each row of the block.
    ///   - words: The number of words of the block.
    ///   - first: The block's first row.
    func narrow(_ masks: UnsafeMutablePointer<UInt64>, _ words: Int, _ first: Int) {
        var place = place(of: first)
        for word in 0..<words {
            let end = first + (word + 1) << 6
            var found: UInt64 = 0
            while place < rows.count, rows[place] < end {
                found |= 1 << UInt64(rows[place] & 63)
                place += 1
            }
            masks[word] &= isExcluded ? ~found : found
        }
    }
}

/// A filter that names rows one by one.
struct RowFilter {
    /// The column that the rows follow from, which a system has to have declared.
    let column: Column
    /// Whether the rows are those that do not match.
    let isExcluded: Bool
    /// Whether the rows are those of the column, so that it must have rows of game objects.
    var areRowsOfColumn = false
    /// The rows at the time of a run, ascending; gets the tick after which something is new.
    let rows: (World, UInt64) -> [Int]

    func set(in world: World, since tick: UInt64) -> RowSet {
        RowSet(rows(world, tick), isExcluded: isExcluded)
    }
}

extension RowFilter {
    /// Names the game objects that have lost a component.
    ///
    /// - Parameter tick: The tick after which; nil for that of the run.
    static func removed(_ column: Column, since own: UInt64?) -> RowFilter {
        RowFilter(column: column, isExcluded: false, areRowsOfColumn: true) { _, since in
            let log = column.removals
            let rows = (log.firstIndex(after: own ?? since)..<log.count).map(log.row)
            return Set(rows).sorted()
        }
    }
}
