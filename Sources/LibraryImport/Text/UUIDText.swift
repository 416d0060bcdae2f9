// SPDX-License-Identifier: Apache-2.0

import Schema

/// Reads UUIDs out of bytes.
package enum UUIDText {
    /// The UUID of 36 canonical characters in either case, `nil` for any other text.
    package static func value(_ text: ArraySlice<UInt8>) -> UUIDValue? {
        guard text.count == 36 else { return nil }
        var high: UInt64 = 0
        var low: UInt64 = 0
        var digits = 0
        for (offset, byte) in text.enumerated() {
            if offset == 8 || offset == 13 || offset == 18 || offset == 23 {
                guard byte == 0x2D else { return nil }
                continue
            }
            guard let digit = hexDigit(byte) else { return nil }
            if digits < 16 {
                high = high << 4 | UInt64(digit)
            } else {
                low = low << 4 | UInt64(digit)
            }
            digits += 1
        }
        return UUIDValue(high: high, low: low)
    }
}
