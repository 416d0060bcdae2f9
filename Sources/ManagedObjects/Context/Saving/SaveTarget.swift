// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store
import Traps

/// The file that one transaction of a save writes into: the main store or a further file.
///
/// Objects are known by the context's keys, the file by its own.
struct SaveTarget {
    // SAFETY: made for one save of the context, which outlives it.
    private unowned let context: NSManagedObjectContext
    /// What keeps the file's metadata; `nil` for the copy of an atomic store's nodes.
    let owner: NSPersistentStore?
    let store: Store
    /// What the context reads of a further file; `nil` for the main store.
    let reading: FileSnapshot?

    /// The main store of a context.
    ///
    /// - Throws: 134070 without one.
    init(mainOf context: NSManagedObjectContext) throws {
        self.context = context
        store = try context.requireStore()
        owner = context.persistentStore
        reading = nil
    }

    /// A further file.
    init(
        _ context: NSManagedObjectContext, _ reading: FileSnapshot, _ store: Store,
        _ owner: NSPersistentStore?
    ) {
        self.context = context
        self.reading = reading
        self.store = store
        self.owner = owner
    }

    var isMain: Bool { reading == nil }

    /// The tag of the keys of its objects.
    var tag: Int { reading?.tag ?? 0 }

    var changeLog: ChangeLog? {
        (reading?.file.coordinator ?? context.persistentStoreCoordinator)?.changeLog
    }

    /// What the context reads of the file, if it has read anything.
    var snapshot: StoreSnapshot? {
        if let reading { reading.snapshot } else { context.snapshot }
    }

    /// The table of an entity, by its ordinal in the coordinator's model.
    @inline(__always)
    func table(_ ordinal: Int) -> EntityTable {
        reading == nil ? store.tables[ordinal] : tableElsewhere(ordinal)
    }

    @inline(never)
    private func tableElsewhere(_ ordinal: Int) -> EntityTable {
        guard let own = reading?.file.tableOrdinal(ordinal) else {
            trap("the entity with ordinal \(ordinal) is not in \(store.path)")
        }
        return store.tables[own]
    }

    /// The file's key for one of the context's; temporary keys are the same.
    @inline(__always)
    func inner(_ key: ObjectKey) -> ObjectKey {
        if let reading { reading.file.inner(key) } else { key }
    }

    /// The context's key for one of the file's.
    @inline(__always)
    func outer(_ key: ObjectKey) -> ObjectKey {
        if let reading { reading.file.outer(key) ?? FileMapping.nobody } else { key }
    }

    /// Moves what the context reads to a transaction that was just committed.
    ///
    /// - Parameter isAlone: Whether all of its changes are the context's.
    func advance(after transactionID: UInt64, isAlone: Bool) {
        if let reading {
            context.advance(reading, store, isAlone: isAlone)
        } else {
            context.advance(after: transactionID, isAlone: isAlone)
        }
    }
}
