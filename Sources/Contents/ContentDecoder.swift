// SPDX-License-Identifier: Apache-2.0

/// Makes values of bytes by their own `Decodable` conformance.
package enum ContentDecoder {
    /// The value of bytes.
    ///
    /// - Throws: ``ContentDamage`` for bytes that are no value; what the conformance throws.
    package static func decode<Value: Decodable>(
        _ type: Value.Type, from bytes: [UInt8]
    ) throws -> Value {
        try ValueDecoder(try ContentBytes.read(bytes), []).value(type)
    }

    /// An error of coding in one line, with the path to the value within.
    package static func text(of error: any Error) -> String {
        switch error {
        case DecodingError.keyNotFound(_, let context),
            DecodingError.typeMismatch(_, let context),
            DecodingError.valueNotFound(_, let context),
            DecodingError.dataCorrupted(let context):
            text(context.codingPath, context.debugDescription)
        case EncodingError.invalidValue(_, let context):
            text(context.codingPath, context.debugDescription)
        default: "\(error)"
        }
    }

    private static func text(_ path: [any CodingKey], _ text: String) -> String {
        path.isEmpty ? text : path.map(\.stringValue).joined(separator: ".") + ": " + text
    }
}
