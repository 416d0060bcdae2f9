// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

extension Value {
    /// The value in the form in which programs usually pass it to a setter or a predicate.
    ///
    /// An integer of any width is an `Int`, and a decimal number a `Decimal`. `nil` for null, for
    /// keys of objects and transformed values, and for what Foundation cannot represent: text that
    /// is no URL, and a number beyond the range of `Decimal`.
    package var plainObject: Any? {
        switch self {
        case .null, .transformable, .objectID: nil
        case .integer16(let number): Int(number)
        case .integer32(let number): Int(number)
        case .integer64(let number): Int(number)
        case .boolean(let flag): flag
        case .double(let number): number
        case .float(let number): number
        case .decimal(let number): Decimal(string: number.description)
        case .string(let text): text
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .binaryData(let bytes): Data(bytes)
        case .uuid(let uuid): UUID(uuid)
        case .uri(let text): URL(string: text)
        }
    }

    /// The value as an attribute of its type keeps it: setters take Foundation's types, which may
    /// change the text of a URI or round a decimal number.
    ///
    /// `nil` for what Foundation cannot represent.
    package var keptForm: Value? {
        switch self {
        case .uri(let text):
            return URL(string: text).map { .uri($0.absoluteString) }
        case .decimal(let number):
            // Far within the 38 digits and the exponents that a Decimal has.
            if number.significand <= UInt128(UInt64.max), -64...64 ~= number.exponent {
                return self
            }
            guard let decimal = Decimal(string: number.description) else { return nil }
            return DecimalValue(decimal).map { .decimal($0) }
        default:
            return self
        }
    }
}
