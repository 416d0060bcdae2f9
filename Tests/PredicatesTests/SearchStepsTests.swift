// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Predicates

/// How many steps searches of texts take, whatever is looked for.
@Suite struct SearchStepsTests {
    private func run(_ letter: String, _ count: Int) -> String {
        String(repeating: letter, count: count)
    }

    /// Whether a folded text matches, and in how many steps.
    private func match(_ pattern: LikePattern, _ text: String) throws -> (found: Bool, steps: Int) {
        var folded = TextFolding.fold(text, pattern.options)
        var steps = 0
        let found = try folded.withUTF8 {
            try pattern.matches(utf8: UnsafeRawBufferPointer($0), steps: &steps)
        }
        return (found, steps)
    }

    private static let options: [ComparisonOptions] = [
        [], .caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive],
        .normalized,
    ]

    @Test(arguments: options)
    func literalPartsOfPatternsAreFoundInLinearTime(options: ComparisonOptions) throws {
        let count = 1_000_000
        let text = run("a", count)
        for (tail, isThere) in [("b*", false), ("*", true)] {
            let pattern = LikePattern("*" + run("a", 100_000) + tail, options: options)
            let (found, steps) = try match(pattern, text)
            #expect(found == isThere)
            #expect(steps < 4 * count)
        }
        // Where texts repeat themselves with other letters in between.
        let waves = run(run("a", 99) + "é", 10_000)
        let pattern = LikePattern(
            "*" + run(run("a", 99) + "é", 500) + "c*" + run("a", 500) + "*", options: options)
        let (found, steps) = try match(pattern, waves)
        #expect(!found)
        #expect(steps < 5 * waves.utf8.count)
    }

    @Test func severalPartsAreFoundOneAfterTheOther() throws {
        let text = run(run("a", 50) + "b", 4_000)
        let (found, steps) = try match(
            LikePattern(run("*" + run("a", 50) + "ba", 4_000) + "*"), text)
        #expect(!found)
        #expect(steps < 5 * text.utf8.count)
        let all = try match(LikePattern(run("*" + run("a", 50) + "b", 4_000)), text)
        #expect(all.found)
        #expect(all.steps < 5 * text.utf8.count)
    }

    @Test(arguments: options)
    func placesForOneCharacterEndInAnErrorAtWorst(options: ComparisonOptions) throws {
        let text = run("a", 1_000_000)
        let pattern = LikePattern("*" + run("a", 50_000) + "?b*", options: options)
        let error = #expect(throws: PredicateEvaluationError.self) { try pattern.matches(text) }
        #expect(error?.code == .tooManySteps)
        #expect(error?.message.contains("LIKE") == true)
        var folded = TextFolding.fold(text, options)
        var steps = 0
        folded.withUTF8 { bytes in
            _ = try? pattern.matches(utf8: UnsafeRawBufferPointer(bytes), steps: &steps)
        }
        #expect(steps < 81 * text.utf8.count)
        // Of 63 characters it is an answer.
        #expect(try !LikePattern("*" + run("a", 61) + "?b*", options: options).matches(text))
        #expect(try LikePattern("*" + run("a", 61) + "?*", options: options).matches(text))
    }

    @Test func partsOfTextsAreFoundInLinearTime() {
        let text = Array(run("a", 1_000_000).utf8)
        let part = Array((run("a", 100_000) + "b").utf8)
        var steps = 0
        #expect(
            ByteSearch.position(of: part, in: text, 0..<text.count, steps: &steps) == nil)
        #expect(steps < 4 * text.count)
        steps = 0
        let small = ByteSearch.position(of: part, in: text, 0..<text.count, steps: &steps) {
            $0 &- 0x41 < 26 ? $0 | 0x20 : $0
        }
        #expect(small == nil && steps < 4 * text.count)
        #expect(!String(decoding: text, as: UTF8.self).containsBytes(of: run("a", 99_999) + "ba"))
        #expect((run("a", 9_999) + "ba").containsBytes(of: run("a", 999) + "ba"))
    }

    @Test(arguments: 1...400 as ClosedRange<UInt64>)
    func aPositionIsThatOfTheFirstOccurrence(seed: UInt64) {
        var maker = TreeMaker(seed: seed)
        let text = (0..<maker.below(400)).map { _ in UInt8(maker.below(5) == 0 ? 98 : 97) }
        let start = maker.below(text.count + 1)
        var part = (0..<maker.below(12)).map { _ in UInt8(maker.below(5) == 0 ? 98 : 97) }
        if maker.below(2) == 0, text.count > 100 {
            let from = maker.below(text.count - 60)
            part = Array(text[from..<from + 20 + maker.below(40)])
        }
        let wanted = (start...text.count).first { place in
            text.count - place >= part.count && text[place...].starts(with: part)
        }
        var steps = 0
        let found = ByteSearch.position(of: part, in: text, start..<text.count, steps: &steps)
        #expect(found == wanted, "\(part) in \(text) from \(start)")
        if !part.isEmpty, start < text.count {
            let linear = ByteSearch.linearPosition(
                of: part, in: text, start..<text.count, steps: &steps
            ) { $0 }
            #expect(linear == wanted, "\(part) in \(text) from \(start)")
        }
    }
}

/// What the regular expressions of one fetch may take in all.
@Suite struct SearchAllowanceTests {
    /// A pattern whose steps double with each letter, and a text for some hundred thousand.
    private static let pattern = "(a|a)*b"
    private static let text = String(repeating: "a", count: 15)

    private func relation(_ pattern: String) throws -> PreparedPredicate {
        try PreparedPredicate(
            Predicate(
                format: "name MATCHES %@",
                arguments: [
                    .operand(.value(.string(pattern)))
                ]))
    }

    @Test func costlyTextsUseTheAllowanceUp() throws {
        let expression = try RegularExpression(Self.pattern)
        #expect(try !expression.matches(Self.text))
        let allowance = SearchAllowance(reports: 100)
        var answers = 0
        let error = #expect(throws: PredicateEvaluationError.self) {
            while answers < 1000 {
                _ = try expression.matches(Self.text, allowance)
                answers += 1
            }
        }
        #expect(error?.code == .tooManySteps)
        #expect(error?.message.contains("the texts of a fetch") == true)
        #expect(1..<100 ~= answers)
        #expect(-1...1 ~= allowance.left)
        // What is cheap goes on.
        #expect(try RegularExpression("a+").matches(Self.text, allowance))
    }

    @Test(arguments: [".*b.*", "[A-Z]{2}\\d+", "(?:some|words|, )+", ".*o.*d.*", "\\w+@\\w+\\.org"])
    func ordinaryPatternsAddToIt(pattern: String) throws {
        let expression = try RegularExpression(pattern)
        let allowance = SearchAllowance(reports: 0)
        for _ in 0..<300 {
            _ = try expression.matches(String(repeating: "some words, ", count: 30), allowance)
        }
        // Each of the texts of 360 letters adds 4, of which a quadratic pattern needs some.
        #expect(allowance.left >= 300 && allowance.left <= 1200)
    }

    @Test func onlyThoseOfAFetchAreBound() throws {
        let subject = TestSubject(["name": .value(.string(Self.text))])
        let each = try relation(Self.pattern)
        for _ in 0..<20 { #expect(try !each.evaluate(with: subject)) }
        #expect(try !each.limited().evaluate(with: subject))
    }
}
