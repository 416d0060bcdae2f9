// SPDX-License-Identifier: Apache-2.0

import CLMDB
import Synchronization

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An open data file: where transactions begin.
///
/// ```swift
/// let environment = try Environment.open(at: path)
/// let names = try environment.databases([DatabaseSpec(name: "names")])[0]!
/// try environment.write { try $0.put(Array("Ada".utf8), for: "first", in: names) }
/// ```
///
/// A process has one environment for a file, whatever paths lead to it: opening
/// it again returns the same one. It is closed when its last reference goes;
/// snapshots keep it alive.
///
/// All methods may be called from any thread. What is read or written inside a
/// closure stays on the calling thread, and the closure cannot suspend.
///
/// LMDB moves the file's map when it has to grow, which would pull the data from
/// under every reader. So the map only moves when no read runs and every
/// ``Snapshot`` is parked; reads that begin meanwhile wait.
public final class Environment: @unchecked Sendable {
    // SAFETY: LMDB's environment may be shared. What is mutable here is atomic or guarded by a
    // lock, as each line says. Only this target can touch it, and takes the lock first.

    /// The path of the data file, without symbolic links; a label for one in memory.
    public let path: String
    /// The options in effect.
    public let options: EnvironmentOptions
    /// The size of the file's pages, in bytes.
    public let pageSizeBytes: Int
    /// The same where each page begins at a multiple of its size; 0 where it need not.
    @usableFromInline let pageByteCountInMap: Int
    /// LMDB's environment (`MDB_env *`).
    let handle: OpaquePointer
    /// A number that databases carry, to notice use with another environment.
    let tag: UInt16
    /// LMDB's descriptor of the data file.
    let descriptor: Int32
    /// The file, for the registry.
    let identity: FileIdentity
    /// Whether the file is read without locks, as its lock file cannot be written.
    ///
    /// Then only the commit that was the newest when the file was opened can be read. After another
    /// commit all transactions throw `cannotLock`: open the file again.
    public let isWithoutLocks: Bool
    /// The commit that is read without locks.
    let onlyCommit: UInt64
    /// Which side of every `fork` the environment was opened on.
    let forkGeneration: UInt32
    let metaPages: MetaPages
    let pool: ReadPool

    /// Held from the beginning of a write transaction to its end, and while the map moves.
    let writeLock = NativeLock()
    /// The thread that writes, or 0: the one that holds `writeLock`, or one that it lends its
    /// transaction to.
    let writer = Atomic<UInt>(0)
    /// The writes that share a transaction.
    let commitGroup = CommitGroup()
    /// Whether an operation of the current write found the map full.
    ///
    /// Guarded by `writeLock`.
    var mapIsFull = false
    /// How much of the file was in use when pages of the map were released last, in bytes; nil
    /// before the first write.
    ///
    /// Guarded by `writeLock`.
    var releasedAt: Int?
    /// The level that LMDB's flags are set to.
    ///
    /// Guarded by `writeLock`.
    var currentDurability = Durability.full
    /// The weakest durability with which this process has marked the file as being written to, or
    /// has tried to; nil before the first write.
    ///
    /// Guarded by `writeLock`.
    var markedDurability: Durability?
    /// When dead readers were looked for last.
    ///
    /// Guarded by `writeLock`.
    var readerCheck = ReaderCheck()
    /// The newest commit of this process that waits for a sync, or 0.
    let unsynced = Atomic<UInt64>(0)
    /// Whether a header could not be written, and what is on the disk in its place is not known.
    ///
    /// Guarded by `writeLock`.
    var hasFailedHeader = false
    /// Guarded by `writeLock`, except at the end of the environment, when no other code uses it.
    var mark: WriteMark?
    /// A read transaction that keeps pages for readers without locks; guarded as `mark`.
    var keeper: OpaquePointer?
    /// Whether the file was not checked since the machine went down after unsynced commits.
    let isLeftOpen: Atomic<Bool>

    /// Held while databases are opened; taken after `writeLock` where both are.
    let databaseLock = NativeLock()
    /// The open databases by name.
    ///
    /// Guarded by `databaseLock`.
    var openDatabases: [String: Database] = [:]
    /// The names of the open databases, for snapshots, which must not wait for `databaseLock`: that
    /// is held through a commit where a database is made.
    let namesByHandle = Mutex<[MDB_dbi: String]>([:])

    /// Whether the map is about to move: new reads wait for `remapLock`.
    let isRemapping = Atomic<Bool>(false)
    /// Operations that use the map outside the pool: snapshots being renewed, copies.
    let mapUsers = Atomic<Int>(0)
    /// Held while the map moves.
    let remapLock = NativeLock()
    /// Whether LMDB is without a map, as moving it failed half way.
    let isUnmapped = Atomic<Bool>(false)
    /// The size of the map that was lost then.
    ///
    /// Guarded by `remapLock`.
    var lostMapSize = 0
    /// Held while LMDB may take the lock of its table of readers.
    let slotLock = NativeLock()
    /// Guards `snapshots`.
    let snapshotLock = NativeLock()
    /// Every snapshot of this environment, held weakly, at its ``Snapshot/position``.
    ///
    /// Guarded by `snapshotLock`.
    var snapshots = SnapshotList()

    private static let nextTag = Atomic<UInt16>(1)

    init(
        handle: OpaquePointer, path: String, options: EnvironmentOptions, wasLeftOpen: Bool,
        onlyCommit: UInt64?
    ) throws(LMDBError) {
        isLeftOpen = Atomic(wasLeftOpen)
        isWithoutLocks = onlyCommit != nil
        self.onlyCommit = onlyCommit ?? 0
        var stat = MDB_stat()
        mdb_env_stat(handle, &stat)
        pageSizeBytes = Int(stat.ms_psize)
        var descriptor: Int32 = -1
        mdb_env_get_fd(handle, &descriptor)
        guard let identity = FileIdentity(descriptor: descriptor) else {
            throw LMDBError(.init(rawValue: errno), path: path, during: "Opening the file")
        }
        self.descriptor = descriptor
        self.identity = identity
        // A map begins where a page of the system does, which may be smaller than the file's.
        pageByteCountInMap = pageSizeBytes <= sysconf(Int32(_SC_PAGESIZE)) ? pageSizeBytes : 0
        metaPages = try MetaPages(
            descriptor: descriptor, path: path, pageSizeBytes: pageSizeBytes)
        self.handle = handle
        self.path = path
        self.options = options
        tag = Self.nextTag.wrappingAdd(1, ordering: .relaxed).oldValue
        forkGeneration = ForkGuard.generation
        pool = ReadPool(maxReaders: options.maxReaders)
        // SAFETY: only `environment(of:)` uses the pointer, for transactions that have not ended.
        // It says why this object is alive then.
        mdb_env_set_userctx(handle, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit {
        // After a fork the reader slots and locks are the parent's: leave them alone.
        guard forkGeneration == ForkGuard.generation else { return }
        EnvironmentRegistry.remove(identity) {
            pool.drain(by: currentThread())
            endKeeping()
            syncBeforeClosing()
            if isWithoutLocks { WithoutLocks.end(descriptor) }
            LockFileUse.closeEnvironment(handle)
            removeMark()
        }
    }

    /// Whether writes are refused.
    public var isReadOnly: Bool {
        options.isReadOnly || options.isImmutable
    }

    /// The number of the newest commit, of this process or another.
    ///
    /// - Complexity: O(1): two loads.
    public var lastTransactionID: UInt64 {
        metaPages.lastTransactionID
    }

    /// Throws where transactions must not begin: after a fork, or without a map, unless there can
    /// be one again.
    ///
    /// Code that keeps something in memory for later transactions has to call this before it uses
    /// that: a forked process has a copy of it.
    ///
    /// - Throws: ``LMDBError`` with `forked` or `cannotLock`, or with an `errno` value where the
    ///   file cannot be mapped: `ENOMEM`.
    public func checkUsable() throws(LMDBError) {
        guard forkGeneration == ForkGuard.generation else {
            throw error(.forked, "Beginning a transaction")
        }
        if isUnmapped.load(ordering: .relaxed) { try mapAgain() }
        guard !isWithoutLocks || lastTransactionID == onlyCommit else {
            throw error(.cannotLock, "Beginning a transaction")
        }
    }

    func error(_ status: Int32, _ operation: String) -> LMDBError {
        error(LMDBError.Code(rawValue: status), operation)
    }

    func error(_ code: LMDBError.Code, _ operation: String) -> LMDBError {
        LMDBError(code, path: path, during: operation)
    }
}
