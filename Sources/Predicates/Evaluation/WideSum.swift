// SPDX-License-Identifier: Apache-2.0

/// A sum of doubles of any size, in limbs of 32 bits that carry late.
@usableFromInline struct WideSum: Sendable {
    /// The first limb begins with the last bit of subnormal numbers, 2⁻¹⁰⁷⁴.
    ///
    /// There is room for 2⁶⁴ of the greatest numbers.
    private var limbs = ContiguousArray<Int64>(repeating: 0, count: (2_098 + 64 + 31) / 32 + 1)
    /// How many additions the limbs may have carries of.
    private var additions = 0

    private static let mask: UInt128 = 0xFFFF_FFFF
    /// Each adds less than 2³² to a limb.
    private static let mostAdditions = 1 << 30

    @usableFromInline init() {}

    /// The place of the last bit of numbers, by their biased exponent, which is at least 1.
    static func position(ofExponent exponent: Int) -> Int { exponent - 1 }

    /// Adds an integer whose last bit is at a place.
    mutating func add(_ integer: Int128, at position: Int) {
        var rest = integer.magnitude
        var limb = position >> 5
        let shift = position & 31
        // The first limb takes what is left of its bits, so that all others are whole.
        let first = (rest & (WideSum.mask >> shift)) << shift
        rest >>= 32 - shift
        add(first, to: limb, integer < 0)
        while rest != 0 {
            limb += 1
            add(rest & WideSum.mask, to: limb, integer < 0)
            rest >>= 32
        }
        additions += 1
        if additions == WideSum.mostAdditions { carry() }
    }

    private mutating func add(_ bits: UInt128, to limb: Int, _ isNegative: Bool) {
        let bits = Int64(truncatingIfNeeded: bits)
        limbs[limb] += isNegative ? -bits : bits
    }

    /// Brings all limbs but the last one between 0 and 2³².
    private mutating func carry() {
        for index in limbs.indices.dropLast() {
            limbs[index + 1] += limbs[index] >> 32
            limbs[index] &= 0xFFFF_FFFF
        }
        additions = 0
    }

    /// The double nearest to the sum.
    var value: Double {
        var sum = self
        sum.carry()
        let isNegative = sum.limbs.last.map { $0 < 0 } ?? false
        if isNegative {
            for index in sum.limbs.indices { sum.limbs[index].negate() }
            sum.carry()
        }
        guard let top = sum.limbs.lastIndex(where: { $0 != 0 }) else { return 0 }
        var head: UInt128 = 0
        for index in (max(0, top - 2)...top).reversed() {
            head = head << 32 | UInt128(UInt64(bitPattern: sum.limbs[index]))
        }
        var exponent = max(0, top - 2) * 32 - 1_074
        let excess = max(0, 64 - head.leadingZeroBitCount)
        var bits = UInt64(truncatingIfNeeded: head >> excess)
        let isInexact =
            head & (1 << excess - 1) != 0
            || sum.limbs.prefix(max(0, top - 2)).contains { $0 != 0 }
        if isInexact { bits |= 1 }
        exponent += excess
        return Double(rounding: bits, exponent: exponent, isNegative: isNegative)
    }
}
