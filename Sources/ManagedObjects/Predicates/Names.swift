// SPDX-License-Identifier: Apache-2.0

import Predicates

/// The tree of a predicate; Foundation has a `Predicate` of its own.
typealias PredicateTree = Predicates.Predicate
/// One key to sort by; Foundation has a `SortOrder` of its own.
typealias SortKey = Predicates.SortOrder
