// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// How Foundation keeps a decimal number in memory.
///
/// Its digits have no public form but text, which takes microseconds to make and to read: an import
/// of prices spent a seventh of its time on it.
package enum DecimalLayout {
    private static let length = 20
    private static let isNegative: UInt8 = 0x08
    private static let isCompact: UInt8 = 0x04

    /// Whether numbers of all kinds lie in memory as it says here; text is the way otherwise.
    package static let isKnown: Bool =
        MemoryLayout<Decimal>.size == length
        && [
            "0", "1", "-1", "123.45", "-1.2e3", "65536", "4294967297", "-1e-127", "9e127",
            "18446744073709551617.5", "340282366920938463463374607431768211455",
        ].allSatisfy { text in
            guard let decimal = Decimal(string: text), let value = DecimalValue(text),
                let made = make(value)
            else { return false }
            return read(decimal) == value && bytes(of: made) == bytes(of: decimal)
        }

    private static func bytes(of decimal: Decimal) -> [UInt8] {
        withUnsafeBytes(of: decimal) { Array($0) }
    }

    /// The stored form of a number; not for not-a-number.
    static func read(_ decimal: Decimal) -> DecimalValue {
        // SAFETY: 20 bytes of plain integers, as `isKnown` has found.
        withUnsafeBytes(of: decimal) { bytes in
            let flags = bytes.load(fromByteOffset: 1, as: UInt8.self)
            var significand = UInt128(
                littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt128.self))
            // Words of 16 bits, of which the last ones may be of an earlier number.
            let words = flags >> 4
            if words < 8 { significand &= (1 << (16 * UInt128(words))) - 1 }
            return DecimalValue(
                significand: significand,
                exponent: Int16(bytes.load(fromByteOffset: 0, as: Int8.self)),
                isNegative: flags & isNegative != 0)
        }
    }

    /// Foundation's form of a stored number; nil for an exponent that it does not have.
    static func make(_ value: DecimalValue) -> Decimal? {
        var (significand, power) = (value.significand, value.exponent)
        // Zeros that went to a power of ten beyond Foundation's, as of 10e127.
        while power > Int8.max, significand <= UInt128.max / 10 {
            significand *= 10
            power -= 1
        }
        guard let exponent = Int8(exactly: power) else { return nil }
        var decimal = Decimal()
        guard significand != 0 else { return decimal }
        let words = UInt8((128 - significand.leadingZeroBitCount + 15) / 16)
        let form = power == value.exponent ? isCompact : 0
        // SAFETY: as above; only the number itself is written.
        withUnsafeMutableBytes(of: &decimal) { bytes in
            bytes.storeBytes(of: exponent, as: Int8.self)
            let sign = value.isNegative ? isNegative : 0
            bytes.storeBytes(of: words << 4 | sign | form, toByteOffset: 1, as: UInt8.self)
            bytes.storeBytes(of: significand.littleEndian, toByteOffset: 4, as: UInt128.self)
        }
        return decimal
    }
}
