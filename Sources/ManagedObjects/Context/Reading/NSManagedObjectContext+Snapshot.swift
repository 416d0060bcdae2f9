// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store

/// The one committed state that a context reads, and how it moves to a newer one.
extension NSManagedObjectContext {
    /// The snapshot, begun when first asked for.
    final func requireSnapshot() throws -> StoreSnapshot {
        noteUse()
        if let snapshot {
            if !snapshot.isActive { try moveParked(snapshot) }
            return snapshot
        }
        if readPoint.hasStrays { noticeRemovals() }
        // Keys of a main store that is gone would lead to other objects of the new one.
        guard !hasLostMainStore else {
            noticeRemovals()
            throw StoreRemoval.error(nil)
        }
        let store = try requireStore()
        let made = try CoreDataError.mapping { try store.makeSnapshot() }
        made.onRemap { [snapshotOwner] in snapshotOwner.parkForRemap(0) }
        snapshotOwner.attach(self)
        snapshotOwner.isParked.store(false, ordering: .releasing)
        persistentStoreCoordinator?.snapshotOwners.add(snapshotOwner)
        readPoint.snapshot = made
        invalidateBytes()
        try pinAnew()
        return made
    }

    /// Names the state that a pinned context reads from now on, once it begins to read again after
    /// a reset.
    ///
    /// The snapshots of all files begin here, so that they are of one time.
    final func pinAnew() throws {
        guard readPoint.pinnedGeneration == .current else { return }
        // Snapshots that begin below come here again.
        readPoint.pinnedGeneration = nil
        do {
            let snapshots = try requireStates { _ in false }
            readPoint.pinnedGeneration = NSQueryGenerationToken(snapshots)
        } catch {
            readPoint.pinnedGeneration = .current
            throw error
        }
    }

    /// The main store, once loaded.
    ///
    /// That of the snapshot where there is one: the coordinator takes locks to tell it.
    final var openStore: Store? {
        if let snapshot, !snapshotOwner.hasRemovals.load(ordering: .relaxed) {
            return snapshot.store
        }
        return persistentStore?.store
    }

    /// Remembers the thread, unless it is in a block: see ``SnapshotOwner``.
    package final func noteUse() {
        let thread = ContextLock.thread
        guard queue.directUser.load(ordering: .relaxed) != thread,
            !queue.lock.isHeldByCurrentThread, !queue.isLent.load(ordering: .relaxed)
        else { return }
        queue.directUser.store(thread, ordering: .relaxed)
    }

    final func moveParked(_ snapshot: StoreSnapshot) throws {
        snapshotOwner.isParked.store(false, ordering: .releasing)
        try CoreDataError.mapping { try snapshot.move() }
        didMove()
    }

    private final func didMove() {
        invalidateBytes()
        if !readPoint.lost.isEmpty { noticeReturns() }
        guard readPoint.pinnedGeneration != nil else { return }
        readPoint.pinnedGeneration = NSQueryGenerationToken(states.map(\.snapshot))
    }

    /// Begins the snapshots of all files, so that they are of one time; moves outdated ones.
    ///
    /// - Returns: What is read from now on.
    final func requireStates(movingIf isUnwanted: (StoreSnapshot) -> Bool) throws -> [StoreSnapshot]
    {
        noticeRemovalsIfAny()
        try requireAnyStore()
        if persistentStore != nil { _ = try requireSnapshot() }
        for store in persistentStoreCoordinator?.persistentStores ?? [] {
            try (knownRows(in: store) as? FileRows)?.beginReading()
        }
        for state in states where state.snapshot.isOutdated && isUnwanted(state.snapshot) {
            try moveSnapshot(state.snapshot, of: state.file)
        }
        return states.map(\.snapshot)
    }

    /// Lets the map of one file move during a write, keeping the values of the context's objects.
    ///
    /// - Parameter tag: The file's, 0 for the main store.
    final func parkForRemap(_ tag: Int) -> Bool {
        if tag == SnapshotOwner.companionTag { return saving.companion?.leaveMap() ?? false }
        for state in states where state.tag == tag && state.snapshot.isActive {
            guard !state.snapshot.isBeingRead else { return false }
            park(state)
        }
        return true
    }

    private final func park(_ state: ReadState) {
        keepRecords(state.tag)
        state.snapshot.park()
        invalidateBytes()
        let isParked = states.allSatisfy { !$0.snapshot.isActive }
        snapshotOwner.isParked.store(isParked, ordering: .releasing)
    }

    /// What the context reads at present: of its main store first, then of further files.
    private final var states: [ReadState] {
        var found = snapshot.map { [ReadState(snapshot: $0, file: nil)] } ?? []
        for reading in readPoint.files {
            guard let snapshot = reading.snapshot else { continue }
            found.append(ReadState(snapshot: snapshot, file: reading.file))
        }
        return found
    }

    /// Moves to the newest state, if there was a commit since and no generation is pinned.
    final func moveSnapshotIfOutdated() throws {
        noticeRemovalsIfAny()
        // A child reads through its parent, which moves its own.
        guard source == nil, !readPoint.isHeld else { return }
        if !readPoint.files.isEmpty { try moveFilesIfOutdated() }
        if snapshot == nil, hasFurtherStores, persistentStore == nil { return }
        let snapshot = try requireSnapshot()
        guard snapshot.isOutdated, readPoint.pinnedGeneration == nil else { return }
        try moveSnapshot(snapshot)
    }

    /// The snapshot, moved as by ``moveSnapshotIfOutdated()``.
    final func newestSnapshot() throws -> StoreSnapshot {
        noteUse()
        if let snapshot = newestAtHand { return snapshot }
        try moveSnapshotIfOutdated()
        return try requireSnapshot()
    }

    /// The snapshot where it is the newest state, as it nearly always is: one look at each
    /// condition.
    ///
    /// For code that has noted the use.
    @inline(__always)
    final var newestAtHand: StoreSnapshot? {
        guard let snapshot, snapshot.isActive, !snapshot.isOutdated, readPoint.files.isEmpty,
            !snapshotOwner.hasRemovals.load(ordering: .relaxed)
        else { return nil }
        return snapshot
    }

    private final func moveFilesIfOutdated() throws {
        guard readPoint.pinnedGeneration == nil else { return }
        try moveFiles()
    }

    /// Moves to the newest states of the further files, whether or not a generation is pinned.
    ///
    /// A parked one moves when it is read.
    final func moveFiles() throws {
        for reading in readPoint.files {
            guard let snapshot = reading.snapshot, snapshot.isActive, snapshot.isOutdated
            else { continue }
            try moveSnapshot(snapshot, of: reading.file)
        }
    }

    /// Reads one state throughout a body: commits made meanwhile are seen after it.
    final func holdingSnapshot<Result>(_ body: () throws -> Result) rethrows -> Result {
        let held = readPoint.isHeld
        readPoint.isHeld = true
        defer { readPoint.isHeld = held }
        return try body()
    }

    /// Moves to the newest state, whether or not a generation is pinned.
    ///
    /// - Parameters:
    ///   - snapshot: What moves.
    ///   - file: The further file that it is of; nil for the main store.
    final func moveSnapshot(_ snapshot: StoreSnapshot, of file: FileMapping? = nil) throws {
        let state = ReadState(snapshot: snapshot, file: file)
        try CoreDataError.mapping {
            try snapshot.move { newest in keepValues(before: state, through: newest) }
        }
        didMove()
    }

    /// Moves to the state that a save of this context has just committed, or to a newer one.
    ///
    /// A context that has read nothing so far begins its snapshot here: the versions that it finds
    /// there are what its saved objects are compared with when it saves them again. If the move
    /// fails, the context begins a new snapshot with the next read.
    ///
    /// - Parameters:
    ///   - transactionID: The number of the commit.
    ///   - isAlone: Whether all of its changes are this context's.
    final func advance(after transactionID: UInt64, isAlone: Bool) {
        guard let snapshot else {
            do { _ = try requireSnapshot() } catch { lastReadError = error }
            return
        }
        guard !advance(ReadState(snapshot: snapshot, file: nil), isAlone) else { return }
        readPoint.snapshot = nil
        invalidateBytes()
    }

    /// The same for a further file, into which a save of this context has just been written.
    final func advance(_ reading: FileSnapshot, _ store: Store, isAlone: Bool) {
        guard let snapshot = reading.snapshot else {
            do { _ = try reading.begin(store) } catch { lastReadError = error }
            return
        }
        let state = ReadState(snapshot: snapshot, file: reading.file)
        guard !advance(state, isAlone) else { return }
        reading.drop()
        invalidateBytes()
    }

    /// - Returns: Whether the state has moved; what is still needed of it was copied otherwise.
    private final func advance(_ state: ReadState, _ isAlone: Bool) -> Bool {
        let snapshot = state.snapshot
        do {
            if snapshot.isActive {
                try snapshot.move { newest in
                    // There was no other save, so the saved objects are up to date.
                    guard !isAlone || newest != snapshot.transactionID + 1 else { return }
                    keepValues(before: state, through: newest)
                }
                didMove()
            } else {
                try moveParked(snapshot)
            }
            return true
        } catch {
            lastReadError = error
            // The next snapshot may be of any later state.
            if snapshot.isActive { keepRecords(state.tag) }
            return false
        }
    }

    /// Whether the context reads a state of any file.
    final var hasSnapshot: Bool {
        snapshot != nil || readPoint.files.contains { $0.snapshot != nil }
    }

    /// Drops snapshots that were begun for the objects of a save, if none of them is still held.
    ///
    /// So a context that only inserts does not keep pages of the file from being reused.
    final func dropUnusedSnapshot() {
        noticeDepartures()
        guard hasSnapshot, registry.count == 0, readPoint.pinnedGeneration == nil
        else { return }
        readPoint.snapshot = nil
        for reading in readPoint.files { reading.drop() }
        invalidateBytes()
    }

    /// Moves an idle context along, once holding its snapshots costs a file enough pages.
    ///
    /// Called with the context's lock held.
    final func catchUp() -> Bool {
        for state in idleStates where isCostly(state) {
            // What fails here, such as a full table of readers, fails again in the next read.
            do { try moveSnapshot(state.snapshot, of: state.file) } catch { lastReadError = error }
        }
        saving.companion?.followCommits()
        return false
    }

    /// Lets go of an idle context's states, once holding them costs a file enough pages.
    ///
    /// For commits of others: more are likely to follow, and the context would have to move again
    /// each time. Called with the context's lock held.
    ///
    /// - Returns: Whether the next commit may make one too costly.
    final func letGo() -> Bool {
        var isToBeAsked = saving.companion != nil
        saving.companion?.followCommits()
        for state in idleStates {
            if isCostly(state) { park(state) } else { isToBeAsked = true }
        }
        return isToBeAsked
    }

    /// The states that may move and were followed by a commit.
    private final var idleStates: [ReadState] {
        guard readPoint.pinnedGeneration == nil, !readPoint.isHeld else { return [] }
        return states.filter { state in
            let snapshot = state.snapshot
            return snapshot.isActive && snapshot.isOutdated && !snapshot.isBeingRead
        }
    }

    private final func isCostly(_ state: ReadState) -> Bool {
        guard let log = changeLog(of: state) else { return false }
        return log.weight(after: state.snapshot.transactionID) >= Self.tolerableWeight
    }

    private final func changeLog(of state: ReadState) -> ChangeLog? {
        (state.file?.coordinator ?? persistentStoreCoordinator)?.changeLog
    }

    /// How much others may change before an idle context moves along, see ``ChangeLog/weight``.
    private static var tolerableWeight: Int { 64 }

    /// Copies the records of realised objects that were changed since the snapshot began.
    private final func keepValues(before state: ReadState, through newest: UInt64) {
        let changed = changeLog(of: state)?.keys(
            after: state.snapshot.transactionID, through: newest)
        guard let changed else { return keepRecords(state.tag) }
        for key in changed {
            let key = state.file.map { $0.outer(key) ?? FileMapping.nobody } ?? key
            if let object = registry[key] { keepRecord(of: object) }
        }
    }

    /// Copies the records of all realised objects of one file.
    private final func keepRecords(_ tag: Int) {
        let realised = registry.objects {
            $0.flags.isDisjoint(with: [.fault, .inaccessible]) && $0.key.tag == tag
        }
        for object in realised { keepRecord(of: object) }
    }

    /// Copies the record of a realised object, so that it outlives the snapshot's state.
    final func keepRecord(of object: NSManagedObject) {
        guard object.flags.isDisjoint(with: [.fault, .inaccessible]),
            object.extras?.ownedRecord == nil, let record = object.currentRecord()
        else { return }
        let values = largeValues(of: object.key, object.runtime, record)
        object.requireExtras().keep(OwnedRecord(record), values)
        object.readStamp = 0
    }

    /// The values that a record only points to; once it is outdated, they may have been replaced.
    final func largeValues(
        of key: ObjectKey, _ runtime: EntityRuntime, _ record: RecordView
    ) -> [Int: [UInt8]] {
        var values: [Int: [UInt8]] = [:]
        for (position, field) in runtime.layout.fields.enumerated()
        where field.type.isVariableLength && !record.isNull(position) {
            let offset = record.offset(of: field, in: runtime.layout)
            guard record.heapBytes(at: offset) == nil else { continue }
            values[position] = externalValue(
                of: key, position: position, runtime: runtime,
                byteCount: record.heapByteCount(at: offset))
        }
        return values
    }
}

/// A state that a context reads of one file.
private struct ReadState {
    let snapshot: StoreSnapshot
    /// The further file; `nil` for the main store.
    let file: FileMapping?

    var tag: Int { file?.tag ?? 0 }
}
