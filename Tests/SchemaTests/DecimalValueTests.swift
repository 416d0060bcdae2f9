// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing
import _TestSupport

private func decimal(
    _ significand: UInt128, _ exponent: Int16, _ isNegative: Bool = false
) -> DecimalValue {
    DecimalValue(significand: significand, exponent: exponent, isNegative: isNegative)
}

@Suite struct DecimalValueTests {
    @Test func numbersAreNormalised() {
        #expect(decimal(1200, -1) == decimal(12, 1))
        #expect(decimal(0, 7, true) == decimal(0, 0))
        #expect(!decimal(0, 0, true).isNegative)
        #expect(decimal(10, .max).exponent == .max)
        #expect(decimal(10, .max).significand == 10)
        #expect(decimal(10, .min) == decimal(1, .min + 1))
        #expect(decimal(UInt128.max, 0).digitCount == 39)
    }

    @Test(arguments: [
        ("0", "0"), ("-0", "0"), ("+7", "7"), ("007", "7"), ("1.50", "1.5"), (".5", "0.5"),
        ("5.", "5"), ("-0.05", "-0.05"), ("1e3", "1000"), ("1E+3", "1000"), ("12e-1", "1.2"),
        ("1200", "1200"), ("-1200.0034", "-1200.0034"), ("0e99", "0"),
        (
            "99999999999999999999999999999999999999",
            "99999999999999999999999999999999999999"
        ),
        (
            "0.00000000000000000000000000000000000001",
            "0.00000000000000000000000000000000000001"
        ),
    ])
    func parsingAndPrinting(text: String, printed: String) throws {
        let number = try #require(DecimalValue(text))
        #expect(number.description == printed)
        #expect(DecimalValue(number.description) == number)
    }

    @Test(arguments: [
        "", "-", "+", ".", "e5", "1e", "1e+", "1e5.5", "--1", "1-", "1.2.3", " 1", "1 ", "0x10",
        "abc", "1e40000", "1e-40000", "1e9223372036854775807", "0.1e-9223372036854775808",
        "1e99999999999999999999", "9999999999999999999999999999999999999999",
        "٣",
    ])
    func textThatIsNoNumber(text: String) {
        #expect(DecimalValue(text) == nil)
    }

    @Test func orderIsNumeric() throws {
        let texts = [
            "-1e300", "-1000", "-1.5", "-1.49", "-1", "-0.5", "-1e-300", "0", "1e-300", "0.049",
            "0.05", "0.5", "1", "1.49", "1.5", "9", "10", "11", "99.9", "100", "1e300",
        ]
        let numbers = try texts.map { try #require(DecimalValue($0)) }
        for (left, number) in numbers.enumerated() {
            for (right, other) in numbers.enumerated() {
                #expect((number < other) == (left < right), "\(texts[left]) < \(texts[right])")
            }
        }
    }

    @Test func digitsAndMagnitude() throws {
        let number = try #require(DecimalValue("-120.34"))
        #expect(number.digits == [1, 2, 0, 3, 4])
        #expect(number.magnitude == 3)
        #expect(DecimalValue("0.01")?.magnitude == -1)
        #expect(decimal(0, 0).magnitude == Int.min)
        #expect(decimal(0, 0).digits == [])
    }

    @Test func randomNumbersPrintAndParse() throws {
        var random = SeededGenerator(seed: 11)
        for _ in 0..<500 {
            let number = decimal(
                UInt128.random(in: 0..<10_000_000_000_000, using: &random),
                Int16.random(in: -20...20, using: &random), random.chance(0.5))
            #expect(DecimalValue(number.description) == number, "seed \(random.seed)")
        }
    }
}
