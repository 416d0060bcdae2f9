// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Gives other threads access to a context's snapshot.
///
/// A snapshot keeps pages of the file from being reused and the map from growing. So each save asks
/// the owners of other snapshots to move or park them. An owner does so if no other thread can use
/// its context meanwhile: no other thread is in a block of it, and
/// - the calling thread is the one that uses the context outside of blocks, or
/// - no thread does, and the context has a queue of its own or the caller is the main thread.
///
/// So a main-queue context that a program uses on a thread which never saves moves with its own
/// next fetch, or when the main queue runs its blocks.
final class SnapshotOwner: Sendable {
    private struct State {
        /// The thread that is in the transaction of a save of the context.
        var saver: ObjectIdentifier?
        // SAFETY: set from the first snapshot to the context's deinit, which takes this state's
        // mutex to clear it. So the memory is there while the mutex is held.
        var context: UncheckedTransfer<Unmanaged<NSManagedObjectContext>>?
    }

    /// Where contexts end whose last reference was held here for a moment.
    fileprivate static let endings = DispatchQueue(label: "lode.endings")

    // Written by the context's thread, read by threads that save or have to grow the map.
    private let state = Mutex(State())
    /// Whether the main queue has been asked to catch up already.
    private let isScheduled = Atomic(false)
    /// Whether the context holds no state until its next read, having had one.
    let isParked = Atomic(false)

    /// Whether the context ever had a companion, which reads states of its own.
    let hasCompanion = Atomic(false)

    /// The tag of the state that the context's companion reads; those of files are not negative.
    static let companionTag = -1

    /// Whether a store was removed since the context looked last.
    let hasRemovals = Atomic(false)

    /// A store was removed: the context looks at once where it is idle, else with its next read.
    func noticeRemoval() {
        hasRemovals.store(true, ordering: .releasing)
        withContext { context in
            SnapshotOwner.whileIdle(context) { context.noticeRemovals(isAtOnce: true) }
        }
    }

    func attach(_ context: NSManagedObjectContext) {
        // SAFETY: the context takes it back before it goes, see `State.context`.
        let pointer = UncheckedTransfer(Unmanaged.passUnretained(context))
        state.withLock { $0.context = pointer }
    }

    /// The context is ending: waits for threads that are about to retain it; they find it gone.
    func detach() { state.withLock { $0.context = nil } }

    func beginSave() { state.withLock { $0.saver = ObjectIdentifier(Thread.current) } }

    func endSave() { state.withLock { $0.saver = nil } }

    /// Parks the snapshot of one file so that its map can move; false while the context is in use.
    func parkForRemap(_ tag: Int) -> Bool {
        let isSaving = state.withLock { $0.saver == ObjectIdentifier(Thread.current) }
        // Without a context the snapshot is no longer in use.
        if isSaving { return withContext { $0.parkForRemap(tag) } ?? true }
        return whileIdle(isStrict: tag == SnapshotOwner.companionTag) { $0.parkForRemap(tag) }
            ?? true
    }

    /// Does something with the context, unless it is about to go.
    ///
    /// Outside of the mutex: a context that ends takes it, and so does a thread that asks for the
    /// snapshot while the map grows.
    @discardableResult
    private func withContext<Result>(_ body: (NSManagedObjectContext) -> Result) -> Result? {
        // SAFETY: the context's end waits for the mutex before its memory goes, and an end that has
        // begun is seen.
        guard
            var context = state.withLock({
                $0.context?.value.living.map(UncheckedTransfer.init)
            })?.value
        else { return nil }
        let result = body(context)
        if isKnownUniquelyReferenced(&context) {
            // It ends elsewhere, not under what the caller holds, such as the lock of a write.
            // SAFETY: the block is the only one to balance the retain.
            let last = UncheckedTransfer(Unmanaged.passRetained(consume context))
            SnapshotOwner.endings.async { last.value.release() }
        }
        return result
    }

    /// Moves the snapshot of an idle context along, after a commit of this coordinator.
    func catchUp() { _ = whileIdle { $0.catchUp() } }

    /// Parks the snapshot of an idle context, after a commit of others; returns whether it is to
    /// be asked again after the next one.
    func letGo() -> Bool {
        let hasCompanion = hasCompanion.load(ordering: .acquiring)
        guard !isParked.load(ordering: .acquiring) || hasCompanion else { return false }
        // A companion that was busy now is asked again, as it may stand still from then on.
        return whileIdle { $0.letGo() } ?? false || hasCompanion
    }

    /// Runs a body while the context is not in use, perhaps later on the main queue.
    ///
    /// - Parameter isStrict: Whether what the body touches is used without a note of the thread,
    ///   as values of a world are: the threads of a main queue that is served change then.
    /// - Returns: What the body says, false if it has not run; nil without a context.
    private func whileIdle(
        isStrict: Bool = false, _ body: @escaping @Sendable (NSManagedObjectContext) -> Bool
    ) -> Bool? {
        var needsMainQueue = false
        let result = withContext { context in
            let mustWait =
                isStrict && context.concurrencyType == .mainQueueConcurrencyType
                && MainQueue.isServed && !MainQueue.isCurrent
            guard mustWait || SnapshotOwner.belongsElsewhere(context) else {
                return SnapshotOwner.whileIdle(context) { body(context) } ?? false
            }
            let isMain = context.concurrencyType == .mainQueueConcurrencyType
            needsMainQueue = isMain && !MainQueue.isCurrent
            return false
        }
        guard needsMainQueue, !isScheduled.exchange(true, ordering: .acquiringAndReleasing) else {
            return result
        }
        DispatchQueue.main.async { [self] in
            isScheduled.store(false, ordering: .releasing)
            _ = whileIdle(isStrict: isStrict, body)
        }
        return false
    }

    /// Whether the calling thread could race with one that uses the context without its lock.
    private static func belongsElsewhere(_ context: NSManagedObjectContext) -> Bool {
        let user = context.queue.directUser.load(ordering: .relaxed)
        if user == ContextLock.thread { return false }
        return user != 0
            || context.concurrencyType == .mainQueueConcurrencyType && !MainQueue.isCurrent
    }

    /// Runs a body unless another thread is in a block of the context.
    @discardableResult
    private static func whileIdle<Result>(
        _ context: NSManagedObjectContext, _ body: () -> Result
    ) -> Result? {
        guard !belongsElsewhere(context), context.queue.lock.tryToEnter() else { return nil }
        defer { context.queue.lock.leave() }
        return body()
    }
}

/// The owners of the snapshots of one coordinator's contexts.
final class SnapshotOwners: Sendable {
    // Contexts of any thread come and go.
    private let owners = Mutex<[ObjectIdentifier: SnapshotOwner]>([:])

    func add(_ owner: SnapshotOwner) {
        owners.withLock { $0[ObjectIdentifier(owner)] = owner }
    }

    func remove(_ owner: SnapshotOwner) {
        owners.withLock { $0[ObjectIdentifier(owner)] = nil }
    }

    /// Tells all contexts that a store was removed.
    func noticeRemoval() {
        for owner in owners.withLock({ Array($0.values) }) { owner.noticeRemoval() }
    }

    /// Moves all idle contexts but one along, after a commit of this coordinator.
    func catchUp(except saver: SnapshotOwner?) {
        // Out of the lock: a context that ends meanwhile takes it.
        let others = owners.withLock { owners in owners.values.filter { $0 !== saver } }
        for owner in others { owner.catchUp() }
    }

    /// Parks all idle contexts, after a commit of others; returns whether one of them is to be
    /// asked again after the next one.
    func letGo() -> Bool {
        let all = owners.withLock { Array($0.values) }
        // All are asked, even if the first one says yes.
        return all.map { $0.letGo() }.contains(true)
    }
}
