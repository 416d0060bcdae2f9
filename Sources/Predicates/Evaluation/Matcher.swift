// SPDX-License-Identifier: Apache-2.0

import Schema

/// What a comparison can compute from a constant right side before it sees an object.
enum Matcher: Sendable {
    /// Nothing; the right side is evaluated and compared.
    case none
    /// The whole text must match a pattern.
    case like(LikePattern)
    /// The whole text must match a regular expression.
    case regular(RegularExpression)
    /// The right side as folded text, for the operators that look for it.
    case text(String)
    /// The right side of `IN`.
    case set(ValueSet)
    /// The right side of `BETWEEN`.
    case bounds(Value, Value)

    init(_ comparison: Comparison) throws(PredicateEvaluationError) {
        self = .none
        switch (comparison.right.constantOperand, comparison.operator) {
        case (.value(let value), .like):
            if let text = value.text {
                self = .like(LikePattern(text, options: comparison.options))
            }
        case (.value(let value), .matches):
            if let text = value.text {
                self = .regular(try RegularExpression(text, options: comparison.options))
            }
        case (.value(let value), .beginsWith), (.value(let value), .endsWith),
            (.value(let value), .contains):
            if let text = value.text {
                self = .text(TextFolding.fold(text, comparison.options))
            }
        case (.list(let members), .in) where !comparison.options.contains(.localeSensitive):
            let values = members.compactMap { member in
                if case .value(let value) = member { value } else { nil }
            }
            if values.count == members.count {
                self = .set(ValueSet(values, options: comparison.options))
            }
        case (.list(let members), .between):
            if members.count == 2,
                case (.value(let low), .value(let high)) = (members[0], members[1])
            {
                self = .bounds(low, high)
            }
        default: break
        }
    }
}
