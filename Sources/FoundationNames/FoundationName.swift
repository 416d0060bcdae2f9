// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A type of Foundation that Linux marks as deprecated, reached without its name.
///
/// Each use of such a name is a warning. A function that is deprecated itself may use it, and the
/// associated type that the compiler infers from that function is not deprecated. The names have a
/// target of their own because a type alias can be extended only if another module made it.
public protocol FoundationName {
    /// The type.
    associatedtype Named
    /// Says what the type is; always nil.
    static func stated() -> Named?
}

/// Foundation's class `NSExpression`.
public enum ExpressionName: FoundationName {
    /// Says what the type is; always nil.
    @available(*, deprecated)
    public static func stated() -> NSExpression? { nil }
}

/// Foundation's `NSExpression.ExpressionType`.
public enum ExpressionTypeName: FoundationName {
    /// Says what the type is; always nil.
    @available(*, deprecated)
    public static func stated() -> NSExpression.ExpressionType? { nil }
}

/// Foundation's class `NSComparisonPredicate`.
public enum ComparisonPredicateName: FoundationName {
    /// Says what the type is; always nil.
    @available(*, deprecated)
    public static func stated() -> NSComparisonPredicate? { nil }
}
