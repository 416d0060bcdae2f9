// SPDX-License-Identifier: Apache-2.0

/// How much space a store takes, and for what.
public struct StoreStatistics: Sendable, Hashable {
    /// The size of a page, in bytes; everything takes whole pages.
    public let pageSizeBytes: Int
    /// The size of the file.
    public let fileSizeBytes: Int
    /// The tables: entities with their relationships and indexes in model order, then the others.
    public let tables: [TableStatistics]

    /// The size of all tables.
    public var tableBytes: Int { tables.reduce(0) { $0 + $1.bytes } }

    /// The rest of the file: free pages, and LMDB's own.
    public var otherBytes: Int { max(0, fileSizeBytes - tableBytes) }
}

/// The size and shape of one table of a store.
public struct TableStatistics: Sendable, Hashable {
    /// What a table holds.
    public enum Kind: String, Sendable, Hashable {
        /// The records of one entity, without those of entities that inherit from it.
        case objects
        /// One direction of a relationship.
        case links
        /// The entries of an index or of a uniqueness constraint.
        case index
        /// Values that are kept outside their records.
        case largeValues
        /// The data objects of game objects, or the owners of data objects.
        case components
        /// Chunks of value components.
        case columns
        /// What transactions changed.
        case history
        /// The model and the numbers of its names.
        case catalog
    }

    /// What the table holds.
    public let kind: Kind
    /// The entity that has the table; `nil` for those that serve all.
    public let entity: String?
    /// The name of the relationship, index or database; `nil` for an entity's objects.
    public let name: String?
    /// The number of entries: objects, pairs of objects, or chunks of values.
    public let entries: Int
    /// The number of pages.
    public let pages: Int
    /// The number of pages from the root to an entry; 0 for an empty table.
    public let depth: Int
    /// The size of all pages.
    public let bytes: Int
}
