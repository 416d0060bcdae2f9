// SPDX-License-Identifier: Apache-2.0

/// The size and shape of one database's tree.
public struct DatabaseStatistics: Sendable, Equatable {
    /// The size of a page, in bytes.
    public let pageSizeBytes: Int
    /// The number of levels of the tree.
    public let depth: Int
    /// The number of inner pages.
    public let branchPages: Int
    /// The number of pages that hold entries.
    public let leafPages: Int
    /// The number of pages that hold large values.
    public let overflowPages: Int
    /// The number of entries; each value of a `dupSort` key counts.
    public let entries: Int

    /// The size of all its pages, in bytes.
    public var bytes: Int {
        (branchPages + leafPages + overflowPages) * pageSizeBytes
    }
}
