// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _TestSupport

@testable import Predicates

/// Texts that are compared without Foundation have the order that Foundation gives them.
@Suite struct PlainCollationTests {
    private static let printable = (0x20...0x7E).map { String(UnicodeScalar($0)) }
    private static let alphabets: [[String]] = [
        printable, "abcdehijlnsyzABCHZ".map(String.init), "a b-1203A9".map(String.init),
        ["a", "b", "1", "0", "10", "é", "ä", "\u{301}", "A", " ", "z", "\t", "\u{1}"],
    ]
    private static let options: [String.CompareOptions] = [
        [], .caseInsensitive, [.caseInsensitive, .numeric, .widthInsensitive, .forcedOrdering],
    ]

    @Test(arguments: PlainCollation.languages + ["en_US", "en_001", "de_AT", "fr_CA", "zh_TW"])
    func order_is_that_of_foundation(_ identifier: String) {
        #expect(PlainCollation.isUsual(identifier))
        let locale = Locale(identifier: identifier)
        var generator = SplitMix64(state: 7)
        var told = 0
        func word(_ alphabet: [String]) -> String {
            (0..<Int.random(in: 0...8, using: &generator))
                .map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] }
                .joined()
        }
        for round in 0..<4000 {
            let alphabet = Self.alphabets[round % Self.alphabets.count]
            let start = round % 3 == 0 ? word(alphabet) : ""
            let (left, right) = (start + word(alphabet), start + word(alphabet))
            for options in Self.options {
                let ordering = PlainCollation.compare(
                    left, right, isNumeric: options.contains(.numeric))
                guard let ordering else { continue }
                told += 1
                let foundation = left.compare(right, options: options, range: nil, locale: locale)
                #expect(ordering == Ordering(foundation), "\(left), \(right) in \(identifier)")
            }
        }
        // A text that is a mix of all is not told.
        #expect(told > 6000)
    }

    @Test func other_locales_are_left_to_foundation() {
        let others = [
            "", "da_DK", "cs", "en_US_POSIX", "de@collation=phonebook",
            "es_ES@collation=traditional",
            "english", "en-US", "e", "zh_Hant_TW",
        ]
        for identifier in others { #expect(!PlainCollation.isUsual(identifier)) }
    }

    @Test(arguments: [
        ("a", "B", Ordering.ascending), ("Volume 10", "volume 9", .descending),
        ("9", "10", .ascending), ("a 1", "a1", .ascending), ("a1", "a", .descending),
        ("1.10", "1.9", .descending), ("x99y", "x99z", .ascending), ("12", "1a", .descending),
    ])
    func numbers_count(_ left: String, _ right: String, _ ordering: Ordering) {
        #expect(PlainCollation.compare(left, right, isNumeric: true) == ordering)
        #expect(SortOrder.Collation.localizedStandard.compare(left, right) == ordering)
    }

    @Test func what_only_foundation_can_tell_is_not_told() {
        for (left, right) in [
            ("a", "A"), ("a", "a"), ("", ""), ("é", "f"), ("a", "b\u{301}"), ("01", "1"),
            ("\u{1}", "a"),
            ("a\u{1}", "b"),
        ] {
            #expect(PlainCollation.compare(left, right, isNumeric: true) == nil)
        }
    }
}
