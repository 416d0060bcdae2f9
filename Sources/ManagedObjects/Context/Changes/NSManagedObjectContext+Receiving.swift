// SPDX-License-Identifier: Apache-2.0

import Schema

/// What a parent does with the changes of a child; everything here runs on the parent's queue.
extension NSManagedObjectContext {
    /// Takes over the changes of a child, as if they had been made here one by one.
    ///
    /// What the child changed replaces what is here, but for members that this context has added to
    /// relationships or taken out meanwhile. Inverses are maintained anew, as this context may have
    /// changed the other side. Changes on top of a record that others have replaced since are left
    /// there, see `takeOlderBase(_:of:)`.
    final func receive(_ push: PushedChanges) {
        adoptIfNeeded()
        var objects: [NSManagedObject] = []
        var revived: [NSManagedObject] = []
        for pushed in push.inserted {
            let object = revive(pushed) ?? regain(pushed)
            if let object { revived.append(object) }
            objects.append(object ?? insert(pushed))
        }
        for object in revived { object.reconnectPartners() }
        for (object, pushed) in zip(objects, push.inserted) {
            if !object.isInserted { dropMembers(of: object, beside: pushed) }
            apply(pushed, to: object)
            noteOvertaken(object, by: pushed)
        }
        for pushed in push.updated where isAnybody(pushed.key) {
            let object = relative(pushed.key, pushed.runtime)
            guard !object.flags.contains(.deleted) else { continue }
            if object.flags.contains(.gone) {
                object.requireExtras().formerVersion = pushed.formerVersion
            }
            takeOlderBase(pushed.base, of: object)
            apply(pushed, to: object)
        }
        for (key, runtime, base) in push.deleted where isAnybody(key) {
            let object = fired(key, runtime)
            takeOlderBase(base, of: object)
            delete(object)
        }
        processPendingChanges()
    }

    /// The objects whose records are gone, which a child that has them still is about to change.
    ///
    /// Also returns the objects, with their faults fired, as the changes are made to them next.
    final func lostObjects(
        among twins: [(key: ObjectKey, runtime: EntityRuntime)]
    ) -> (lost: Set<ObjectKey>, objects: [NSManagedObject]) {
        adoptIfNeeded()
        var lost = Set<ObjectKey>()
        let objects = twins.filter { isAnybody($0.key) }.map { key, runtime in
            let object = fired(key, runtime)
            if object.flags.contains(.gone) { lost.insert(key) }
            return object
        }
        return (lost, objects)
    }

    /// The object of a child's key, no fault unless it is deleted here.
    private final func fired(_ key: ObjectKey, _ runtime: EntityRuntime) -> NSManagedObject {
        let object = relative(key, runtime)
        if object.isFault, !object.flags.contains(.deleted) { fire(object) }
        return object
    }

    /// False for an object that was never saved to the store and is gone from this context and
    /// those beneath, by a rollback, a reset or an undo: there is nothing left to change.
    private final func isAnybody(_ key: ObjectKey) -> Bool {
        let key = currentKey(of: key)
        return !key.isTemporary || runtimeOfUnsaved(key) != nil
    }

    private final func insert(_ pushed: PushedChanges.Object) -> NSManagedObject {
        // The object may have been requested by its ID before the child saved it.
        let object =
            known(pushed.key)
            ?? pushed.runtime.objectClass.init(
                entity: pushed.runtime.description, insertInto: nil)
        register(object, key: pushed.key)
        if let objectID = pushed.objectID, objectID.isTemporaryID {
            object.requireExtras().objectID = objectID
        }
        if let store = pushed.assignedStore { object.requireExtras().assignedStore = store }
        if let reservedKey = pushed.reservedKey {
            reserve(reservedKey, for: object)
            if pushed.formerVersion > 0 { noteFormer(object, version: pushed.formerVersion) }
        }
        object.awakeFromInsert()
        object.countPrimitives()
        return object
    }

    /// Takes back the deletion of an object that the child has pushed earlier and undone since.
    ///
    /// The child knows an object of the store under a temporary key by now, for which it gets the
    /// former one. One that only a parent of this context has kept its temporary key.
    private final func revive(_ pushed: PushedChanges.Object) -> NSManagedObject? {
        let key = pushed.reservedKey ?? pushed.key
        guard let object = registry[key], object.flags.contains(.deleted) else { return nil }
        revive(object, reconnects: false)
        publish(key, of: pushed)
        return object
    }

    /// The object whose deletion the child has pushed earlier and undone since, where this context
    /// has taken the deletion back already: it has its record, and nothing is to be inserted.
    private final func regain(_ pushed: PushedChanges.Object) -> NSManagedObject? {
        guard let key = pushed.reservedKey, pushed.formerVersion > 0 else { return nil }
        let object = relative(key, pushed.runtime)
        if object.isFault {
            guard (try? bindNewest(object)) == true else { return nil }
            finishFiring(object)
        }
        guard object.flags.isDisjoint(with: [.gone, .inaccessible, .deleted]) else { return nil }
        publish(key, of: pushed)
        return object
    }

    /// Notes that others have changed or written anew what the child had deleted and has brought
    /// back: its values are on top of a record that is not there any more.
    private final func noteOvertaken(_ object: NSManagedObject, by pushed: PushedChanges.Object) {
        guard object.isUpdated, pushed.formerVersion > 0, let record = object.currentRecord(),
            record.version != pushed.formerVersion
        else { return }
        object.requireExtras().formerVersion = pushed.formerVersion
    }

    /// Puts an object back on the record that the child's changes are on top of, if others have
    /// replaced it since: as if the child had read through an object that was here all the time.
    ///
    /// So the root's save finds what others have saved, whether the object was read here or not.
    /// What the root has saved itself, merged or refreshed is replaced without a comparison.
    private final func takeOlderBase(_ base: InheritedValues?, of object: NSManagedObject) {
        guard let base, !object.isInserted,
            object.flags.isDisjoint(with: [.fault, .gone, .inaccessible, .deleted]),
            let record = object.currentRecord(), record.version > base.record.view.version,
            familyLineage.seenVersion(of: object.key) != record.version,
            let own = copyThere(base, of: object.key, object.runtime)
        else { return }
        object.bind(own, stamp: stamp)
        object.readStamp = 0
    }

    /// Notes the newest versions of objects that this context has merged or refreshed, if it is a
    /// root with descendants.
    ///
    /// Its snapshot is the newest one.
    final func noteSeen(_ keys: some Sequence<ObjectKey>) {
        guard source == nil, let lineage, lineage.isWatched else { return }
        var versions: [ObjectKey: UInt32] = [:]
        for key in keys where !key.isTemporary {
            do { versions[key] = try newestVersion(of: key) } catch { lastReadError = error }
        }
        lineage.noteSeen(versions)
    }

    private final func newestVersion(of key: ObjectKey) throws -> UInt32? {
        guard key.isElsewhere else {
            return try CoreDataError.mapping { try requireSnapshot().record(for: key)?.version }
        }
        guard let runtime = runtime(of: key), !(store(of: key) is NSIncrementalStore) else {
            return nil
        }
        let values = try rows(holding: key).values(of: key, runtime)
        // The view is of the copy.
        return withExtendedLifetime(values) { values?.record.view.version }
    }

    /// Tells the child that an object which it knows by a temporary key has the former one again.
    private final func publish(_ key: ObjectKey, of pushed: PushedChanges.Object) {
        if key == pushed.key { return }
        familyLineage.publish([pushed.key: key])
    }

    /// Removes the members that a revived object has only in the parent.
    private final func dropMembers(
        of object: NSManagedObject, beside pushed: PushedChanges.Object
    ) {
        for relationship in object.runtime.toManyRelationships
        where !relationship.relationship.isTransient {
            let members = pushed.members.first { $0.relationship === relationship }
            let kept = Set(
                (members?.order.map(Array.init) ?? members?.added ?? [])
                    .compactMap { destination($0)?.key })
            for member in object.destinations(relationship) where !kept.contains(member.key) {
                object.remove(member, from: relationship)
            }
        }
    }

    private final func apply(_ pushed: PushedChanges.Object, to object: NSManagedObject) {
        let runtime = object.runtime
        for (position, value) in pushed.values {
            guard let relationship = runtime.toOne(at: position) else {
                object.setValue(value, settledAt: position)
                continue
            }
            if case .objectID(let key) = value {
                guard let destination = destination(key) else { continue }
                object.setDestination(relationship, destination)
            } else {
                object.setDestination(relationship, nil)
            }
        }
        for members in pushed.members {
            if let order = members.order {
                apply(order, members, to: object)
                continue
            }
            let added = members.added.compactMap { destination($0) }
            if members.relationship.isOrdered, !Set(members.added).isDisjoint(with: members.removed)
            {
                // Some have only moved to the end, which does not affect their inverses.
                moveToEnd(added, of: object, members)
                continue
            }
            for case let member? in members.removed.map({ destination($0) }) {
                object.remove(member, from: members.relationship)
            }
            for member in added { object.insert(member, into: members.relationship) }
            guard members.relationship.isOrdered,
                !object.members(members.relationship).suffix(added.count)
                    .elementsEqual(added.map(\.key))
            else { continue }
            // The other sides came first, in an order of their own.
            moveToEnd(added, of: object, members)
        }
    }

    /// Gives an ordered relationship the child's order, and keeps what changed here meanwhile.
    ///
    /// The rules are those for two contexts of a store: members added in this context come last,
    /// and members removed here stay out, unless the child added them anew.
    private final func apply(
        _ order: ContiguousArray<ObjectKey>, _ members: PushedChanges.Members,
        to object: NSManagedObject
    ) {
        let current = object.destinations(members.relationship)
        let present = Set(current.map(\.key))
        let added = Set(members.added)
        let removed = Set(members.removed.compactMap { destination($0)?.key })
        var list: [NSManagedObject] = []
        for key in order {
            guard let member = destination(key), added.contains(key) || present.contains(member.key)
            else { continue }
            list.append(member)
        }
        let listed = Set(list.map(\.key))
        list += current.filter { !listed.contains($0.key) && !removed.contains($0.key) }
        object.replaceInOrder(list, of: members.relationship)
    }

    private final func moveToEnd(
        _ added: [NSManagedObject], of object: NSManagedObject, _ members: PushedChanges.Members
    ) {
        let removed = Set(members.removed.compactMap { destination($0)?.key })
        let moved = Set(added.map(\.key))
        let rest = object.destinations(members.relationship).filter {
            !removed.contains($0.key) && !moved.contains($0.key)
        }
        object.replaceInOrder(rest + added, of: members.relationship)
    }

    private final func destination(_ key: ObjectKey) -> NSManagedObject? {
        known(key) ?? object(for: currentKey(of: key))
    }
}
