// SPDX-License-Identifier: Apache-2.0

import Foundation

extension PredicateExpressions {
    /// How a text stands to another, without regard to case.
    ///
    /// Foundation lacks it on Linux; the macro `#Predicate` finds it by the name of
    /// ``build_caseInsensitiveCompare(_:_:)``.
    public struct StringCaseInsensitiveCompare<
        Root: PredicateExpression, Other: PredicateExpression
    >: PredicateExpression where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The first text.
        public let root: Root
        /// The second text.
        public let other: Other

        /// Makes the expression.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// How the first text stands to the second.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            try root.evaluate(bindings).caseInsensitiveCompare(other.evaluate(bindings))
        }
    }

    /// What the macro `#Predicate` makes of `caseInsensitiveCompare(_:)`.
    public static func build_caseInsensitiveCompare<
        Root: PredicateExpression, Other: PredicateExpression
    >(_ root: Root, _ other: Other) -> StringCaseInsensitiveCompare<Root, Other>
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        StringCaseInsensitiveCompare(root: root, other: other)
    }

    /// How a text stands to another in the current locale.
    ///
    /// Foundation lacks it on Linux; the macro `#Predicate` finds it by the name of
    /// ``build_localizedCompare(_:_:)``.
    public struct StringLocalizedCompare<
        Root: PredicateExpression, Other: PredicateExpression
    >: PredicateExpression where Root.Output: StringProtocol, Other.Output: StringProtocol {
        /// The first text.
        public let root: Root
        /// The second text.
        public let other: Other

        /// Makes the expression.
        public init(root: Root, other: Other) {
            self.root = root
            self.other = other
        }

        /// How the first text stands to the second.
        public func evaluate(_ bindings: PredicateBindings) throws -> ComparisonResult {
            try root.evaluate(bindings).localizedCompare(other.evaluate(bindings))
        }
    }

    /// What the macro `#Predicate` makes of `localizedCompare(_:)`.
    public static func build_localizedCompare<
        Root: PredicateExpression, Other: PredicateExpression
    >(_ root: Root, _ other: Other) -> StringLocalizedCompare<Root, Other>
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
        StringLocalizedCompare(root: root, other: other)
    }
}

extension PredicateExpressions.StringCaseInsensitiveCompare: Codable
where Root: Codable, Other: Codable {}

extension PredicateExpressions.StringCaseInsensitiveCompare: Sendable
where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.StringCaseInsensitiveCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

extension PredicateExpressions.StringLocalizedCompare: Codable
where Root: Codable, Other: Codable {}

extension PredicateExpressions.StringLocalizedCompare: Sendable
where Root: Sendable, Other: Sendable {}

extension PredicateExpressions.StringLocalizedCompare: StandardPredicateExpression
where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}
