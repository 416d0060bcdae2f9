// SPDX-License-Identifier: Apache-2.0

/// What one pass over the rows finds out about an entity.
struct EntityStatistics: Sendable {
    /// The entity's name in the sources.
    let sourceName: String
    /// The columns in the order in which they appear.
    private(set) var columns: [ColumnStatistics] = []
    /// The usable rows.
    var rowCount = 0
    /// The rows that the reader could not use.
    var problemCount = 0
    private let mappedKey: String?
    private var columnsByName: [String: Int] = [:]

    /// Makes the statistics of an entity without rows.
    init(sourceName: String, mappedKey: String? = nil) {
        self.sourceName = sourceName
        self.mappedKey = mappedKey
    }

    /// The index of a column, a new one if the name is new.
    mutating func column(named name: String) -> Int {
        if let known = columnsByName[name] { return known }
        var column = ColumnStatistics(name: name)
        if name == mappedKey || KeyName.rank(name, ofEntity: sourceName) != nil {
            column.keys = KeyTracker()
        }
        columnsByName[name] = columns.count
        columns.append(column)
        return columns.count - 1
    }

    /// Counts a row whose field `i` is column `binding[i]`.
    mutating func add(_ row: RawRow, binding: [Int], isUntyped: Bool) {
        rowCount += 1
        for field in row.values.indices {
            columns[binding[field]].add(row.values[field], in: row, isUntyped: isUntyped)
        }
    }
}
