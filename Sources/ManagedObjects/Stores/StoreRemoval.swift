// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// What becomes of a context's objects when their store is removed.
enum StoreRemoval {
    static func error(_ store: NSPersistentStore?) -> CocoaError {
        let name = store.map { $0.url?.path ?? $0.identity } ?? "the store"
        return CoreDataError.make(
            .persistentStoreOperation,
            "\(name) was removed from its coordinator; add it again, or reset the context",
            store.map { [NSAffectedStoresErrorKey: [$0]] } ?? [:])
    }
}

extension NSManagedObjectContext {
    /// Whether the coordinator has lost a main store since the context looked last.
    ///
    /// Only for a context without a snapshot, which shows what it read.
    final var hasLostMainStore: Bool {
        guard snapshot == nil, seenMainLosses >= 0 else { return false }
        return lostMainCount != seenMainLosses
    }

    /// How many main stores the coordinator has lost; `nil` without a coordinator.
    final var lostMainCount: Int? { askCoordinator { $0.lostMainCount } }

    /// Looks what has become of the stores before something is read or written.
    @inline(__always)
    final func noticeRemovalsIfAny() {
        if snapshot == nil || snapshotOwner.hasRemovals.load(ordering: .relaxed) {
            noticeRemovals()
        }
    }

    /// Looks what has become of the coordinator's stores, once for each removal.
    ///
    /// - Parameter isAtOnce: Whether the removal itself looks, so that nothing uses the context.
    final func noticeRemovals(isAtOnce: Bool = false) {
        let isTold =
            snapshotOwner.hasRemovals.load(ordering: .relaxed)
            && snapshotOwner.hasRemovals.exchange(false, ordering: .acquiringAndReleasing)
        let mayHaveStrays = readPoint.hasStrays && persistentStore != nil
        if isTold || hasLostMainStore || mayHaveStrays {
            dropRemovedStores(isAtOnce: isAtOnce)
        }
        if seenMainLosses < 0 {
            seenMainLosses = lostMainCount ?? -1
        }
    }

    /// Lets go of the objects of stores that the coordinator does not have any more.
    ///
    /// They leave the context as after a reset: without values, and without their changes. New
    /// objects stay. Code that is using the context has made its changes in good faith, and would
    /// take a save that finds none of them for one that has written them.
    private final func dropRemovedStores(isAtOnce: Bool) {
        guard let coordinator = persistentStoreCoordinator else { return }
        let lostMainCount = coordinator.lostMainCount
        let main = coordinator.firstStore?.store
        let isMainGone =
            snapshot.map { $0.store !== main } ?? (main == nil || hasLostMainStore)
        let known = seenMainLosses
        seenMainLosses = lostMainCount
        func isGone(_ key: ObjectKey) -> Bool {
            if key.isTemporary { return false }
            guard key.isElsewhere else { return isMainGone }
            guard let further = coordinator.further(key.tag) else { return true }
            return rowsByTag[safe: key.tag - 1].flatMap { $0 }.map { $0.further !== further }
                ?? false
        }
        let strays = takeStrays(coordinator.firstStore)
        let gone = registry.objects.filter { isGone($0.key) } + strays.filter { !isGone($0.key) }
        rememberRemovedStores(of: gone, known)
        if !isAtOnce {
            let isCompanionGone = isMainGone && source == nil && saving.companionOwner != nil
            if isCompanionGone || gone.contains(where: \.hasChanges) {
                saving.hasLostChanges = true
            }
        }
        let identifiers = gone.map(\.objectID)
        let goneReservations = reserved.entries.map(\.key).filter(isGone)
        let keys = Set(gone.map(\.key)).union(goneReservations)
        DeletePropagation.clearPointers(to: keys, in: changes, hasPropagated: false)
        for key in goneReservations {
            reserved.remove(key)?.dropReservedKey()
        }
        if let results = followers.results, gone.count == registry.count {
            // As with a reset.
            if !gone.isEmpty { results.forget() }
        } else if let results = followers.results, !gone.isEmpty {
            // While their values are there still.
            for object in gone { object.flags.insert(.deleted) }
            results.process([NSDeletedObjectsKey: Set(gone)])
        }
        for object in gone { expel(object) }
        saving.locked.removeAll { $0.context !== self }
        // Plans and look-ups keep the store, and with it the open file.
        if isMainGone { readPoint.plans.forgetAll() }
        if isMainGone, source == nil {
            readPoint.snapshot = nil
            readPoint.lookUps = UniqueLookUps()
            invalidateBytes()
            readPoint.siblings = []
            if readPoint.pinnedGeneration != nil { readPoint.pinnedGeneration = .current }
            // It cannot be saved any more, so who wants it has to hold it.
            releaseSaveCompanion()
        }
        readPoint.knownStore = nil
        for index in rowsByTag.indices {
            guard let rows = rowsByTag[index], coordinator.further(index + 1) !== rows.further
            else { continue }
            rowsByTag[index] = nil
            readPoint.files.removeAll { $0.tag == index + 1 }
            invalidateBytes()
        }
        guard !gone.isEmpty else { return }
        let isAll = registry.count == 0
        NotificationCenter.default.post(
            name: NotificationNames.objectsDidChange, object: self,
            userInfo: isAll
                ? [NSInvalidatedAllObjectsKey: identifiers]
                : [NSInvalidatedObjectsKey: Set(gone)])
        if isAll { followers.changeObservers?.send(.reset) }
    }

    /// Refuses to save the rest of changes of which some went with their store.
    final func requireNoLostChanges() throws {
        guard saving.hasLostChanges else { return }
        throw CoreDataError.make(
            .persistentStoreOperation,
            "unsaved changes went with their store, which was removed from its coordinator while "
                + "the context was in use; roll back, and make them again")
    }

    private final func expel(_ object: NSManagedObject) {
        let isRealised = !object.flags.contains(.fault)
        if isRealised { object.willTurnIntoFault() }
        registry.remove(object, for: object.key)
        object.context = nil
        object.record = nil
        object.readStamp = 0
        object.draft = nil
        object.flags = []
        object.extras?.ownedRecord = nil
        object.extras?.dropMembers()
        if isRealised { object.didTurnIntoFault() }
    }
}
