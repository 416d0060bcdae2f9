// SPDX-License-Identifier: Apache-2.0

import FoundationNames
import Predicates

/// The tree of a predicate; Foundation has a `Predicate` of its own.
typealias PredicateTree = Predicates.Predicate
/// The tree of an expression; Foundation has an `Expression` of its own.
typealias ExpressionTree = Predicates.Expression
/// One key to sort by; Foundation has a `SortOrder` of its own.
typealias SortKey = Predicates.SortOrder

/// Foundation's class of expressions, which this module makes usable on Linux.
///
/// A file that imports Foundation by itself sees Foundation's warning that the class is deprecated
/// there; one that imports this module alone does not.
public typealias NSExpression = ExpressionName.Named

/// Foundation's class of comparisons, which this module makes usable on Linux; see
/// ``NSExpression``.
public typealias NSComparisonPredicate = ComparisonPredicateName.Named
