// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import Predicates

/// Regular expressions that would search for years.
@Suite struct HostilePatternTests {
    @Test(arguments: ["(a+)+$", "(a|a)*", "(a|aa)+$", "(.*a){30}", "((a*)*)*b", "(?:a?){60}a{60}"])
    func aSearchEndsWithAnError(pattern: String) throws {
        let expression = try RegularExpression(pattern)
        let text = String(repeating: "a", count: 59) + "c"
        let error = #expect(throws: PredicateEvaluationError.self) {
            _ = try expression.matches(text)
        }
        #expect(error?.code == .tooManySteps)
        #expect(error?.message.contains("“\(pattern)”") == true)
    }

    /// Where ICU runs out of memory the answer would be that nothing matches.
    @Test func aSearchThatNeedsTooMuchMemoryIsAnError() throws {
        let expression = try RegularExpression("(a|b)*")
        #expect(try expression.matches(String(repeating: "ab", count: 1000)))
        let error = #expect(throws: PredicateEvaluationError.self) {
            _ = try expression.matches(String(repeating: "ab", count: 5_000_000))
        }
        #expect(error?.code == .tooManySteps)
    }

    @Test func longTextsAreSearched() throws {
        let text = String(repeating: "some words, ", count: 200_000)
        #expect(try !RegularExpression(".*missing.*").matches(text))
        #expect(try RegularExpression("(?:some words, )+").matches(text))
        #expect(try RegularExpression("[^x]*").matches(text))
    }

    @Test(arguments: ["name MATCHES '(a+)+$'", "name MATCHES $p"])
    func aPredicateThrows(format: String) throws {
        let text = String(repeating: "a", count: 60) + "b"
        let subject = TestSubject(["name": .value(.string(text))])
        let error = #expect(throws: PredicateEvaluationError.self) {
            try Predicate(format: format).evaluate(
                with: subject, variables: ["p": .value(.string("(a|a)*"))])
        }
        #expect(error?.code == .tooManySteps)
    }
}
