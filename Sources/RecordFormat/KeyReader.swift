// SPDX-License-Identifier: Apache-2.0

import Schema

/// Reads the bytes of a key one after the other.
struct KeyReader {
    let bytes: UnsafeRawBufferPointer
    /// What the bytes of the element at hand are complemented by: all bits, or none.
    var mask: UInt64 = 0
    private(set) var position = 0

    init(bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var isAtEnd: Bool { position == bytes.count }

    mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        defer { position += 1 }
        return bytes[position] ^ UInt8(truncatingIfNeeded: mask)
    }

    mutating func word() -> UInt64? {
        guard position + 8 <= bytes.count else { return nil }
        defer { position += 8 }
        return mask
            ^ UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: position, as: UInt64.self))
    }

    /// Passes over a value; false where the key ends before it does, and for a decimal.
    mutating func skip(_ type: AttributeType) -> Bool {
        switch byte() {
        case OrderedBytes.null: return true
        case OrderedBytes.value: break
        default: return false
        }
        switch type {
        case .decimal: return false
        case .boolean: return byte() != nil
        case .uuid: return word() != nil && word() != nil
        case .string, .uri, .binaryData, .transformable: return skipContent()
        case .integer16, .integer32, .integer64, .double, .float, .date, .objectID:
            return word() != nil
        }
    }

    private mutating func skipContent() -> Bool {
        while let byte = byte() {
            if byte == 0 {
                guard let next = self.byte() else { return false }
                if next == 0 { return true }
            }
        }
        return false
    }
}

extension IndexKey {
    /// The size of the bytes that the leading values of a key have.
    ///
    /// - Parameters:
    ///   - key: The key as it is stored.
    ///   - values: The type of each of the values, and whether its element descends.
    /// - Returns: `nil` where the key was cut before their end, and for decimals.
    public static func byteCount(
        ofLeading values: some Sequence<(type: AttributeType, isDescending: Bool)>,
        in key: UnsafeRawBufferPointer
    ) -> Int? {
        var reader = KeyReader(bytes: key)
        for (type, isDescending) in values {
            reader.mask = isDescending ? .max : 0
            guard reader.skip(type) else { return nil }
        }
        return reader.position
    }
}
