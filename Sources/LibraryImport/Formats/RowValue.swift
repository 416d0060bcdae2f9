// SPDX-License-Identifier: Apache-2.0

/// One field of a row as the file has it; ranges point into ``RawRow/bytes``.
package enum RowValue: Sendable, Hashable {
    /// The row does not have the field.
    case absent
    /// JSON's null, or an empty CSV field without quotes.
    case null
    /// An empty CSV field in quotes: the empty text for an attribute of texts, else null.
    case emptyText
    /// A JSON boolean.
    case boolean(Bool)
    /// A JSON number without fraction and exponent that fits 64 bits.
    case integer(Int64)
    /// Any other JSON number, as its text: a conversion decides between double and decimal.
    case number(Range<Int>)
    /// Text without quotes and escapes, well-formed UTF-8.
    case text(Range<Int>)
    /// A JSON array or object, as its text without white space.
    case nested(Range<Int>)

    /// Whether there is no value, but perhaps for an attribute of texts.
    var isMissing: Bool {
        switch self {
        case .absent, .null, .emptyText: true
        default: false
        }
    }
}
