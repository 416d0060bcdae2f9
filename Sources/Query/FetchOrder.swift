// SPDX-License-Identifier: Apache-2.0

/// How a plan brings its results into order.
enum FetchOrder: Sendable {
    /// Any order: as they come.
    case none
    /// The source yields them in order.
    case source(isReversed: Bool, [SortPath])
    /// They are collected and sorted.
    case memory([SortPath])
}
