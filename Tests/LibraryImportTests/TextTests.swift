// SPDX-License-Identifier: Apache-2.0

import LibraryImport
import Schema
import Testing
import _TestSupport

private func bytes(_ text: String) -> ArraySlice<UInt8> {
    // A slice that does not start at 0, as those of a row do not.
    Array(("??" + text).utf8)[2...]
}

@Suite struct ISODateTests {
    @Test(
        arguments: [
            ("2001-01-01", 0), ("2000-12-31", -86_400), ("2009-01-01T00:00:00", 252_460_800),
            ("1962-02-18T00:00:00", -1_226_620_800), ("2000-02-29T12:30:45Z", -26_479_755),
            ("1900-03-01", -3_182_198_400), ("0001-01-01", -63_113_904_000),
            ("9999-12-31 23:59:59", 252_423_993_599), ("1600-02-29", -12_649_305_600),
            ("2100-03-01", 3_129_235_200), ("2014-12-20T19:49:45.256Z", 440_797_785.256),
            ("2014-12-20t19:49:45,5z", 440_797_785.5), ("2001-01-01T00:00", 0),
            ("2001-01-01T00:00:00.1234567899999", 0.123456789), ("2001-01-01T02:00:00+02:00", 0),
            ("2001-01-01T02:30:00+0230", 0), ("2000-12-31T19:00-05", 0),
            ("2001-01-01T00:00:60", 60),
        ] as [(String, Double)])
    func reads(text: String, seconds: Double) {
        #expect(ISODate.seconds(bytes(text)) == seconds)
        #expect(ISODate.isPlausible(bytes(text)))
    }

    @Test(arguments: [
        "", "2001", "2001-01", "2001-1-01", "2001-13-01", "2001-00-01", "2001-02-29",
        "1900-02-29", "2001-04-31", "2001-01-00", "2001-01-32", "2001/01/01", "20010101",
        "2001-01-01T", "2001-01-01X00:00", "2001-01-01T24:00", "2001-01-01T00:60",
        "2001-01-01T00:00:61", "2001-01-01T00:00:00.", "2001-01-01T00:00:00.Z",
        "2001-01-01T00:00:00+", "2001-01-01T00:00:00+24:00", "2001-01-01T00:00:00+01:60",
        "2001-01-01T00:00:00Zx", "2001-01-01 ", "2001-01-01T00:00:00+01:0", "-001-01-01",
        "2001-01-01T0:00:00", "2001-01-01T00",
    ])
    func refuses(text: String) {
        #expect(ISODate.seconds(bytes(text)) == nil)
    }

    /// Every day of four centuries is one day after the day before.
    @Test func countsDays() {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        var expected = -146_097.0 * 86_400
        for year in 1601...2010 {
            for month in 1...12 {
                let isLeap = year % 400 == 0 || year % 4 == 0 && year % 100 != 0
                for day in 1...lengths[month - 1] + (month == 2 && isLeap ? 1 : 0) {
                    let text = [year, month, day].map { ($0 < 10 ? "0" : "") + "\($0)" }
                    let seconds = ISODate.seconds(bytes(text.joined(separator: "-")))
                    if seconds != expected { Issue.record("\(text): \(seconds ?? .nan)") }
                    expected += 86_400
                }
            }
        }
    }
}

@Suite struct NumeralTests {
    @Test(
        arguments: [
            ("0", .integer(0)), ("-0", .integer(0)), ("42", .integer(42)), ("-7", .integer(-7)),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .bigInteger), ("99999999999999999999999", .bigInteger),
            ("0.5", .fraction), ("-1.25", .fraction), ("1e5", .fraction), ("1.5E-3", .fraction),
            ("10.0e+1", .fraction), ("", nil), ("-", nil), ("+1", nil), ("007", nil), ("00", nil),
            ("01.5", nil), (".5", nil), ("1.", nil), ("1e", nil), ("1e+", nil), ("1.5x", nil),
            ("1 ", nil), (" 1", nil), ("0x1F", nil), ("1,5", nil), ("inf", nil), ("nan", nil),
            ("1.2.3", nil), ("555-1234", nil), ("-00", nil),
        ] as [(String, Numeral?)])
    func classifies(text: String, expected: Numeral?) {
        #expect(Numeral(bytes(text)) == expected)
    }

    @Test(arguments: [
        "0.99", "1.98", "-0.1", "123456.789", "0.1234567890123", "9007199254740993.5", "1e22",
        "2.2250738585072014e-308", "5e-324", "1.7976931348623157e308", "-0.0", "3.14159265358979",
        "12345678901234.5", "99999999999999.9",
    ])
    func readsDoublesLikeTheStandardLibrary(text: String) {
        #expect(Numeral.double(bytes(text))?.bitPattern == Double(text)?.bitPattern)
    }

    @Test func readsRandomDecimalsLikeTheStandardLibrary() {
        var generator = SeededGenerator(seed: 7)
        for _ in 0..<5000 {
            let digits = String(UInt64.random(in: 0..<1_000_000_000_000_000, using: &generator))
            let point = Int.random(in: 1...digits.count, using: &generator)
            let text = digits.prefix(point) + "." + digits.dropFirst(point) + "5"
            let value = Numeral.double(bytes(String(text)))
            #expect(value == Double(text), "seed 7: \(text)")
        }
    }

    @Test func refusesDoublesOutOfRange() {
        #expect(Numeral.double(bytes("1e999")) == nil)
        #expect(Numeral.double(bytes("-1e999")) == nil)
    }

    @Test func readsDecimals() {
        #expect(Numeral.decimal(bytes("0.99"))?.description == "0.99")
        #expect(
            Numeral.decimal(bytes("18446744073709551616"))?.description == "18446744073709551616")
        #expect(Numeral.decimal(bytes("1.5e3"))?.description == "1500")
        #expect(Numeral.decimal(bytes("1.5e-9223372036854775808")) == nil)
        #expect(Numeral.decimal(bytes(String(repeating: "9", count: 50))) == nil)
    }
}

@Suite struct OtherTextTests {
    @Test func readsUUIDs() {
        let text = "550e8400-E29B-41d4-a716-446655440000"
        #expect(UUIDText.value(bytes(text)) == UUIDValue(text))
        for wrong in [
            "", "550e8400e29b41d4a716446655440000", "550e8400-e29b-41d4-a716-44665544000",
            "550e8400-e29b-41d4-a716-44665544000g", "550e8400-e29b-41d4-a7160446655440000",
        ] {
            #expect(UUIDText.value(bytes(wrong)) == nil)
        }
    }

    @Test func readsBooleans() {
        #expect(BooleanText.value(bytes("true")) == true)
        #expect(BooleanText.value(bytes("FALSE")) == false)
        #expect(BooleanText.value(bytes("True")) == true)
        for wrong in ["", "yes", "tru", "truee", "1"] {
            #expect(BooleanText.value(bytes(wrong)) == nil)
        }
    }

    @Test(
        arguments: [
            ("", []), ("AA==", [0]), ("TWE=", [0x4D, 0x61]), ("TWFu", [0x4D, 0x61, 0x6E]),
            ("+/+/", [0xFB, 0xFF, 0xBF]), ("A", nil), ("AB==", nil), ("A===", nil), ("TW=u", nil),
            ("====", nil), ("TW u", nil),
        ] as [(String, [UInt8]?)])
    func readsBase64(text: String, expected: [UInt8]?) {
        #expect(Base64Text.bytes(bytes(text)) == expected)
    }

    @Test func iteratesNestedElements() {
        func elements(_ text: String) -> [NestedElements.Element]? {
            NestedElements(bytes(text)).map { iterator in
                var iterator = iterator
                var result: [NestedElements.Element] = []
                while let element = iterator.next() { result.append(element) }
                return result
            }
        }
        #expect(elements("[]") == [])
        #expect(elements("[1,-22,3]") == [.integer(1), .integer(-22), .integer(3)])
        #expect(
            elements(#"["a,b","\"\\\n\u001f",5]"#)
                == [.text(Array("a,b".utf8)), .text(Array("\"\\\n\u{1F}".utf8)), .integer(5)])
        #expect(elements("[1,2.5,3]") == [.integer(1), .other])
        #expect(elements("[[1],2]") == [.other])
        #expect(elements("{}") == nil)
    }

    @Test func groupsDigits() {
        #expect(
            [0, 12, 123, 1234, -15607, 1_000_000].map(\.grouped)
                == ["0", "12", "123", "1,234", "-15,607", "1,000,000"])
        #expect(1.counted("row") == "1 row")
        #expect(3503.counted("row") == "3,503 rows")
    }
}
