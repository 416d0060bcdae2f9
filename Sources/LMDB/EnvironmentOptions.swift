// SPDX-License-Identifier: Apache-2.0

import Traps

/// How a data file is opened.
public struct EnvironmentOptions: Sendable, Equatable {
    /// The largest number of named databases.
    ///
    /// Every one of them that is open adds a little to the start of every
    /// transaction.
    public var maxDatabases = 256

    /// The largest number of read transactions alive at once, over all processes.
    ///
    /// The first process that opens the file decides.
    public var maxReaders = 1024

    /// How much address space to reserve for the map, in bytes.
    ///
    /// This costs neither memory nor disk; it makes growing rare. Where the
    /// system refuses, the request is halved, down to 1 GiB or the file's size.
    public var addressSpaceBytes = 512 << 30

    /// The first size of the map, in bytes, if not the whole reservation.
    ///
    /// For tests and for systems with very little address space: the map
    /// doubles whenever it is full.
    public var initialMapSizeBytes: Int?

    /// A limit on the size of the data file, in bytes, or nil for none.
    ///
    /// A write that would pass it throws ``LMDBError/Code/mapFull``. A sixteenth
    /// on top is kept for writes that say `usesReserve`, since deleting also
    /// needs room.
    public var dataBudgetBytes: Int?

    /// Whether to open for reading only.
    ///
    /// The lock file is still written, where this process may.
    public var isReadOnly = false

    /// Whether a caller that does not write is content with an environment that can, where this
    /// process has the file open so; its other options are not compared then.
    package var acceptsWritable = false

    /// Whether the file is known never to change, as in an application bundle.
    ///
    /// No lock file is used, so no process may write to the file. Implies ``isReadOnly``.
    public var isImmutable = false

    /// Whether only this process opens the file, and only until it closes it.
    ///
    /// Then no mark is kept that the file is open, and writes do not wait for other processes.
    public var isTemporary = false

    /// What `write` waits for unless it says otherwise.
    public var durability = Durability.full

    /// Whether to open a file on a network file system all the same.
    ///
    /// LMDB's locks and maps do not work across machines.
    public var allowsNetworkFileSystem = false

    /// Whether to create a missing file, and to make a new one of an empty file.
    ///
    /// Otherwise both are refused.
    public var createsIfMissing = true

    /// How long a write waits for readers and snapshots when the map has to
    /// move, in milliseconds.
    public var remapTimeoutMilliseconds = 1000

    /// Makes the default options.
    public init() {}
}

extension EnvironmentOptions {
    /// Whether an environment opened with `self` also serves a request for `other`.
    ///
    /// The room for databases is not compared: opening too many throws `databasesFull`.
    func serves(_ other: Self) -> Bool {
        if other.acceptsWritable, !isReadOnly, !isImmutable { return true }
        return maxReaders >= other.maxReaders
            && isReadOnly == other.isReadOnly && isImmutable == other.isImmutable
            && durability == other.durability && dataBudgetBytes == other.dataBudgetBytes
    }

    /// Checks that the numbers make sense; they come from the program.
    func validate() {
        require(
            maxDatabases >= 0 && maxDatabases < 1 << 16, "maxDatabases is \(maxDatabases)")
        require(maxReaders > 0 && maxReaders < 1 << 16, "maxReaders is \(maxReaders)")
        require(addressSpaceBytes > 0, "addressSpaceBytes is \(addressSpaceBytes)")
        require(
            initialMapSizeBytes ?? 1 > 0, "initialMapSizeBytes is \(initialMapSizeBytes ?? 0)")
        require(dataBudgetBytes ?? 1 > 0, "dataBudgetBytes is \(dataBudgetBytes ?? 0)")
    }
}
