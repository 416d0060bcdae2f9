// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// What only some objects need: kept apart so that the others stay small.
final class ObjectExtras {
    /// The ID once handed out.
    var objectID: NSManagedObjectID?
    /// A copy of the record, once the snapshot has moved past a change by somebody else.
    var ownedRecord: OwnedRecord? {
        didSet { if ownedRecord == nil { ownedValues = [:] } }
    }
    /// The large values that the copied record only points to, by position.
    private(set) var ownedValues: [Int: [UInt8]] = [:]
    /// The permanent key of an inserted object that asked for it before its save.
    private(set) var reservedKey: ObjectKey?
    /// The to-many relationships that were read or changed, by position.
    var toMany: [ToManyState?] = []
    /// What custom accessors have written since the last save.
    var primitives: PrimitiveValues?

    /// Keeps a copy of the record with the large values that it points to.
    func keep(_ record: OwnedRecord, _ values: [Int: [UInt8]]) {
        ownedRecord = record
        ownedValues = values
    }

    /// Takes a permanent key; the ID handed out before learns of it.
    func reserve(_ key: ObjectKey) {
        reservedKey = key
        objectID?.becomePermanent(key)
        objectID = nil
    }

    /// The object is saved: its key is the permanent one.
    func becomePermanent(_ key: ObjectKey) {
        if let objectID, objectID.isTemporaryID {
            objectID.becomePermanent(key)
            self.objectID = nil
        }
        reservedKey = nil
    }
}

/// What an object knows of one to-many relationship.
final class ToManyState {
    /// The destinations as stored, once loaded.
    var stored: ContiguousArray<ObjectKey>?
    /// The destinations added since the last save.
    private(set) var added: Set<ObjectKey> = []
    /// The destinations removed since the last save.
    private(set) var removed: Set<ObjectKey> = []

    var hasChanges: Bool { !added.isEmpty || !removed.isEmpty }

    /// Adds a destination; adding what was removed restores it.
    func add(_ key: ObjectKey) {
        if removed.remove(key) == nil { added.insert(key) }
    }

    /// Removes a destination; removing what was added forgets it.
    func remove(_ key: ObjectKey) {
        if added.remove(key) == nil { removed.insert(key) }
    }

    /// Whether a destination is among the stored ones.
    /// - Complexity: O(log n): what is stored is ascending.
    func isStored(_ key: ObjectKey) -> Bool {
        guard let stored else { return false }
        var low = 0
        var high = stored.count
        while low < high {
            let middle = (low + high) / 2
            if stored[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low < stored.count && stored[low] == key
    }

    /// Forgets changes, after a save or a rollback; what is stored is read anew.
    func reset() {
        stored = nil
        added = []
        removed = []
    }

    /// The destinations: what is stored, less the removed, and the added.
    var members: ContiguousArray<ObjectKey> {
        var keys = stored ?? []
        if !removed.isEmpty { keys.removeAll { removed.contains($0) } }
        if !added.isEmpty {
            let known = Set(keys)
            keys.append(contentsOf: added.filter { !known.contains($0) }.sorted())
        }
        return keys
    }
}
