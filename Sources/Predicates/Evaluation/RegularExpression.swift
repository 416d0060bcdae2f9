// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The pattern of `MATCHES`, ready to match.
///
/// The syntax is ICU's, as in `NSRegularExpression`. As a pattern of nested repetitions would take
/// exponential time on some text, a search ends with an error after a number of steps.
public struct RegularExpression: Sendable {
    private let expression: NSRegularExpression
    /// The beginning of the pattern, for errors.
    private let excerpt: String
    private let folding: ComparisonOptions

    /// Makes a pattern.
    ///
    /// - Throws: ``PredicateEvaluationError`` with code `invalidPattern`.
    public init(
        _ pattern: String, options: ComparisonOptions = []
    ) throws(PredicateEvaluationError) {
        // Case is left to the expression: folding the pattern would change \D to \d.
        let ignoresCase = options.foldsText && options.contains(.caseInsensitive)
        folding = options.foldsText ? options.intersection(.diacriticInsensitive) : []
        let folded = TextFolding.fold(pattern, folding)
        excerpt = String(pattern.prefix(80))
        do {
            // First checked by itself, so that parentheses around `a)|(b` do not make it valid. An
            // empty pattern, which would be refused by itself, matches the empty text.
            if !folded.isEmpty { _ = try NSRegularExpression(pattern: folded) }
            expression = try NSRegularExpression(
                pattern: "\\A(?:\(folded))\\z", options: ignoresCase ? .caseInsensitive : [])
        } catch {
            throw PredicateEvaluationError(
                code: .invalidPattern,
                message: "the regular expression “\(excerpt)” of MATCHES is invalid; "
                    + "write a pattern in ICU syntax")
        }
    }

    /// Whether the whole text matches.
    ///
    /// - Throws: ``PredicateEvaluationError`` with code `tooManySteps`.
    public func matches(_ text: String) throws(PredicateEvaluationError) -> Bool {
        try matches(text, nil)
    }

    /// As ``matches(_:)``, with an allowance for many texts.
    func matches(
        _ text: String, _ allowance: SearchAllowance?
    ) throws(PredicateEvaluationError) -> Bool {
        let folded = TextFolding.fold(text, folding)
        let range = NSRange(location: 0, length: folded.utf16.count)
        let own = RegularExpression.leastReports + range.length / 1000
        let budget = allowance.map { min(own, $0.grant(characters: range.length)) } ?? own
        var reports = 0
        defer { allowance?.spend(reports) }
        var isFound = false
        var isGivenUp = false
        // ICU reports its progress every ten thousand steps, and its end: with an error where the
        // search has used up its memory.
        expression.enumerateMatches(
            in: folded, options: [.reportProgress, .reportCompletion], range: range
        ) { result, flags, stop in
            if result != nil {
                isFound = true
                stop.pointee = true
            } else if flags.contains(.internalError) {
                isGivenUp = true
            } else if flags.contains(.progress) {
                reports += 1
                guard reports > budget else { return }
                isGivenUp = true
                stop.pointee = true
            }
        }
        guard isFound || !isGivenUp else { throw endless(isAlone: budget == own) }
        return isFound
    }

    /// How many reports of progress a search may make, and one more for each thousand characters:
    /// some tenths of a second.
    private static let leastReports = 1000

    /// - Parameter isAlone: Whether one text has taken too many steps, rather than all of them.
    private func endless(isAlone: Bool) -> PredicateEvaluationError {
        PredicateEvaluationError(
            code: .tooManySteps,
            message: "the regular expression “\(excerpt)” of MATCHES takes too many steps on "
                + (isAlone ? "a text" : "the texts of a fetch")
                + "; write it without repetitions inside of repetitions, such as (a+)+")
    }
}
