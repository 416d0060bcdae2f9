// SPDX-License-Identifier: Apache-2.0

import Schema

/// What one pass over the rows finds out about a column.
struct ColumnStatistics: Sendable {
    /// The column's name in the file.
    let name: String
    /// The rows that have a value.
    private(set) var present = 0
    /// The rows that have the column, with a value or null.
    private(set) var mentioned = 0
    /// The least integer; meaningless without integers.
    private(set) var minimum = Int64.max
    /// The greatest integer; meaningless without integers.
    private(set) var maximum = Int64.min
    /// The numbers beyond 64 bits or with a fraction that a decimal may not hold.
    private(set) var unusualNumbers = 0
    /// The longest text in UTF-8 bytes.
    private(set) var maximumTextBytes = 0
    /// The values that are text in the file.
    private(set) var texts = 0
    /// Whether any text is the number `-0`.
    private(set) var hasNegativeZero = false
    /// Whether any text is digits with a zero in front, as `007`: such a column is no number.
    private(set) var hasPaddedDigits = false
    /// Set for columns that may be keys.
    var keys: KeyTracker?
    private var counts = [Int](repeating: 0, count: ValueKind.allCases.count)
    private var firstLines = [Int](repeating: 0, count: ValueKind.allCases.count)

    /// Makes the statistics of a column without rows.
    init(name: String) {
        self.name = name
    }

    /// The values of a kind.
    func count(_ kind: ValueKind) -> Int { counts[kind.rawValue] }

    /// The line of the first row with a value of a kind, 0 for none.
    func firstLine(_ kind: ValueKind) -> Int { firstLines[kind.rawValue] }

    /// Counts one value.
    mutating func add(_ value: RowValue, in row: RawRow, isUntyped: Bool) {
        if case .absent = value { return }
        mentioned += 1
        guard let kind = ValueKind(value, in: row.bytes, isUntyped: isUntyped) else { return }
        present += 1
        if counts[kind.rawValue] == 0 { firstLines[kind.rawValue] = row.line }
        counts[kind.rawValue] += 1
        if kind == .fraction || kind == .bigInteger { noteSize(of: value, in: row) }
        switch value {
        case .integer(let number):
            minimum = min(minimum, number)
            maximum = max(maximum, number)
        case .text(let range):
            texts += 1
            maximumTextBytes = max(maximumTextBytes, range.count)
            // Untyped text is short where it is a number, so reading it twice costs little.
            if kind == .integer, case .integer(let number) = Numeral(row.bytes[range]) {
                minimum = min(minimum, number)
                maximum = max(maximum, number)
                if number == 0, range.count > 1 { hasNegativeZero = true }
            }
            if kind == .text, row.bytes[range].first == 0x30 {
                let isDigits = row.bytes[range].allSatisfy { 0x30...0x39 ~= $0 }
                hasPaddedDigits = hasPaddedDigits || isDigits
            }
        default: break
        }
        keys?.add(value, in: row.bytes)
    }

    private mutating func noteSize(of value: RowValue, in row: RawRow) {
        switch value {
        case .number(let range), .text(let range):
            let text = row.bytes[range]
            let isPlain = text.count <= 38 && !text.contains { $0 | 0x20 == 0x65 }
            if !isPlain { unusualNumbers += 1 }
        default: break
        }
    }

    /// Whether values that the key tracker has told apart are different ones of a type, too.
    ///
    /// `1` and `1.0` are one whole number, and in JSON `1` and `"1"` may be one text.
    func keepsApart(as type: AttributeType) -> Bool {
        let isOfOneForm = texts == 0 || texts == present
        let isWhole = count(.integer) == present && isOfOneForm
        return switch type {
        case .integer16, .integer32, .integer64: isWhole && !hasNegativeZero
        case .string: texts == present || isWhole
        case .uuid: count(.uuid) == present
        default: false
        }
    }

    /// Whether a double holds each whole number as it is.
    var hasOnlySmallIntegers: Bool {
        let limit = 1 << 53 as Int64
        return count(.bigInteger) == 0
            && (count(.integer) == 0 || minimum >= -limit && maximum <= limit)
    }
}
