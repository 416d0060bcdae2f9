// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// Moving the map, which waits until no read uses it.
extension Environment {
    /// Runs an operation that uses the map outside the pool; waits while the map moves.
    func withMap<R>(_ body: () throws(LMDBError) -> R) throws(LMDBError) -> R {
        let thread = currentThread()
        while true {
            mapUsers.wrappingAdd(1, ordering: .sequentiallyConsistent)
            if mayUseMap(thread, except: nil) {
                defer { mapUsers.wrappingSubtract(1, ordering: .sequentiallyConsistent) }
                return try body()
            }
            mapUsers.wrappingSubtract(1, ordering: .sequentiallyConsistent)
            try awaitMap()
        }
    }

    /// Whether a thread that has announced itself may use the map.
    ///
    /// Sequentially consistent on both sides: either the mover sees the announcement, or this sees
    /// that the map moves. The mover waits for threads that read already, so such a thread must not
    /// wait itself.
    ///
    /// - Parameter slot: The one with which a read announces itself.
    func mayUseMap(_ thread: UInt, except slot: UnsafeMutablePointer<ReadSlot>?) -> Bool {
        if isRemapping.load(ordering: .sequentiallyConsistent) {
            return pool.isReading(thread, except: slot)
        }
        return !isUnmapped.load(ordering: .sequentiallyConsistent)
    }

    /// Waits until the map has moved; maps the file again where that has failed.
    func awaitMap() throws(LMDBError) {
        remapLock.withLock {}
        try checkUsable()
    }

    /// Maps the file again, as moving the map has left LMDB without one.
    ///
    /// - Throws: ``LMDBError`` with an `errno` value while the system allows no map.
    func mapAgain() throws(LMDBError) {
        let status = remapLock.withLock { mapAgainLocked() }
        guard status == MDB_SUCCESS else { throw error(status, "Mapping the file again") }
    }

    /// As ``mapAgain()``, for the holder of `remapLock`; returns a status of LMDB's.
    ///
    /// No thread uses the map: it was lost while none did, and none begins to without one.
    @discardableResult
    private func mapAgainLocked() -> Int32 {
        guard isUnmapped.load(ordering: .sequentiallyConsistent) else { return MDB_SUCCESS }
        let status = lode_map_again(handle, lostMapSize, pageSizeBytes)
        guard status == 0 else { return status < 0 ? MDB_PANIC : status }
        isUnmapped.store(false, ordering: .sequentiallyConsistent)
        return MDB_SUCCESS
    }

    /// Runs a begin; where another process grew the file, maps it anew and tries again.
    func withGrownMapAdopted(
        _ begin: () throws(LMDBError) -> Int32
    ) throws(LMDBError) -> Int32 {
        var status = try withMap(begin)
        var attempts = 1000
        // A writer gets over a commit that failed, which takes it a moment.
        while status == MDB_PANIC, attempts > 0 {
            pauseBriefly()
            status = try withMap(begin)
            attempts -= 1
        }
        guard status == MDB_MAP_RESIZED else { return status }
        try adoptGrownMap()
        return try withMap(begin)
    }

    /// Maps as much as another process has grown the file to.
    func adoptGrownMap() throws(LMDBError) {
        guard writer.load(ordering: .relaxed) != currentThread() else {
            throw error(.mapResized, "Beginning a transaction")
        }
        try writeLock.withLock { () throws(LMDBError) in try adoptGrownMapLocked() }
    }

    /// As ``adoptGrownMap()``, for the holder of `writeLock`, with no transaction begun.
    func adoptGrownMapLocked() throws(LMDBError) {
        try checkUsable()
        let info = self.info
        guard info.usedBytes > info.mapSizeBytes else { return }
        try remap(to: grown(info.usedBytes, atMost: .max))
    }

    /// Doubles the map after a write found it full.
    ///
    /// The caller holds `writeLock` and has ended its transaction.
    ///
    /// - Returns: False where the budget or the system allows no growth.
    func grow(usesReserve: Bool) throws(LMDBError) -> Bool {
        let size = info.mapSizeBytes
        var limit = Int.max
        if let budget = options.dataBudgetBytes {
            limit = Self.roundedMapSize(budget)
            if usesReserve { limit += Self.roundedMapSize(budget / 16) }
        }
        let target = grown(size, atMost: limit)
        guard target > size else { return false }
        try remap(to: target)
        return true
    }

    /// The next size: double, or less where the limit or the system wants less.
    private func grown(_ size: Int, atMost limit: Int) -> Int {
        var target = size > Int.max / 2 ? size : min(2 * size, limit)
        while target > size && !FileSystem.canReserve(target) {
            target = size + (target - size) / 2
            if target - size < 65536 { return size }
        }
        return max(size, Self.roundedMapSize(target))
    }

    /// Moves the map while it is not in use.
    private func remap(to byteCount: Int) throws(LMDBError) {
        let deadline = monotonicMilliseconds() + options.remapTimeoutMilliseconds
        let former = info.mapSizeBytes
        repeat {
            try parkSnapshots(deadline)
            if try remapIfUnused(byteCount, from: former, deadline) { return }
        } while monotonicMilliseconds() < deadline
        throw error(.snapshotInUse, "Growing the map")
    }

    /// Waits until every snapshot is parked or released, asking the owners that can be asked.
    func parkSnapshots(_ deadline: Int) throws(LMDBError) {
        for snapshot in activeSnapshots() {
            while snapshot.isActive {
                // Asked for each time: an owner may set it any time.
                let handler = snapshot.parkHandler
                if let handler, handler.park(), !snapshot.isActive { break }
                guard monotonicMilliseconds() < deadline else {
                    throw snapshotInTheWay(hasHandler: handler != nil)
                }
                pauseBriefly()
            }
        }
    }

    private func snapshotInTheWay(hasHandler: Bool) -> LMDBError {
        let code = LMDBError.Code.snapshotInUse
        let reason =
            hasHandler
            ? "its owner was asked to park it and has not done so"
            : "it has no handler that could be asked to park it, and was neither parked nor "
                + "released"
        return LMDBError(
            code: code, path: path,
            message: "Growing the map failed: a snapshot is in use; \(reason) within "
                + "\(options.remapTimeoutMilliseconds) ms. \(code.advice)")
    }

    /// Holds new readers up, lets those that run end, and moves the map.
    ///
    /// - Returns: False where a snapshot has become active meanwhile.
    private func remapIfUnused(
        _ byteCount: Int, from former: Int, _ deadline: Int
    ) throws(LMDBError) -> Bool {
        remapLock.lock()
        isRemapping.store(true, ordering: .sequentiallyConsistent)
        defer {
            isRemapping.store(false, ordering: .sequentiallyConsistent)
            remapLock.unlock()
        }
        guard !pool.isReading(currentThread(), except: nil) else {
            throw error(.snapshotInUse, "Growing the map from inside a read")
        }
        while !pool.isIdle() || mapUsers.load(ordering: .sequentiallyConsistent) != 0 {
            guard monotonicMilliseconds() < deadline else {
                throw error(.snapshotInUse, "Growing the map")
            }
            pauseBriefly()
        }
        guard activeSnapshots().isEmpty else { return false }
        let status = mdb_env_set_mapsize(handle, byteCount)
        guard status == MDB_SUCCESS else {
            // LMDB unmaps first: now there is no map at all. One of the former size mostly fits
            // where that was; if not, the next transaction that needs a map tries again.
            lostMapSize = former
            isUnmapped.store(true, ordering: .sequentiallyConsistent)
            mapAgainLocked()
            throw error(status, "Growing the map")
        }
        return true
    }

    /// The snapshots that are not parked.
    private func activeSnapshots() -> [SnapshotState] {
        let all = snapshotLock.withLock { snapshots.all }
        return all.filter(\.isActive)
    }
}
