// SPDX-License-Identifier: Apache-2.0

/// Reads Base64 of RFC 4648 with padding.
package enum Base64Text {
    /// The bytes, `nil` for any other text.
    package static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        guard text.count % 4 == 0 else { return nil }
        let padding = text.suffix(2).reversed().prefix { $0 == 0x3D }.count
        var result: [UInt8] = []
        result.reserveCapacity(text.count / 4 * 3)
        var bits: UInt32 = 0
        var count = 0
        for byte in text.dropLast(padding) {
            guard let digit = digit(byte) else { return nil }
            bits = bits << 6 | UInt32(digit)
            count += 6
            if count >= 8 {
                count -= 8
                result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
            }
        }
        // The bits that padding leaves over are zero in the one canonical form.
        let rest = bits & ((1 << UInt32(count)) - 1)
        return rest == 0 ? result : nil
    }

    private static func digit(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte - 0x41
        case 0x61...0x7A: byte - 0x61 + 26
        case 0x30...0x39: byte - 0x30 + 52
        case 0x2B: 62
        case 0x2F: 63
        default: nil
        }
    }
}
