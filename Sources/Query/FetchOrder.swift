// SPDX-License-Identifier: Apache-2.0

/// How a plan brings its results into order.
enum FetchOrder: Sendable {
    /// Any order: as they come.
    case none
    /// The source yields them in order, or in that of the leading criteria: then neighbours that
    /// are equal in these are sorted.
    case source(isReversed: Bool, [SortPath], leading: LeadingOrder?)
    /// They are collected and sorted.
    case memory([SortPath])
}

/// The part of an order that an index has.
struct LeadingOrder: Sendable {
    /// How many of the criteria the index answers.
    let criteriaCount: Int
    /// How many properties of the index stand for them, with those that are fixed to one value.
    let propertyCount: Int
}
