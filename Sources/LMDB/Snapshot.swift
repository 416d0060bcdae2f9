// SPDX-License-Identifier: Apache-2.0

import CLMDB
import Traps

/// A read transaction that lives as long as its owner wants.
///
/// ```swift
/// let snapshot = try environment.makeSnapshot()
/// print(try snapshot.entryCount(names))
/// snapshot.reset()  // parked: keeps no pages from being reused
/// try snapshot.renew()  // sees the newest commit
/// ```
///
/// It may move between threads, but only one thread may use it at a time: its
/// owner has to see to that. While it is active, LMDB cannot reuse pages that
/// later commits free, so park it (``reset()``) when it is idle.
public final class Snapshot: Transaction, @unchecked Sendable {
    // SAFETY: the owner lets one thread at a time use the snapshot, as documented above. What other
    // threads ask for (`isActive`, `parkHandler`) is in `state`, which is atomic or under a lock.

    /// LMDB's transaction (`MDB_txn *`); reading through it while parked throws.
    public let handle: OpaquePointer
    /// The number of cursors that are open on this snapshot.
    public let openCursors: UnsafeMutablePointer<Int>
    /// The environment it reads from.
    public let environment: Environment
    /// What is known of the trees of databases until the snapshot moves, by their handles.
    // SAFETY: one thread at a time uses a snapshot, and no access to the list runs code of others.
    @exclusivity(unchecked) var trees: ContiguousArray<KnownTree> = []
    /// The cursors of look-ups, closed before the transaction moves.
    // SAFETY: one thread at a time uses a snapshot, and closing cursors calls nothing but LMDB.
    @exclusivity(unchecked) var keptCursors: ContiguousArray<KeptCursor> = []
    /// What a write that has to move the map needs to know.
    fileprivate let state = SnapshotState()
    /// The place in the environment's list, set when the snapshot is entered there.
    fileprivate var position = -1

    init(handle: OpaquePointer, environment: Environment) {
        self.handle = handle
        self.environment = environment
        openCursors = .allocate(capacity: 1)
        openCursors.initialize(to: 0)
    }

    deinit {
        checkCursors("end")
        keptCursors = []
        openCursors.deallocate()
        // A forked child must not touch the parent's reader slot.
        guard environment.forkGeneration == ForkGuard.generation else { return }
        mdb_txn_abort(handle)
        state.isActive = false
        environment.forget(position)
    }

    /// Whether it reads a commit now, rather than being parked.
    public var isActive: Bool { state.isActive }

    /// Asked, on the writing thread, to park this snapshot so that the map can move.
    ///
    /// Return true once ``reset()`` has been called and bytes of this snapshot are no longer used;
    /// return false where that is impossible now. It may be asked again until the write gives up.
    /// It must not wait for anything that a reading thread may hold (try a lock, do not take it),
    /// nor begin transactions. A snapshot without a handler is waited for; such a write throws
    /// `snapshotInUse` when it is neither parked nor released in time.
    public var parkHandler: (@Sendable () -> Bool)? {
        get { state.parkHandler?.park }
        set { state.parkHandler = newValue.map(ParkHandler.init) }
    }

    /// Takes over the handler of a snapshot that this one replaces.
    public func inheritParkHandler(of other: Snapshot) {
        state.parkHandler = other.state.parkHandler
    }

    /// Moves to the newest commit, whether active or parked.
    ///
    /// Bytes read before are no longer good. Traps when cursors are open.
    ///
    /// - Throws: ``LMDBError`` with `mapResized`, `snapshotInUse`, `readersFull` or `forked`;
    ///   the snapshot is parked then.
    /// - Complexity: O(1), some tens of nanoseconds.
    public func renew() throws(LMDBError) {
        checkCursors("renew")
        try environment.checkUsable()
        reset()
        let status = try environment.withGrownMapAdopted { () throws(LMDBError) in
            let status = mdb_txn_renew(handle)
            if status == MDB_SUCCESS { state.isActive = true }
            return status
        }
        guard status == MDB_SUCCESS else {
            throw environment.error(status, "Renewing a snapshot")
        }
    }

    /// Parks it: lets LMDB reuse what only this snapshot kept.
    ///
    /// Bytes read before are no longer good. Traps when cursors are open.
    ///
    /// - Complexity: O(1)
    public func reset() {
        checkCursors("reset")
        trees.removeAll(keepingCapacity: true)
        keptCursors = []
        guard environment.forkGeneration == ForkGuard.generation, isActive else { return }
        mdb_txn_reset(handle)
        state.isActive = false
    }

    private func checkCursors(_ operation: String) {
        let open = openCursors.pointee
        require(
            open == 0, "\(operation) of a snapshot of \(environment.path) with \(open) cursors")
    }
}

extension Environment {
    /// Begins a snapshot of the newest commit.
    ///
    /// - Throws: ``LMDBError`` with `readersFull`, `mapResized`, `snapshotInUse` or `forked`.
    public func makeSnapshot() throws(LMDBError) -> Snapshot {
        try checkUsable()
        var made: Snapshot?
        let status = try withGrownMapAdopted { () throws(LMDBError) in
            var transaction: OpaquePointer?
            let status = beginSnapshot(&transaction)
            guard status == MDB_SUCCESS, let transaction else { return status }
            let snapshot = Snapshot(handle: transaction, environment: self)
            snapshot.position = snapshotLock.withLock { snapshots.enter(snapshot.state) }
            made = snapshot
            return status
        }
        guard let made else { throw error(status, "Beginning a snapshot") }
        return made
    }

    /// Removes a snapshot that ends from the list.
    fileprivate func forget(_ position: Int) {
        snapshotLock.withLock { snapshots.leave(position) }
    }

    private func beginSnapshot(_ transaction: inout OpaquePointer?) -> Int32 {
        let status = beginReading(&transaction)
        guard status == MDB_READERS_FULL else { return status }
        clearDeadReaders()
        pool.drain(by: currentThread())
        return beginReading(&transaction)
    }
}
