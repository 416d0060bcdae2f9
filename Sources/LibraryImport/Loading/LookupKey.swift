// SPDX-License-Identifier: Apache-2.0

import Schema

/// The value of a key as an entry of a dictionary.
///
/// Text is compared by its bytes, as in the store: Swift takes composed and decomposed letters for
/// equal.
enum LookupKey: Hashable {
    case integer(Int64)
    case text([UInt8])
    case number(Double)
    case uuid(UUIDValue)
    case decimal(DecimalValue)

    /// The key of a value from the data; `nil` for null.
    init?(_ value: Value) {
        switch value {
        case .null, .transformable, .objectID: return nil
        case .integer16(let number): self = .integer(Int64(number))
        case .integer32(let number): self = .integer(Int64(number))
        case .integer64(let number): self = .integer(number)
        case .boolean(let flag): self = .integer(flag ? 1 : 0)
        case .double(let number), .date(let number): self = .number(number)
        case .float(let number): self = .number(Double(number))
        case .string(let text), .uri(let text): self = .text(Array(text.utf8))
        case .binaryData(let bytes): self = .text(bytes)
        case .uuid(let uuid): self = .uuid(uuid)
        case .decimal(let number): self = .decimal(number)
        }
    }
}
