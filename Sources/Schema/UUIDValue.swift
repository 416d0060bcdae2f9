// SPDX-License-Identifier: Apache-2.0

/// A 128-bit universally unique identifier without Foundation.
@frozen
public struct UUIDValue: Sendable, Hashable {
    /// The first eight bytes of the text form, most significant byte first.
    public var high: UInt64
    /// The last eight bytes of the text form, most significant byte first.
    public var low: UInt64

    /// Makes an identifier of its two halves.
    @inlinable
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes a new identifier: random, version 4.
    public static func random() -> UUIDValue {
        var generator = SystemRandomNumberGenerator()
        return UUIDValue(
            high: generator.next() & ~0xF000 | 0x4000,
            low: generator.next() & ~(0b11 << 62) | 0b10 << 62)
    }
}

extension UUIDValue: Comparable {
    /// Orders identifiers as their text and their stored bytes sort.
    @inlinable
    public static func < (left: UUIDValue, right: UUIDValue) -> Bool {
        left.high != right.high ? left.high < right.high : left.low < right.low
    }
}

extension UUIDValue: CustomStringConvertible {
    /// The canonical upper-case text of 36 characters.
    public var description: String {
        let digits = Array("0123456789ABCDEF".utf8)
        var text: [UInt8] = []
        for index in 0..<16 {
            if index == 4 || index == 6 || index == 8 || index == 10 { text.append(0x2D) }
            let half = index < 8 ? high : low
            let byte = UInt8(truncatingIfNeeded: half >> UInt64((7 - index % 8) * 8))
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// Reads the text form of 36 characters, in either case; `nil` for anything else.
    public init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return nil }
        var halves: [UInt64] = [0, 0]
        var digits = 0
        for (index, byte) in bytes.enumerated() {
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == 0x2D else { return nil }
                continue
            }
            guard let digit = Character(UnicodeScalar(byte)).hexDigitValue else { return nil }
            halves[digits / 16] = halves[digits / 16] << 4 | UInt64(digit)
            digits += 1
        }
        self.init(high: halves[0], low: halves[1])
    }
}
