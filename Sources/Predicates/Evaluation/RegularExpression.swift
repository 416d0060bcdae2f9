// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The pattern of `MATCHES`, ready to match.
///
/// The syntax is ICU's, as in `NSRegularExpression`. A pattern of nested repetitions can take
/// exponential time on some text; patterns of untrusted origin are better not used.
public struct RegularExpression: Sendable {
    private let expression: NSRegularExpression
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
        do {
            // By itself first, so that `a)|(b` is not made valid by the parentheses around it.
            // An empty one, which is refused by itself, matches the empty text.
            if !folded.isEmpty { _ = try NSRegularExpression(pattern: folded) }
            expression = try NSRegularExpression(
                pattern: "\\A(?:\(folded))\\z", options: ignoresCase ? .caseInsensitive : [])
        } catch {
            throw PredicateEvaluationError(
                code: .invalidPattern,
                message: "the regular expression “\(pattern.prefix(80))” of MATCHES is invalid; "
                    + "write a pattern in ICU syntax")
        }
    }

    /// Whether the whole text matches.
    public func matches(_ text: String) -> Bool {
        let folded = TextFolding.fold(text, folding)
        let range = NSRange(location: 0, length: folded.utf16.count)
        return expression.firstMatch(in: folded, range: range) != nil
    }
}
