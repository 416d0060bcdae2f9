// SPDX-License-Identifier: Apache-2.0

/// A sum of doubles that is rounded once, at the end, and so is the same in any order.
///
/// The sum is an integer of 128 bits that counts a power of two, chosen by the first number. What
/// it cannot hold, be it far larger or far finer, is kept by a ``WideSum``.
@frozen public struct ExactSum: Sendable {
    @usableFromInline var units: Int128 = 0
    /// The biased exponent of the numbers whose last bit is one unit; before the first number, one
    /// that is above all others.
    @usableFromInline var unit = ExactSum.noUnit
    /// The sum of what is not finite.
    @usableFromInline var others = 0.0
    @usableFromInline var wide: WideSum?

    @usableFromInline static let noUnit = 0xFFF
    /// So many times a unit may the last bit of a number be, as a power of two.
    @usableFromInline static let mostShift: UInt = 60
    /// How far the last bits of later numbers may lie below that of the first one.
    private static let room = 30

    /// A sum of nothing, which is 0.
    @inlinable public init() {}

    /// Adds a number.
    @inlinable @inline(__always)
    public mutating func add(_ number: Double) {
        let bits = number.bitPattern
        let exponent = Int(truncatingIfNeeded: bits >> 52 & 0x7FF)
        // What is no plain number has an exponent from which no unit is so far.
        let shift = UInt(bitPattern: exponent &- unit)
        if shift <= ExactSum.mostShift {
            let significand = Int128(bits & 0xF_FFFF_FFFF_FFFF | 1 << 52) &<< Int128(shift)
            let (sum, overflows) = units.addingReportingOverflow(
                number.sign == .minus ? 0 &- significand : significand)
            if !overflows {
                units = sum
                return
            }
        }
        addOther(number, times: 1)
    }

    /// Adds a number several times.
    ///
    /// - Parameter times: At most 2⁴⁸.
    @inlinable public mutating func add(_ number: Double, times: Int) {
        if times == 1 { add(number) } else { addOther(number, times: times) }
    }

    /// Adds an integer that is a sum of integers of 64 bits.
    public mutating func add(_ integer: Int128) {
        if integer == 0 { return }
        widen()
        wide?.add(integer, at: WideSum.position(ofExponent: 0x3FF + 52))
    }

    @usableFromInline @inline(never)
    mutating func addOther(_ number: Double, times: Int) {
        guard number.isFinite else {
            others += number
            return
        }
        if number == 0 { return }
        let exponent = max(1, Int(number.exponentBitPattern))
        var significand = Int128(number.significandBitPattern)
        if number.isNormal { significand |= 1 << 52 }
        if number.sign == .minus { significand = -significand }
        significand *= Int128(times)
        if unit == ExactSum.noUnit {
            // Between bounds, so that the fast path takes neither subnormal numbers nor infinity.
            unit = min(max(1, exponent - ExactSum.room), 0x7FE - Int(ExactSum.mostShift))
        }
        if !addWithin(significand, exponent - unit) {
            widen()
            wide?.add(significand, at: WideSum.position(ofExponent: exponent))
        }
    }

    /// Adds units shifted to the left, or to the right where no bit gets lost.
    ///
    /// - Returns: False, with nothing added, where they do not fit.
    private mutating func addWithin(_ significand: Int128, _ shift: Int) -> Bool {
        if shift > 0, significand.magnitude.leadingZeroBitCount <= shift + 1 { return false }
        if shift < 0, significand.trailingZeroBitCount < -shift { return false }
        let (sum, overflows) = units.addingReportingOverflow(significand << shift)
        if !overflows { units = sum }
        return !overflows
    }

    private mutating func widen() {
        if wide == nil { wide = WideSum() }
    }

    /// The double nearest to the sum; of two that are as near, the even one.
    public var value: Double {
        if others != 0 || others.isNaN { return others }
        guard var sum = wide else {
            return units == 0
                ? 0 : Double(rounding: units, exponent: WideSum.position(ofExponent: unit) - 1_074)
        }
        if units != 0 { sum.add(units, at: WideSum.position(ofExponent: unit)) }
        return sum.value
    }
}

extension Double {
    /// The double nearest to an integer times a power of two.
    init(rounding integer: Int128, exponent: Int) {
        let magnitude = integer.magnitude
        let excess = max(0, 64 - magnitude.leadingZeroBitCount)
        var head = UInt64(truncatingIfNeeded: magnitude >> excess)
        if magnitude & (1 << excess - 1) != 0 { head |= 1 }
        self.init(rounding: head, exponent: exponent + excess, isNegative: integer < 0)
    }

    /// The double nearest to 64 bits, of which the last one stands for all that follow.
    ///
    /// The result of a sum of doubles is either exact or no subnormal number, so that it is rounded
    /// once only.
    init(rounding head: UInt64, exponent: Int, isNegative: Bool) {
        self.init(
            sign: isNegative ? .minus : .plus, exponent: exponent, significand: Double(head))
    }
}
