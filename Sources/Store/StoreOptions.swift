// SPDX-License-Identifier: Apache-2.0

import RecordFormat

/// How a store is opened.
public struct StoreOptions: Sendable, Hashable {
    /// What a commit promises when the power fails.
    public enum Durability: Sendable, Hashable {
        /// A committed save is on the disk.
        case full
        /// The file stays consistent; the last saves may be lost.
        case relaxed
        /// Nothing is promised until a sync: for files that are built and then renamed into place.
        case none
    }

    /// What is checked of a file before it is used.
    ///
    /// LMDB trusts the pages of its files: reading a damaged one may crash the process.
    public enum Verification: Sendable, Hashable {
        /// Nothing but the header and the size.
        case none
        /// The pages, if the machine went down while a process wrote to the file without syncs.
        case afterCrash
        /// The pages.
        case pages
        /// The pages and all that lies in them: each checksum, that indexes have the entries that
        /// the records ask for, and that relationships agree with their inverses.
        case records
    }

    /// What happens to a file whose model has other versions of the entities.
    public enum Migration: Sendable, Hashable {
        /// It is refused.
        case off
        /// It is migrated in place, by a mapping that is inferred: see ``Schema/SchemaMapping``.
        ///
        /// If values, links or objects would be lost, it is refused.
        case inferred
        /// It is migrated so, and loses what the given model does not have.
        case inferredWithLosses
    }

    /// Whether writes are refused.
    public var isReadOnly = false
    /// Whether a missing file is created.
    public var createsIfMissing = true
    /// What a commit promises.
    public var durability = Durability.full
    /// What is checked of the file before it is used.
    public var verification = Verification.afterCrash
    /// Whether the file may lie on a network file system, where LMDB's locks may not work.
    public var allowsNetworkFileSystem = false
    /// The size of the memory map at first, in bytes; `nil` for hundreds of GiB of address space.
    public var initialMapSizeBytes: Int?
    /// A limit on the size of the file, in bytes; `nil` for none.
    ///
    /// A write that would pass it fails; one that says `mayUseReserve` has a sixteenth more.
    public var sizeLimitBytes: Int?
    /// Whether indexes that the model does not have are dropped.
    ///
    /// Otherwise they stay: another program may use the file with a model that has them, and would
    /// build them anew each time.
    public var dropsIndexes = false
    /// What happens to a file whose model has other versions of the entities than the given one.
    ///
    /// A migration is one transaction: it happens wholly, or the file keeps its model and objects.
    /// Other programs that have the file open have to open it again with the new model.
    public var migration = Migration.off
    /// What to write into the history; `nil` for none.
    ///
    /// A file that has a history once is read-only without this: writers have to go on with it.
    public var history: HistoryOptions?

    /// The format version that a new file gets, at least; older ones are for tests.
    package var newFileVersion = FormatVersion.ofNewFiles

    /// Makes the default options: read and write, create, full durability.
    public init() {}
}
