// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

extension UUIDValue {
    /// The stored form of an identifier.
    @usableFromInline
    init(_ uuid: UUID) {
        let halves = withUnsafeBytes(of: uuid.uuid) { bytes in
            (
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
            )
        }
        self.init(high: halves.0, low: halves.1)
    }
}

extension UUID {
    /// Foundation's form of a stored identifier.
    @usableFromInline
    init(_ value: UUIDValue) {
        var bytes: uuid_t = (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)
        withUnsafeMutableBytes(of: &bytes) { buffer in
            buffer.storeBytes(of: value.high.bigEndian, toByteOffset: 0, as: UInt64.self)
            buffer.storeBytes(of: value.low.bigEndian, toByteOffset: 8, as: UInt64.self)
        }
        self.init(uuid: bytes)
    }
}

extension DecimalValue {
    /// The stored form of a decimal number; `nil` for not-a-number.
    init?(_ decimal: Decimal) {
        guard !decimal.isNaN else { return nil }
        if DecimalLayout.isKnown {
            self = DecimalLayout.read(decimal)
            return
        }
        // The plain text of a number with a large exponent has more digits than fit.
        let sign = decimal.sign == .minus ? "-" : ""
        self.init("\(sign)\(decimal.significand.magnitude)e\(decimal.exponent)")
    }
}

extension Decimal {
    /// Foundation's form of a stored number.
    init(_ value: DecimalValue) {
        if DecimalLayout.isKnown, let decimal = DecimalLayout.make(value) {
            self = decimal
            return
        }
        var magnitude = Decimal(string: String(value.significand)) ?? 0
        if value.exponent != 0 {
            magnitude = Decimal(
                sign: .plus, exponent: Int(value.exponent), significand: magnitude)
        }
        self = value.isNegative ? -magnitude : magnitude
    }
}
