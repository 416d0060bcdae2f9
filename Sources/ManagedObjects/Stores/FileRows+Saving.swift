// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store

/// Saving into a further file: the changes are made again in the file's own context.
extension FileRows {
    /// An object of the program's context with its twin.
    private struct Pair {
        let object: NSManagedObject
        let twin: NSManagedObject
    }

    /// - Returns: What was written; an object that a merge policy has let go is not among it.
    final func write(_ group: SavedObjects, locked: [NSManagedObject]) throws -> SavedObjects {
        try prepare(group)
        let push = try translated(group)
        return try inner.enterQueue {
            inner.mergePolicy = context.mergePolicy
            inner.transactionAuthor = context.transactionAuthor
            inner.name = context.name
            let bases = try (group.updated + group.deleted + locked).compactMap(recall)
            inner.receive(push)
            let inserted = pairs(group.inserted, push.inserted)
            let updated = pairs(group.updated, push.updated)
            for object in locked {
                let runtime = try innerRuntime(object.runtime)
                inner.detectConflicts(for: inner.relative(keys.inner(object.key), runtime))
            }
            inner.saving.hasMergedConflicts = false
            defer { withExtendedLifetime(bases) {} }
            do {
                inner.saving.beforeCommit = { [unowned self] in try commit(group) }
                defer { inner.saving.beforeCommit = nil }
                try inner.save()
            } catch {
                inner.rollback()
                cancel()
                throw outerError(error)
            }
            finish()
            return settle(inserted, updated, group.deleted)
        }
    }

    /// Lets the file's context know an object as the program's context has read it: another version
    /// in the file is a conflict.
    private func recall(_ object: NSManagedObject) throws -> NSManagedObject? {
        let key = keys.inner(object.key)
        guard let extras = object.extras, let record = extras.ownedRecord else {
            // What was never read conflicts with nothing.
            if let twin = inner.known(key), !twin.isFault { inner.turnIntoFault(twin) }
            return nil
        }
        let twin = inner.relative(key, try innerRuntime(object.runtime))
        inner.turnIntoFault(twin)
        twin.requireExtras().keep(keys.inner(record.view, object.runtime), extras.ownedValues)
        twin.flags.remove(.fault)
        return twin
    }

    private func pairs(
        _ objects: ContiguousArray<NSManagedObject>, _ pushed: [PushedChanges.Object]
    ) -> [Pair] {
        zip(objects, pushed).map { object, pushed in
            let twin = inner.known(pushed.key) ?? pushed.reservedKey.flatMap { inner.known($0) }
            return Pair(object: object, twin: twin ?? inner.relative(pushed.key, pushed.runtime))
        }
    }

    /// The changes with the file's keys and entities.
    private func translated(_ group: SavedObjects) throws -> PushedChanges {
        let deleted = Set(group.deleted.map(\.key))
        return PushedChanges(
            inserted: try group.inserted.map { try translated(PushedChanges.Object($0)) },
            updated: try group.updated.map { object in
                var changes = PushedChanges.Object(object)
                if !deleted.isEmpty { changes.dropConsequences(of: deleted, for: object) }
                return try translated(changes)
            },
            deleted: try group.deleted.map { (keys.inner($0.key), try innerRuntime($0.runtime)) })
    }

    private func translated(_ object: PushedChanges.Object) throws -> PushedChanges.Object {
        let runtime = try innerRuntime(object.runtime)
        var result = PushedChanges.Object(
            key: keys.inner(object.key), runtime: runtime,
            reservedKey: object.reservedKey.map { keys.inner($0) },
            // No file has transient values, which come behind those that are stored.
            values: object.values.filter { $0.position < runtime.layout.fields.count }
                .map { ($0.position, keys.inner($0.value)) },
            members: object.members.compactMap { members in
                guard let own = runtime.relationship(like: members.relationship) else { return nil }
                return PushedChanges.Members(
                    own, added: members.added.map { keys.inner($0) },
                    removed: members.removed.map { keys.inner($0) },
                    order: members.order.map { ContiguousArray($0.map { keys.inner($0) }) })
            })
        result.formerVersion = object.formerVersion
        return result
    }

    /// Makes the objects clean: they take the values that their twins have now.
    private func settle(
        _ inserted: [Pair], _ updated: [Pair], _ deleted: ContiguousArray<NSManagedObject>
    ) -> SavedObjects {
        var saved = SavedObjects()
        var permanent: [ObjectKey: ObjectKey] = [:]
        for pair in inserted where pair.twin.context != nil {
            if let key = keys.outer(pair.twin.key), !key.isTemporary {
                permanent[pair.object.key] = key
            }
        }
        context.lineage?.publish(permanent)
        for pair in inserted {
            guard let key = permanent[pair.object.key] else {
                context.forget(pair.object)
                continue
            }
            context.settleSaved(pair.object, as: key, permanent)
            takeValues(pair)
            saved.inserted.append(pair.object)
        }
        for pair in updated {
            guard pair.twin.context != nil else {
                context.forget(pair.object)
                continue
            }
            context.settleSaved(pair.object, as: nil, permanent)
            takeValues(pair)
            saved.updated.append(pair.object)
        }
        for object in deleted {
            if let twin = inner.known(keys.inner(object.key)), !twin.flags.contains(.deleted) {
                // A merge policy has kept it.
                context.discardChanges(of: object)
                context.settleSaved(object, as: nil, permanent)
                takeValues(Pair(object: object, twin: twin))
            } else {
                context.forget(object)
                saved.deleted.append(object)
            }
        }
        return saved
    }

    private func takeValues(_ pair: Pair) {
        let twin = pair.twin
        if twin.isFault { inner.fire(twin) }
        guard let record = twin.currentRecord() else { return }
        let values = InheritedValues(
            record: keys.outer(record, pair.object.runtime),
            largeValues: twin.extras?.ownedRecord == nil
                ? inner.largeValues(of: twin.key, twin.runtime, record)
                : twin.extras?.ownedValues ?? [:])
        pair.object.bind(values, stamp: context.stamp)
    }
}

extension PushedChanges.Object {
    /// Leaves out what the deletion of other objects did to the object: the file's context deletes
    /// them anew, and a merge policy that keeps one keeps its relationships, too.
    fileprivate mutating func dropConsequences(
        of deleted: Set<ObjectKey>, for object: NSManagedObject
    ) {
        values.removeAll { position, value in
            guard value.isNull, case .objectID(let former) = object.storedValue(position) else {
                return false
            }
            return deleted.contains(former)
                && runtime.toOneRelationships.contains { $0.field == position && $0.hasInverse }
        }
        members = members.map { members in
            guard members.relationship.hasInverse else { return members }
            return PushedChanges.Members(
                members.relationship, added: members.added,
                removed: members.removed.filter { !deleted.contains($0) }, order: members.order)
        }
    }
}
