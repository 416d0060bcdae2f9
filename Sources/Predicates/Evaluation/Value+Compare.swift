// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

extension Value {
    /// The ordering of two values by the rules of predicates; `nil` when they cannot be compared.
    ///
    /// Numbers and booleans compare by value across their types, exactly except for a decimal
    /// with a floating point number, which compare as doubles. Strings and URIs compare by
    /// their UTF-8 bytes, bytes likewise, other types with themselves only. Nil is the same as
    /// nil and cannot be compared with anything else; NaN cannot be compared at all.
    ///
    /// - Complexity: O(*n*) in the length of text or bytes, otherwise O(1).
    public func predicateCompare(_ other: Value) -> Ordering? {
        switch (self, other) {
        case (.null, .null): return .same
        case (.integer64(let a), .integer64(let b)): return Ordering(a, b)
        case (.date(let a), .date(let b)): return a.isNaN || b.isNaN ? nil : Ordering(a, b)
        case (.uuid(let a), .uuid(let b)): return Ordering(a, b)
        case (.objectID(let a), .objectID(let b)): return Ordering(a, b)
        case (.binaryData(let a), .binaryData(let b)),
            (.transformable(let a), .transformable(let b)):
            return a.withUnsafeBytes { first in b.withUnsafeBytes { Ordering(bytes: first, $0) } }
        default: break
        }
        if let a = text, let b = other.text { return Ordering(text: a, b) }
        if let a = Number(self), let b = Number(other) { return a.compare(b) }
        return nil
    }

    /// The ordering with text folded by the options first; `nil` as for
    /// ``predicateCompare(_:)``.
    public func predicateCompare(_ other: Value, _ options: ComparisonOptions) -> Ordering? {
        guard !options.isEmpty, let a = text, let b = other.text else {
            return predicateCompare(other)
        }
        let left = TextFolding.fold(a, options)
        let right = TextFolding.fold(b, options)
        if options.contains(.localeSensitive) { return Ordering(localized: left, right) }
        return Ordering(text: left, right)
    }

    /// Whether there is an order between the types of two values; nil has none with anything.
    ///
    /// Values of types that are comparable may still have no order: NaN has none.
    public func isComparable(to other: Value) -> Bool {
        guard let type, let otherType = other.type else { return false }
        return type.isComparable(to: otherType)
    }

    /// The text of a string or a URI; `nil` for other types.
    public var text: String? {
        switch self {
        case .string(let text), .uri(let text): text
        default: nil
        }
    }
}

extension Ordering {
    /// The ordering of two texts by their UTF-8 bytes, which is that of their scalars.
    public init(text left: String, _ right: String) {
        var left = left
        var right = right
        self = left.withUTF8 { first in
            right.withUTF8 { second in
                Ordering(bytes: UnsafeRawBufferPointer(first), UnsafeRawBufferPointer(second))
            }
        }
    }

    /// The ordering of two byte strings, the shorter first where one begins the other.
    init(bytes left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) {
        let shared = min(left.count, right.count)
        if shared > 0, let first = left.baseAddress, let second = right.baseAddress {
            let difference = memcmp(first, second, shared)
            if difference != 0 {
                self = difference < 0 ? .ascending : .descending
                return
            }
        }
        self.init(left.count, right.count)
    }

    /// The ordering of two texts in the current locale.
    init(
        localized left: String, _ right: String, _ options: String.CompareOptions = []
    ) {
        let locale = Locale.current
        if PlainCollation.isUsual(locale.identifier),
            let told = PlainCollation.compare(
                left, right, isNumeric: options.contains(.numeric))
        {
            self = told
        } else {
            self.init(left.compare(right, options: options, range: nil, locale: locale))
        }
    }

    init(_ result: ComparisonResult) {
        switch result {
        case .orderedAscending: self = .ascending
        case .orderedSame: self = .same
        case .orderedDescending: self = .descending
        }
    }
}
