// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// Undoing changes of one object, with what they did to other objects of its context.
extension NSManagedObject {
    /// Drops the local value of a field.
    final func takeBackField(_ position: Int, _ toOne: RelationshipRuntime?, base: Value) {
        guard let draft else { return }
        if let toOne, toOne.hasInverse, let own = draft[position], own != base, let context {
            if case .objectID(let key) = own, let destination = context.object(for: key),
                let inverse = toOne.inverse(in: destination.runtime)
            {
                destination.lose(self, inverse)
            }
            if case .objectID(let key) = base { context.registry[key]?.regain(self, toOne) }
        }
        // Unlike other changes this one comes without a setter.
        noteUnindexed()
        draft[position] = nil
    }

    /// Takes a former member back, if it was lost locally.
    private final func regain(_ object: NSManagedObject, _ relationship: RelationshipRuntime) {
        guard let inverse = relationship.inverse(in: runtime) else { return }
        if inverse.isToMany {
            guard let state = knownToManyState(inverse.toManyIndex),
                state.removed.contains(object.key)
            else { return }
            state.add(object.key)
            noteRefreshed()
        } else if draftValue(inverse.field) == .null,
            storedValue(inverse.field) == .objectID(object.key)
        {
            draft?[inverse.field] = nil
            noteRefreshed()
        }
    }

    /// Keeps the object's own destination although the store has another one.
    final func claim(_ relationship: RelationshipRuntime, insteadOf stored: Value) {
        guard relationship.hasInverse, let context else { return }
        if case .objectID(let key) = stored, let other = context.object(for: key),
            let inverse = relationship.inverse(in: other.runtime)
        {
            // Else the change of its members would make its other values changes as well.
            other.followNewest()
            other.lose(self, inverse)
        }
        guard let own = destination(relationship.field) else { return }
        own.followNewest()
        own.remember(self, inverseOf: relationship)
    }

    /// Drops all changes, with what they did on the other sides of relationships.
    final func takeBackChanges() {
        for relationship in runtime.toOneRelationships where relationship.field >= 0 {
            takeBackField(
                relationship.field, relationship, base: storedValue(relationship.field))
        }
        var moved: [(index: Int, key: ObjectKey)] = []
        for relationship in runtime.toManyRelationships where relationship.hasInverse {
            guard let state = knownToManyState(relationship.toManyIndex) else { continue }
            for key in state.added { context?.object(for: key)?.drop(self, relationship) }
            for key in state.removed {
                guard let member = context?.registry[key] else { continue }
                member.regain(self, relationship)
                if member.hasMoved(from: self, relationship) {
                    moved.append((relationship.toManyIndex, key))
                }
            }
        }
        context?.discardChanges(of: self)
        for (index, key) in moved {
            willModify()
            toManyState(index).remove(key)
        }
    }

    /// Whether the object belongs to another owner by now.
    private final func hasMoved(
        from owner: NSManagedObject, _ relationship: RelationshipRuntime
    ) -> Bool {
        guard let inverse = relationship.inverse(in: runtime), !inverse.isToMany,
            case .objectID(let key)? = draftValue(inverse.field)
        else { return false }
        return key != owner.key
    }

    /// Forgets that an object was added here through a relationship of its own.
    private final func drop(_ object: NSManagedObject, _ relationship: RelationshipRuntime) {
        guard let inverse = relationship.inverse(in: runtime) else { return }
        guard !inverse.isToMany else { return lose(object, inverse) }
        guard case .objectID(object.key)? = draftValue(inverse.field) else { return }
        let base = storedValue(inverse.field)
        draft?[inverse.field] = isInserted ? .null : nil
        noteRefreshed()
        if case .objectID(let key) = base { context?.registry[key]?.regain(self, inverse) }
    }

    /// Cancels a pending deletion: the object is what the store says.
    ///
    /// What delete rules have done to it does not count as its own change.
    final func takeBackDeletion() {
        guard let context else { return }
        context.revive(self, reconnects: false)
        takeNewestState()
    }

    /// Drops all changes but transient values: the object is what the store says.
    final func takeNewestState() {
        keepTransientValues()
        for state in extras?.toMany ?? [] { state?.discard() }
        rebase()
    }

    /// Moves an outdated object to the newest state; false if it stays outdated.
    ///
    /// An object without a net change only repeats what it has read. One with a change is left to
    /// the policy: it was changed by a commit since the conflicts were found, so the next attempt
    /// finds this one as well.
    @discardableResult
    final func followNewest() -> Bool {
        guard let base = extras?.ownedRecord, let newest = context?.newestRecord(of: self),
            base.view.version != newest.version
        else { return true }
        if differs(from: base.view, runtime.layout) { return false }
        takeNewestState()
        return true
    }

    /// The destinations of a relationship in the newest state, given the object's record there.
    final func newestDestinations(
        _ relationship: RelationshipRuntime, in record: RecordView
    ) -> ContiguousArray<ObjectKey> {
        if relationship.isToMany { return context?.storedMembers(of: self, relationship) ?? [] }
        guard relationship.field >= 0,
            case .objectID(let key) = value(relationship.field, in: record)
        else { return [] }
        return [key]
    }

    /// Adds the object back to its stored partners, where its deletion removed it from them.
    final func regainPartners() {
        guard let context, let newest = context.newestRecord(of: self) else { return }
        for relationship in runtime.relationships
        where relationship.hasInverse && !relationship.relationship.isTransient {
            for key in newestDestinations(relationship, in: newest) {
                context.registry[key]?.regain(self, relationship)
            }
        }
    }

    /// Leaves the context with its next save, as another commit deleted the object.
    ///
    /// Its record is gone already, so there is nothing to write, and no rule to apply.
    fileprivate final func vanish() {
        flags.insert([.inaccessible, .deleted, .propagated])
        rebase()
        for state in extras?.toMany ?? [] { state?.reset() }
        draft = RecordDraft.make(
            values: ContiguousArray(repeating: .null, count: runtime.fields.count))
        context?.changes.deleted.append(self)
    }
}

extension NSManagedObjectContext {
    /// Has objects that another commit deleted leave with the next save; nothing leads to them
    /// then.
    final func vanish(_ objects: [NSManagedObject]) {
        if objects.isEmpty { return }
        for object in objects { object.vanish() }
        // All at once, as it looks at each unsaved change.
        var replacements: [ObjectKey: ObjectKey?] = [:]
        for object in objects { replacements.updateValue(nil, forKey: object.key) }
        replacePointers(replacements)
        forgetDestinations(replacements)
    }

    /// Has destinations that were read be read anew where some of them leave: of an owner without
    /// a change there is no conflict.
    private final func forgetDestinations(_ leaving: [ObjectKey: ObjectKey?]) {
        let owners = registry.objects { !$0.flags.contains(.fault) && $0.runtime.hasRelationships }
        for owner in owners {
            for relationship in owner.runtime.toManyRelationships
            where !relationship.relationship.isTransient {
                guard let state = owner.knownToManyState(relationship.toManyIndex),
                    state.stored?.contains(where: { leaving[$0] != nil }) == true
                else { continue }
                state.forgetStored()
                owner.noteRefreshed()
            }
            let leads = owner.runtime.toOneRelationships.contains { relationship in
                guard relationship.field >= 0,
                    case .objectID(let key) = owner.storedValue(relationship.field)
                else { return false }
                return leaving[key] != nil
            }
            if leads { owner.followNewest() }
        }
    }

    /// Makes changed objects point to other objects, or to none: one of another entity than a
    /// relationship takes, as constraints hold among siblings, is none.
    final func replacePointers(_ replacements: [ObjectKey: ObjectKey?]) {
        for object in Array(changes.liveInserted) + Array(changes.liveUpdated) {
            if let draft = object.draft {
                for position in object.runtime.fields.indices {
                    guard case .objectID(let key)? = draft[position],
                        let replacement = replacements[key]
                    else { continue }
                    let isTaken = isTaken(replacement, by: object.runtime.toOne(at: position))
                    draft[position] = isTaken ? replacement.map { .objectID($0) } ?? .null : .null
                    object.noteRefreshed()
                }
            }
            guard let states = object.extras?.toMany else { continue }
            for (relationship, state) in zip(object.runtime.toManyRelationships, states) {
                guard let state, !state.added.isEmpty else { continue }
                for old in state.added {
                    guard let replacement = replacements[old] else { continue }
                    state.remove(old)
                    object.noteRefreshed()
                    if let replacement, isTaken(replacement, by: relationship) {
                        state.add(replacement)
                    }
                }
            }
        }
    }

    private final func isTaken(
        _ key: ObjectKey?, by relationship: RelationshipRuntime?
    ) -> Bool {
        guard let key, let relationship, let object = known(key) else { return true }
        return relationship.leads(to: object)
    }
}
