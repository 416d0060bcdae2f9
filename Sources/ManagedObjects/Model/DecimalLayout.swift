// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// How Foundation keeps a decimal number in memory.
///
/// Its digits have no public form but text, which takes 200 times as long to make and to read: an
/// import of prices spent a seventh of its time on it.
enum DecimalLayout {
    private static let length = 20
    private static let isNegative: UInt8 = 0x08
    private static let isCompact: UInt8 = 0x04

    /// Whether numbers of all kinds lie in memory as it says here; text is the way otherwise.
    static let isKnown: Bool =
        MemoryLayout<Decimal>.size == length
        && [
            "0", "1", "-1", "123.45", "-1.2e3", "65536", "4294967297", "-1e-127", "9e127",
            "18446744073709551617.5", "340282366920938463463374607431768211455",
        ].allSatisfy { text in
            guard let decimal = Decimal(string: text), let value = DecimalValue(text) else {
                return false
            }
            return read(decimal) == value
                && withUnsafeBytes(of: decimal) { Array($0) }
                    == withUnsafeBytes(of: make(value)) { Array($0) }
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
        guard let exponent = Int8(exactly: value.exponent) else { return nil }
        var decimal = Decimal()
        guard value.significand != 0 else { return decimal }
        let words = UInt8((128 - value.significand.leadingZeroBitCount + 15) / 16)
        // SAFETY: as above; only the number itself is written.
        withUnsafeMutableBytes(of: &decimal) { bytes in
            bytes.storeBytes(of: exponent, as: Int8.self)
            let sign = value.isNegative ? isNegative : 0
            bytes.storeBytes(
                of: words << 4 | sign | isCompact, toByteOffset: 1, as: UInt8.self)
            bytes.storeBytes(
                of: value.significand.littleEndian, toByteOffset: 4, as: UInt128.self)
        }
        return decimal
    }
}
