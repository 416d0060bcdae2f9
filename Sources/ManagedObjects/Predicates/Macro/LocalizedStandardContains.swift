// SPDX-License-Identifier: Apache-2.0

import Foundation

extension PredicateExpressions {
    /// Whether a text has a part, without regard to case and diacritics.
    ///
    /// Foundation lacks it on Linux; the macro `#Predicate` finds it by the name of
    /// ``build_localizedStandardContains(_:_:)``.
    public struct StringLocalizedStandardContains<
        Root: PredicateExpression, Other: PredicateExpression
    >: PredicateExpression where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The text.
        public let root: Root
        /// The part that is looked for.
        public let other: Other

        /// Makes the expression.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// Whether the text has the part.
        public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
            try root.evaluate(bindings).localizedStandardContains(other.evaluate(bindings))
        }
    }

    /// What the macro `#Predicate` makes of `localizedStandardContains(_:)`.
    public static func build_localizedStandardContains<
        Root: PredicateExpression, Other: PredicateExpression
    >(_ root: Root, _ other: Other) -> StringLocalizedStandardContains<Root, Other>
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        StringLocalizedStandardContains(root: root, other: other)
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: Codable
where Root: Codable, Other: Codable {}

extension PredicateExpressions.StringLocalizedStandardContains: Sendable
where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.StringLocalizedStandardContains: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
