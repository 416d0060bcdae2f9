// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// Makes both sides of relationships agree where objects were changed here and by others.
///
/// A merge policy decides about each object separately: it may take one side of a relationship from
/// the store and keep the other. So every object of the save is then compared with the newest
/// state. A merge puts unsaved changes on top of new values, object by object, too. In a
/// one-to-many relationship the to-one side wins, as it is the object's own value; in a one-to-one,
/// the side that was changed here; in a many-to-many, the additions and removals made here.
/// References to objects deleted here or in the store are removed.
struct InverseRepair {
    /// What the changes are compared with.
    private enum Basis {
        /// The newest state of the file that a save writes into, by its tag.
        case newest(Int)
        /// What the objects know, after a merge has brought them up to date.
        case known
    }

    private let context: NSManagedObjectContext
    private let basis: Basis
    private var waiting: [NSManagedObject]
    private let deleted: [NSManagedObject]
    /// How often each object was checked, as one repair may call for another, but not endlessly.
    private var looks: [ObjectIdentifier: Int] = [:]

    /// Objects that are written anew because another commit has deleted them.
    private let recreated: Set<ObjectKey>
    /// The objects that changed ones lead to, kept until the end: a context lets go of clean ones,
    /// and an owner that is made anew for each of its members reads all of them each time.
    private var partners: [ObjectIdentifier: NSManagedObject] = [:]

    /// Repairs all changed objects of a save.
    init(_ context: NSManagedObjectContext, _ tag: Int, recreated: Set<ObjectKey>) {
        self.context = context
        self.recreated = recreated
        basis = .newest(tag)
        waiting = Array(context.changes.liveInserted) + Array(context.changes.liveUpdated)
        deleted = context.changes.deleted.filter { $0.flags.contains(.deleted) }
    }

    /// Repairs the changed objects that a merge concerns: those that others have saved, too, and
    /// those that were connected here with what others have saved, or separated from it.
    init(merging keys: Set<ObjectKey>, into context: NSManagedObjectContext) {
        self.context = context
        recreated = []
        basis = .known
        let changes = context.changes
        waiting = (Array(changes.liveInserted) + Array(changes.liveUpdated)).filter {
            $0.runtime.hasRelationships && (keys.contains($0.key) || $0.hasChangedLinks(to: keys))
        }
        deleted = changes.deleted.filter { $0.flags.contains(.deleted) && keys.contains($0.key) }
    }

    mutating func run() {
        for object in deleted { takeOut(object) }
        while let object = waiting.popLast() {
            let count = looks[ObjectIdentifier(object), default: 0]
            // Objects of another store are merged when their own is written.
            guard count < 4, isOfFile(object), isAlive(object) else { continue }
            looks[ObjectIdentifier(object)] = count + 1
            guard follow(object) else { continue }
            for relationship in object.runtime.relationships
            where !relationship.relationship.isTransient {
                if relationship.isToMany {
                    repairMembers(of: object, relationship)
                } else if relationship.field >= 0 {
                    repairDestination(of: object, relationship)
                }
            }
        }
    }

    // MARK: What is there

    private func isOfFile(_ object: NSManagedObject) -> Bool {
        guard case .newest(let tag) = basis else { return true }
        return object.key.isTemporary || object.key.tag == tag
    }

    /// Brings an object to the state that is compared; false if it has to stay at its own.
    @discardableResult
    private func follow(_ object: NSManagedObject) -> Bool {
        if case .known = basis {
            // It may not be among what was merged or refreshed.
            object.catchUp()
            return true
        }
        return object.followNewest()
    }

    private func isAlive(_ object: NSManagedObject) -> Bool {
        if case .known = basis { object.realise() }
        guard object.context === context,
            object.flags.isDisjoint(with: [.deleted, .inaccessible])
        else { return false }
        if case .known = basis { return true }
        return object.isInserted || recreated.contains(object.key)
            || context.newestRecord(of: object) != nil
    }

    /// The object of a key, at its newest state, unless it is deleted.
    private mutating func living(_ key: ObjectKey) -> NSManagedObject? {
        guard let object = context.object(for: key), isAlive(object) else { return nil }
        partners[ObjectIdentifier(object)] = object
        follow(object)
        return object
    }

    private func record(_ object: NSManagedObject) -> RecordView? {
        if case .known = basis { return object.currentRecord() }
        return context.newestRecord(of: object)
    }

    private mutating func living(_ value: Value) -> NSManagedObject? {
        guard case .objectID(let key) = value else { return nil }
        return living(key)
    }

    /// The value of a field without unsaved changes; null for a new object.
    private func stored(_ object: NSManagedObject, _ field: Int) -> Value {
        if case .known = basis { return object.isInserted ? .null : object.storedValue(field) }
        guard !object.isInserted, let record = context.newestRecord(of: object) else {
            return .null
        }
        return object.value(field, in: record)
    }

    // MARK: To-one relationships

    private mutating func repairDestination(
        of object: NSManagedObject, _ relationship: RelationshipRuntime
    ) {
        // What is as it was saved agrees already, unless a policy took it from the store.
        if case .known = basis, object.draftValue(relationship.field) == nil { return }
        let own = object.fieldValue(relationship.field)
        let destination = living(own)
        if destination == nil, !own.isNull { object.setField(relationship.field, .null) }
        guard relationship.hasInverse else { return }
        let stored = stored(object, relationship.field)
        let isOwn = own != stored
        if isOwn || destination == nil, let former = living(stored), former !== destination,
            let inverse = relationship.inverse(in: former.runtime)
        {
            waiting.append(former)
            former.drop(object, by: inverse)
        }
        guard let destination, let inverse = relationship.inverse(in: destination.runtime),
            !destination.leads(to: object, by: inverse)
        else { return }
        waiting.append(destination)
        if inverse.isToMany {
            destination.lead(to: object, by: inverse)
        } else {
            pair(object, isOwn, relationship, destination, inverse)
        }
    }

    /// Repairs a one-to-one relationship whose destination does not point back.
    private mutating func pair(
        _ object: NSManagedObject, _ isOwn: Bool, _ relationship: RelationshipRuntime,
        _ destination: NSManagedObject, _ inverse: RelationshipRuntime
    ) {
        let back = destination.fieldValue(inverse.field)
        let isBackOwn = back != stored(destination, inverse.field)
        let rival = living(back)
        // Another entity of the family may keep it in another field.
        let rivalSide = rival.flatMap { inverse.inverse(in: $0.runtime) }
        let rivalStays = rivalSide.map { rival?.leads(to: destination, by: $0) == true } ?? false
        if isBackOwn, rivalStays || !isOwn {
            return object.setField(relationship.field, .null)
        }
        if let rival, let rivalSide, rivalStays {
            waiting.append(rival)
            rival.setField(rivalSide.field, .null)
        }
        destination.setField(inverse.field, .objectID(object.key))
    }

    // MARK: To-many relationships

    private mutating func repairMembers(
        of object: NSManagedObject, _ relationship: RelationshipRuntime
    ) {
        guard let known = object.knownToManyState(relationship.toManyIndex), known.hasChanges else {
            return
        }
        let state = object.loadedState(relationship)
        for key in state.added {
            guard let member = living(key) else {
                state.remove(key)
                noteRefreshed(object)
                continue
            }
            guard let inverse = relationship.inverse(in: member.runtime),
                !member.leads(to: object, by: inverse)
            else { continue }
            if inverse.isToMany {
                waiting.append(member)
                member.lead(to: object, by: inverse)
            } else {
                state.remove(key)
                noteRefreshed(object)
            }
        }
        for key in state.removed where !state.contains(key) {
            guard let member = living(key), let inverse = relationship.inverse(in: member.runtime),
                member.leads(to: object, by: inverse)
            else { continue }
            if inverse.isToMany {
                waiting.append(member)
                member.drop(object, by: inverse)
            } else {
                state.add(key)
                noteRefreshed(object)
            }
        }
        dropDead(of: object, relationship, state)
    }

    /// A merge tells of what it has changed by itself.
    private func noteRefreshed(_ object: NSManagedObject) {
        if case .newest = basis { object.noteRefreshed() }
    }

    /// Removes members from a changed order that have been deleted from the store since.
    private mutating func dropDead(
        of object: NSManagedObject, _ relationship: RelationshipRuntime, _ state: ToManyState
    ) {
        guard relationship.isOrdered else { return }
        for key in state.members where living(key) == nil {
            state.remove(key)
            noteRefreshed(object)
        }
    }

    // MARK: Deletions

    /// Removes a deleted object from all relationships that point to it in the newest state.
    private mutating func takeOut(_ object: NSManagedObject) {
        guard isOfFile(object), !object.isInserted, let record = record(object) else { return }
        for relationship in object.runtime.relationships
        where relationship.hasInverse && !relationship.relationship.isTransient {
            let keys = object.newestDestinations(relationship, in: record)
            for key in keys {
                guard let partner = living(key),
                    let inverse = relationship.inverse(in: partner.runtime)
                else { continue }
                waiting.append(partner)
                partner.drop(object, by: inverse)
            }
        }
    }
}

extension NSManagedObject {
    /// Whether an unsaved change connects the object with one of others, or separates it.
    fileprivate final func hasChangedLinks(to keys: Set<ObjectKey>) -> Bool {
        func isOne(_ value: Value) -> Bool {
            guard case .objectID(let key) = value else { return false }
            return keys.contains(key)
        }
        for relationship in runtime.toOneRelationships where relationship.field >= 0 {
            guard let own = draftValue(relationship.field) else { continue }
            if isOne(own) || !isInserted && isOne(storedValue(relationship.field)) { return true }
        }
        for case let state? in extras?.toMany ?? [] where state.hasChanges {
            if state.added.contains(where: { keys.contains($0) })
                || state.removed.contains(where: { keys.contains($0) })
            {
                return true
            }
        }
        return false
    }
}
