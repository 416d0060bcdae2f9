// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Testing

/// Sums of doubles that are rounded once.
@Suite struct ExactSumTests {
    private func sum(_ numbers: [Double]) -> Double {
        var sum = ExactSum()
        for number in numbers { sum.add(number) }
        return sum.value
    }

    static let sums: [([Double], Double)] = [
        ([], 0), ([-0.0], 0), ([0.1, 0.2, 0.3], 0.6), ([0.3, 0.2, 0.1], 0.6),
        ([0.1, 0.2, -0.3], 0x1p-55), ([1e300, 1, -1e300], 1), ([1e16, 1, 1], 1e16 + 2),
        ([1, 1e16, 1], 1e16 + 2), ([0x1p53, 1], 0x1p53), ([0x1p53, 1, 0x1p-1074], 0x1p53 + 2),
        ([0x1p53 + 2, 1], 0x1p53 + 4), ([0x1p53 + 2, 1, -0x1p-1074], 0x1p53 + 2),
        ([-0x1p53, -1, -0x1p-1074], -0x1p53 - 2), ([0x1p-1074, 0x1p-1074], 0x1p-1073),
        ([0x1p-1022, -0x1p-1074], 0x1p-1022 - 0x1p-1074), ([0x1p-1074, 1, -1], 0x1p-1074),
        ([.greatestFiniteMagnitude, .greatestFiniteMagnitude], .infinity),
        (
            [.greatestFiniteMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude],
            .greatestFiniteMagnitude
        ),
        ([-.greatestFiniteMagnitude, -.greatestFiniteMagnitude], -.infinity),
        ([.infinity, 1], .infinity), ([1, -.infinity], -.infinity), ([5, -5, 0.5], 0.5),
        ([1e-300, 1e300, 1e-300, -1e300], 2e-300),
    ]

    @Test(arguments: sums)
    func the_sum_is_rounded_once(numbers: [Double], wanted: Double) {
        #expect(sum(numbers) == wanted)
        #expect(sum(numbers.reversed()) == wanted)
        #expect(sum(numbers.map { -$0 }) == -wanted)
    }

    @Test func what_is_no_number_stays_so() {
        #expect(sum([.infinity, -.infinity]).isNaN)
        #expect(sum([1, .nan, 2]).isNaN)
        #expect(sum([.nan]).isNaN)
    }

    @Test func many_of_a_number_are_as_adding_it_many_times() {
        for number in [0.1, -0x3p-1070, 1e308, 5, 0x1p-1074, -7.25] {
            var (many, single) = (ExactSum(), ExactSum())
            many.add(1.5)
            many.add(number, times: 1_000)
            single.add(1.5)
            for _ in 0..<1_000 { single.add(number) }
            #expect(many.value == single.value, "\(number)")
        }
        var sum = ExactSum()
        sum.add(0.1, times: 10)
        #expect(sum.value == 1)
        sum.add(1, times: 1 << 48)
        #expect(sum.value == 281_474_976_710_657)
    }

    @Test func integers_count_as_well() {
        var sum = ExactSum()
        sum.add(Int128(Int64.max))
        sum.add(0.5)
        sum.add(-Int128(Int64.max))
        #expect(sum.value == 0.5)
        sum.add(Int128(1) << 100)
        #expect(sum.value == 0x1p100)
    }

    /// Numbers of a few bits are summed by integers of twice the width, in units of 2⁻⁶⁰.
    @Test func sums_agree_with_integers() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            var (numbers, units): ([Double], Int128) = ([], 0)
            for _ in 0..<Int.random(in: 1...60, using: &generator) {
                let integer = Int64.random(in: -(1 << 52)...1 << 52, using: &generator)
                let shift = Int.random(in: 0...60, using: &generator)
                numbers.append(
                    Double(integer) * Double(sign: .plus, exponent: shift - 60, significand: 1))
                units += Int128(integer) << Int128(shift)
            }
            let wanted = Double(units) * 0x1p-60
            #expect(sum(numbers) == wanted, "\(numbers)")
            #expect(sum(numbers.shuffled()) == wanted, "\(numbers)")
        }
    }

    @Test(arguments: [
        ("sum(0.1, 0.2, 0.3)", Value.double(0.6)),
        ("sum(9223372036854775807, 1)", .double(0x1p63)),
        ("sum(9223372036854775807, 1, -1)", .integer64(9_223_372_036_854_775_807)),
        ("sum(1, 1.0E16, 1)", .double(1e16 + 2)),
    ])
    func aggregates_sum_so(text: String, wanted: Value) throws {
        let sum = try Expression(format: text).value(with: TestSubject.player)
        #expect(sum.scalar == wanted)
    }
}
