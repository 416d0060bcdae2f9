// SPDX-License-Identifier: Apache-2.0

import Store

/// The one committed state that a context reads of a further file.
///
/// It begins with the first read, and moves, parks and goes with the context's other snapshots, by
/// the same rules; see `NSManagedObjectContext+Snapshot.swift`.
final class FileSnapshot {
    let file: FileMapping
    private(set) var snapshot: StoreSnapshot?
    // SAFETY: the context owns the rows that own this object.
    private unowned let context: NSManagedObjectContext
    private let owner: SnapshotOwner

    init(_ file: FileMapping, of context: NSManagedObjectContext) {
        self.file = file
        self.context = context
        owner = context.snapshotOwner
    }

    deinit { file.coordinator.snapshotOwners.remove(owner) }

    var tag: Int { file.tag }

    /// The snapshot, begun or taken up again where need be.
    ///
    /// - Throws: 134070 if the store was removed, and the errors of storage.
    func require(_ store: NSPersistentStore) throws -> StoreSnapshot {
        context.noteUse()
        if let snapshot {
            if !snapshot.isActive { try context.moveParked(snapshot) }
            return snapshot
        }
        guard let opened = file.coordinator.firstStore?.store else {
            throw StoreRemoval.error(store)
        }
        return try begin(opened)
    }

    /// Begins the snapshot.
    func begin(_ store: Store) throws -> StoreSnapshot {
        let made = try CoreDataError.mapping { try store.makeSnapshot() }
        made.onRemap { [owner, tag] in owner.parkForRemap(tag) }
        owner.attach(context)
        owner.isParked.store(false, ordering: .releasing)
        file.coordinator.snapshotOwners.add(owner)
        snapshot = made
        context.invalidateBytes()
        try context.pinAnew()
        return made
    }

    /// Lets the state go; the caller sees to it that no object reads its bytes any more.
    func drop() { snapshot = nil }
}
