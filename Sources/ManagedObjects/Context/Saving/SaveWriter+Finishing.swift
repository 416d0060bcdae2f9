// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// What becomes of the objects once the transaction is committed.
extension SaveWriter {
    /// Makes the objects clean when there is nothing to write.
    func finishWithoutWriting() -> SavedObjects {
        forgetChanges()
        for object in updated { settle(object) }
        return SavedObjects(updated: updated)
    }

    /// Makes the objects clean after the commit.
    func finish(_ transactionID: UInt64) -> SavedObjects {
        let posted = context.changes.postedInserted
        let postedUpdated = context.changes.postedUpdated
        let keys =
            target.isMain ? self.keys : ContiguousArray(self.keys.lazy.map(target.outer))
        forgetChanges()
        context.saving.locked.removeAll()
        context.reserved = ReservedObjects()
        if hasWritten { target.advance(after: transactionID, isAlone: isAlone) }
        let overtaken = overtaken(after: transactionID)
        context.lineage?.publishSave(isWhole: !context.hasFurtherStores) {
            Dictionary(zip(inserted.map(\.key), keys), uniquingKeysWith: { $1 })
        }
        noteVersions(keys, transactionID)
        becomePermanent(inserted, keys)
        becomeClean(updated)
        keep(overtaken)
        leave(deleted)
        return SavedObjects(
            inserted: inserted, updated: updated, deleted: deleted,
            postedInserted: posted?.count == inserted.count ? posted : nil,
            postedUpdated: postedUpdated?.count == updated.count ? postedUpdated : nil)
    }

    /// Tells the descendants' pushes which versions are this context's own.
    private func noteVersions(_ keys: ContiguousArray<ObjectKey>, _ transactionID: UInt64) {
        guard var versions else { return }
        for (object, key) in zip(inserted, keys) {
            versions[key] = firstVersion(of: object, transactionID)
        }
        context.lineage?.noteSeen(versions)
    }

    // Lists are passed, as each look at a property of a class retains its list.

    private func becomePermanent(
        _ objects: ContiguousArray<NSManagedObject>, _ keys: ContiguousArray<ObjectKey>
    ) {
        // Not one after the other: the registry stays in the block of rows it was in last.
        objects.forEachUnretained { context.registry.remove($0, for: $0.key) }
        forEachAhead(objects) { object, index in becomePermanent(object, keys[index]) }
    }

    private func becomeClean(_ objects: ContiguousArray<NSManagedObject>) {
        forEachAhead(objects) { object, _ in
            let isWritten = unwritten.isEmpty || !unwritten.contains(ObjectIdentifier(object))
            if isWritten { becomeClean(object) } else { settle(object) }
            resolveTransientReferences(of: object)
        }
    }

    private func leave(_ objects: ContiguousArray<NSManagedObject>) {
        forEachAhead(objects) { object, _ in
            object.flags.remove([.deleted, .updated, .propagated])
            context.registry.remove(object, for: object.key)
            // The ID outlives the context, which knows its store.
            _ = object.ownObjectID
            object.context = nil
            object.draft = nil
        }
    }

    /// Calls a body with each object and its position, while those behind it are loaded.
    @inline(__always)
    private func forEachAhead(
        _ objects: ContiguousArray<NSManagedObject>, _ body: (NSManagedObject, Int) -> Void
    ) {
        let lookAhead = LookAhead()
        var index = 0
        objects.forEachUnretained { object in
            lookAhead.wholeObject(index, objects)
            body(object, index)
            index += 1
        }
    }

    private func forgetChanges() {
        context.changes = ChangeSet()
        // What layers above keep is of the main store.
        if target.isMain { context.saving.attachments.removeAll() }
    }

    /// Drops changes without effect; the object keeps its record.
    func settle(_ object: NSManagedObject) {
        object.flags.remove([.updated, .indexed])
        object.extras?.primitives = nil
        object.keepTransientValues()
    }

    func becomePermanent(_ object: NSManagedObject, _ key: ObjectKey) {
        object.key = key
        object.becomePermanent(key, storeNumber(of: key))
        object.flags.remove(.inserted)
        context.registry.insert(object, for: key)
        becomeClean(object)
        resolveTransientReferences(of: object)
    }

    /// The record holds what the draft held; transient values stay in a draft of their own.
    func becomeClean(_ object: NSManagedObject) {
        object.flags.remove([.updated, .indexed])
        object.record = nil
        object.boundStamp = 0
        object.readStamp = 0
        object.keepTransientValues()
        guard let extras = object.extras else { return }
        extras.ownedRecord = nil
        extras.formerVersion = 0
        extras.primitives = nil
        guard object.runtime.hasTransientReferences else {
            for index in 0..<extras.toMany.count { extras.toMany[index]?.reset() }
            return
        }
        for relationship in object.runtime.toManyRelationships {
            guard let state = object.knownToManyState(relationship.toManyIndex) else { continue }
            if relationship.relationship.isTransient {
                state.keepMembers(resolveHere)
            } else {
                state.reset()
            }
        }
    }

    /// Transient to-one relationships outlive the save: they follow the objects to their keys.
    func resolveTransientReferences(of object: NSManagedObject) {
        guard object.runtime.hasTransientReferences, let draft = object.draft else { return }
        for position in 0..<draft.fieldCount {
            guard case .objectID(let key)? = draft[position], key.isTemporary else { continue }
            let permanent = resolveHere(key)
            draft[position] = permanent.rawValue == 0 ? .null : .objectID(permanent)
        }
    }
}
