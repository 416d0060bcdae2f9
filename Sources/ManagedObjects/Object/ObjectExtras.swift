// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Synchronization

/// What only some objects need: kept apart so that the others stay small.
final class ObjectExtras {
    /// The ID once handed out.
    var objectID: NSManagedObjectID?
    /// A copy of the record, once the snapshot has moved past a change made elsewhere.
    var ownedRecord: OwnedRecord? {
        didSet {
            if ownedRecord == nil { ownedValues = [:] }
        }
    }
    /// The large values that the copied record only points to, by position.
    private(set) var ownedValues: [Int: [UInt8]] = [:]
    /// The permanent key of an inserted object that asked for it before its save.
    var reservedKey: ObjectKey? {
        let key = reservedWord.load(ordering: .acquiring)
        return key == 0 ? nil : ObjectKey(rawValue: key)
    }
    // Atomic, as any thread may ask for the object's ID; 0 for none.
    private let reservedWord: Atomic<UInt64>
    /// The version of the record before the object's deletion, once that was saved and undone.
    var formerVersion: UInt32 = 0
    /// How often the instance has become another object.
    ///
    /// It becomes one that others have saved with the same unique values. What was undoable before
    /// is none of that object's changes.
    var incarnation = 0
    /// The to-many relationships that were read or changed, by position.
    // SAFETY: only the context's thread uses it, and nothing else runs while it is read or set.
    @exclusivity(unchecked) var toMany = ToManyStates()
    /// What the relationships of an object without a context lead to, by the keys in them.
    @exclusivity(unchecked) var companions: [ObjectKey: NSManagedObject] = [:]
    /// The store that a new object was assigned to.
    var assignedStore: NSPersistentStore?
    /// What custom accessors have written since the last save.
    var primitives: PrimitiveValues?

    /// The values of transformable attributes that were set or read.
    var decoded = DecodedValues()
    /// The values of fetched properties that were read.
    var fetched: [String: FetchedPropertyValue] = [:]

    /// - Parameter reservedKey: The key that the object had without extras.
    init(reservedKey: ObjectKey?) { reservedWord = Atomic(reservedKey?.rawValue ?? 0) }

    /// Whether a to-many relationship has changes that were not saved.
    @inline(__always)
    var hasChangedMembers: Bool {
        for index in 0..<toMany.count where toMany[index]?.hasChanges == true { return true }
        return false
    }

    /// Whether a to-many relationship has changes that were taken back.
    @inline(__always)
    var hasTakenBackMembers: Bool {
        for index in 0..<toMany.count where toMany[index]?.takenBack.isEmpty == false {
            return true
        }
        return false
    }

    /// Forgets the to-many relationships and what was fetched or decoded; live sets still in use
    /// read them anew.
    func dropMembers() {
        let former = toMany
        toMany = ToManyStates()
        fetched = [:]
        decoded.forget()
        for state in former { state?.proxy?.reload() }
    }

    /// Keeps a copy of the record with the large values that it points to.
    func keep(_ record: OwnedRecord, _ values: [Int: [UInt8]]) {
        ownedRecord = record
        ownedValues = values
    }

    /// Takes a permanent key; the ID handed out before learns of it.
    ///
    /// - Parameter store: The number of the key's store, see ``FormerStores``.
    func reserve(_ key: ObjectKey, _ store: @autoclosure () -> UInt32) {
        reservedWord.store(key.rawValue, ordering: .relaxed)
        if let objectID { objectID.becomePermanent(key, store()) }
        objectID = nil
    }

    /// The store of the permanent key is gone: the first save gives another one.
    func dropReservation() {
        reservedWord.store(0, ordering: .releasing)
        objectID = nil
    }

    /// The object is saved: its key is the permanent one, and was set before.
    ///
    /// - Parameter store: The number of the key's store, see ``FormerStores``.
    func becomePermanent(_ key: ObjectKey, _ store: @autoclosure () -> UInt32) {
        if let objectID, objectID.isTemporaryID {
            objectID.becomePermanent(key, store())
            self.objectID = nil
        }
        reservedWord.store(0, ordering: .releasing)
        formerVersion = 0
    }
}
