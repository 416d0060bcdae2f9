// SPDX-License-Identifier: Apache-2.0

extension Predicate: CustomStringConvertible {
    /// The predicate in the format language, as `NSPredicate.predicateFormat` writes it.
    ///
    /// Dates and other constants without a literal are written as casts:
    /// `CAST(123.000000, "NSDate")`.
    public var predicateFormat: String {
        var writer = FormatWriter()
        writer.write(self)
        return writer.text
    }

    /// The same as ``predicateFormat``.
    public var description: String { predicateFormat }
}

extension Comparison: CustomStringConvertible {
    /// The comparison in the format language.
    public var description: String {
        var writer = FormatWriter()
        writer.write(self)
        return writer.text
    }
}

extension Expression: CustomStringConvertible {
    /// The expression in the format language.
    public var description: String {
        var writer = FormatWriter()
        writer.write(self)
        return writer.text
    }
}

extension Operand: CustomStringConvertible {
    /// The constant in the format language.
    public var description: String {
        switch self {
        case .value(let value): value.predicateLiteral
        case .list(let members):
            "{" + members.map(\.description).joined(separator: ", ") + "}"
        }
    }
}
