// SPDX-License-Identifier: Apache-2.0

import Schema

/// Chooses the attribute type of a column.
///
/// Whole numbers are `integer64`, whatever their size: a later file may hold larger ones, and the
/// width of a slot is cheap. A mix of whole numbers and fractions is `double`; whole numbers beyond
/// 64 bits make a column `decimal`, and so do those in a mix that a double would round. A column
/// with whole numbers that no decimal holds is `string`. Text is `date` or `uuid` only when all of
/// it is. A column without values, with arrays or objects, or with a mix of anything else is
/// `string`; arrays and objects are kept as JSON text.
enum ColumnType {
    /// The type that holds every value of a column.
    static func lossless(_ column: ColumnStatistics) -> AttributeType {
        let all = column.present
        if all == 0 { return .string }
        let fractions = column.count(.fraction)
        let bigIntegers = column.count(.bigInteger)
        if column.count(.integer) == all { return .integer64 }
        if column.count(.integer) + bigIntegers + fractions == all {
            let isDecimal = column.unusualNumbers == 0
            if fractions == 0 { return isDecimal ? .decimal : .string }
            return isDecimal && !column.hasOnlySmallIntegers ? .decimal : .double
        }
        if column.count(.boolean) == all { return .boolean }
        if column.count(.date) == all { return .date }
        if column.count(.uuid) == all { return .uuid }
        return .string
    }

    /// The type of a key column: that of most values.
    ///
    /// So a wrong one rejects its row instead of turning all references into text. Digits with
    /// zeros in front are no wrong numbers: with one such key, all are `string`.
    static func key(_ column: ColumnStatistics) -> AttributeType {
        column.hasPaddedDigits ? .string : main(column)
    }

    /// The type of most values, of those that keys have.
    private static func main(_ column: ColumnStatistics) -> AttributeType {
        if column.count(.integer) * 2 > column.present { return .integer64 }
        if column.count(.uuid) * 2 > column.present { return .uuid }
        return .string
    }

    /// Whether a column can hold references to a key of a type.
    static func canRefer(_ column: ColumnStatistics, to key: AttributeType) -> Bool {
        if column.present == 0 { return true }
        switch key {
        case .integer16, .integer32, .integer64: return main(column) == .integer64
        case .uuid: return main(column) == .uuid
        default: return arrays(column) == 0 && column.count(.nested) == 0
        }
    }

    /// Whether a column's values are arrays of keys of a type.
    static func canReferToMany(_ column: ColumnStatistics, to key: AttributeType) -> Bool {
        guard arrays(column) == column.present, column.present > 0 else { return false }
        switch key {
        case .integer16, .integer32, .integer64: return column.count(.textArray) == 0
        default: return column.count(.integerArray) == 0
        }
    }

    private static func arrays(_ column: ColumnStatistics) -> Int {
        column.count(.integerArray) + column.count(.textArray) + column.count(.emptyArray)
    }

    /// What makes a column `string` although most of its values are something else.
    static func mixtureNote(_ column: ColumnStatistics, entity: String) -> String? {
        guard lossless(column) == .string, column.present > 0 else { return nil }
        let kinds = ValueKind.allCases.filter { column.count($0) > 0 }
        guard let main = kinds.max(by: { column.count($0) < column.count($1) }),
            let other = kinds.filter({ $0 != main })
                .min(by: { column.firstLine($0) < column.firstLine($1) }),
            main != .text, main.noun != other.noun, column.count(main) * 2 > column.present
        else { return nil }
        return "\(entity).\(column.name) is mostly \(main.noun) but has \(other.noun) "
            + "(first on line \(column.firstLine(other))), so it is a string; "
            + "map its type to reject such rows"
    }
}
