// SPDX-License-Identifier: Apache-2.0

import Predicates
import Testing

struct LikePatternTests {
    static let table: [(String, String, Bool)] = [
        ("", "", true), ("", "a", false), ("*", "", true), ("*", "abc", true), ("?", "", false),
        ("?", "é", true), ("?", "👩", true), ("??", "e\u{301}", true), ("a?c", "abc", true),
        ("a?c", "aéc", true), ("a?c", "ac", false), ("a*c", "ac", true), ("a*c", "abbbc", true),
        ("a*c", "abbbd", false), ("*b*", "abc", true), ("*b*", "ac", false), ("**", "x", true),
        ("a*b*c", "aXbYbZc", true), ("*abab", "abababab", true), ("*é", "aé", true),
        ("*?é", "éé", true), ("\\*", "*", true), ("\\*", "a", false), ("\\?", "?", true),
        ("\\\\", "\\", true), ("a\\", "a\\", true), ("\\a", "a", true), ("ABC", "abc", false),
        ("a.c", "abc", false), ("[a]", "a", false), ("*?", "", false), ("?*?", "ab", true),
    ]

    @Test(arguments: table)
    func matches(_ pattern: String, _ text: String, _ expected: Bool) throws {
        #expect(try LikePattern(pattern).matches(text) == expected)
    }

    @Test func folds() throws {
        let pattern = LikePattern("ÉR*", options: [.caseInsensitive, .diacriticInsensitive])
        #expect(try pattern.matches("eric"))
        #expect(try pattern.matches("Érié"))
        #expect(try !pattern.matches("aeric"))
    }

    @Test func prefixes() throws {
        #expect(LikePattern("ab*").literalPrefix == Array("ab".utf8))
        #expect(LikePattern("ab*").isPrefixPattern)
        #expect(!LikePattern("ab").isPrefixPattern)
        #expect(!LikePattern("a?*").isPrefixPattern)
        #expect(LikePattern("a?*").literalPrefix == Array("a".utf8))
        #expect(LikePattern("\\**").literalPrefix == Array("*".utf8))
        #expect(LikePattern("*a").literalPrefix.isEmpty)
    }

    @Test func bytesAsTheyAre() throws {
        let pattern = LikePattern("a*c")
        #expect(try Array("abc".utf8).withUnsafeBytes { try pattern.matches(utf8: $0) })
        #expect(try ![UInt8]().withUnsafeBytes { try pattern.matches(utf8: $0) })
        // A truncated sequence is matched as far as it goes.
        #expect(try ![0xF0].withUnsafeBytes { try LikePattern("?").matches(utf8: $0) })
    }

    @Test func hostilePatternsEnd() throws {
        let text = String(repeating: "a", count: 3_000)
        let pattern = LikePattern(String(repeating: "*a", count: 300) + "b")
        #expect(try !pattern.matches(text))
    }

    @Test func agreesWithABacktrackingMatcher() throws {
        for seed in UInt64(1)...2_000 {
            var maker = TreeMaker(seed: seed)
            let pattern = (0..<maker.below(7)).map { _ in maker.pick(["a", "b", "*", "?", "é"]) }
                .joined()
            let text = (0..<maker.below(8)).map { _ in maker.pick(["a", "b", "é"]) }.joined()
            let expected = slow(Array(pattern)[...], Array(text)[...])
            #expect(
                try LikePattern(pattern).matches(text) == expected,
                "seed \(seed): \(pattern) \(text)")
        }
    }

    private func slow(_ pattern: ArraySlice<Character>, _ text: ArraySlice<Character>) -> Bool {
        guard let first = pattern.first else { return text.isEmpty }
        if first == "*" {
            return slow(pattern.dropFirst(), text)
                || !text.isEmpty && slow(pattern, text.dropFirst())
        }
        guard let head = text.first, first == "?" || first == head else { return false }
        return slow(pattern.dropFirst(), text.dropFirst())
    }
}
