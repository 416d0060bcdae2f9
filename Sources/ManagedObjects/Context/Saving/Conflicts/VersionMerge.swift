// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// What the resolving policies make of an object that another commit changed or deleted.
///
/// Three states meet: the base, which the context read; the object's own, which is the base with a
/// draft on top; and the newest one, in the store.
struct VersionMerge {
    let conflict: NSMergeConflict
    let object: NSManagedObject
    let context: NSManagedObjectContext
    private let newest: RecordView?
    /// The objects that are written anew, which exist although the store does not have them.
    private let recreated: Set<ObjectKey>

    /// `nil` when the object has left its context meanwhile.
    init?(_ conflict: NSMergeConflict, recreated: Set<ObjectKey> = []) {
        guard let context = conflict.sourceObject.context else { return nil }
        self.conflict = conflict
        self.recreated = recreated
        self.context = context
        object = conflict.sourceObject
        newest = context.newestRecord(of: object)
    }

    /// Applies a policy to all conflicts of a save.
    ///
    /// Deletions that it refuses are taken back first, all together: the rules of one deletion may
    /// have deleted another object of the list, or cleared its relationships. Then go those that
    /// others have deleted. Objects that are written anew come last: what they are connected with
    /// is at its newest state then.
    static func apply(_ type: NSMergePolicyType, to conflicts: [NSMergeConflict]) {
        if !keepsObject(type) {
            let refused = conflicts.compactMap { VersionMerge($0) }.filter {
                $0.newest != nil && $0.object.flags.contains(.deleted)
            }
            .map(\.object)
            for object in refused { object.takeBackDeletion() }
            for object in refused { object.regainPartners() }
        }
        let anew = conflicts.filter { VersionMerge($0)?.isRecreated(by: type) == true }
        let keys = Set(anew.map(\.sourceObject.key))
        let gone = conflicts.filter { !keys.contains($0.sourceObject.key) }
            .compactMap { VersionMerge($0) }.filter(\.isGone)
        gone.first?.context.vanish(gone.map(\.object))
        for conflict in conflicts where !keys.contains(conflict.sourceObject.key) {
            VersionMerge(conflict, recreated: keys)?.apply(type)
        }
        let revived = anew.compactMap { VersionMerge($0, recreated: keys) }
            .map { ($0, $0.revive()) }
        for (merge, members) in revived { merge.reconnect(members) }
    }

    private func isRecreated(by type: NSMergePolicyType) -> Bool {
        // A temporary ID without an object names nothing that could be written.
        Self.keepsObject(type) && newest == nil && !object.flags.contains(.deleted)
            && !object.key.isTemporary
    }

    /// Whether others have deleted the object, and it was not deleted here.
    private var isGone: Bool { newest == nil && !object.flags.contains(.deleted) }

    private static func keepsObject(_ type: NSMergePolicyType) -> Bool {
        type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
    }

    private func apply(_ type: NSMergePolicyType) {
        let hasBase = !object.lacksBase
        if newest != nil { object.regainBase() }
        switch (newest, object.flags.contains(.deleted)) {
        // Deleted here as well, or made to leave before.
        case (nil, _): object.rebase()
        case (_?, true):
            object.rebase()
            context.propagateAgain(object)
        case (let newest?, false):
            switch type {
            case .errorMergePolicyType: return
            case .rollbackMergePolicyType: object.takeBackChanges()
            case .overwriteMergePolicyType: writeOver(newest)
            case .mergeByPropertyObjectTrumpMergePolicyType:
                merge(newest, hasBase, storeWins: false)
            case .mergeByPropertyStoreTrumpMergePolicyType:
                merge(newest, hasBase, storeWins: true)
            }
            object.rebase()
        }
    }

    /// Finishes after a policy has returned: an object that it did not touch overwrites the stored
    /// one.
    ///
    /// An untouched object still has the version from before the conflict. An object that the
    /// policy has merged has a newer version; if others have committed again since, it is left to
    /// the next round, because what it took from the store is not a change of its own.
    func settle() {
        if object.flags.contains(.deleted) { return object.rebase() }
        guard let newest else {
            if object.key.isTemporary { return context.vanish([object]) }
            if !conflict.wantsRecreation, object.extras?.ownedRecord != nil {
                reconnect(revive())
            }
            return
        }
        if object.lacksBase { return apply(.overwriteMergePolicyType) }
        if let base = object.extras?.ownedRecord, base.view.version != newest.version,
            Int(base.view.version) == conflict.oldVersionNumber
        {
            apply(.overwriteMergePolicyType)
        }
    }

    /// Keeps what only the object changed, adopts what only the store changed.
    private func merge(_ newest: RecordView, _ hasBase: Bool, storeWins: Bool) {
        guard let draft = object.draft else { return }
        for position in object.runtime.layout.fields.indices {
            guard let own = draft[position] else { continue }
            let base = object.storedValue(position)
            let stored = object.value(position, in: newest)
            let isOwn = hasBase ? own != base && (stored == base || !storeWins) : !storeWins
            let keepsOwn = isOwn && own != stored
            if !keepsOwn {
                object.takeBackField(position, object.runtime.toOne(at: position), base: base)
            } else if stored != base, let relationship = object.runtime.toOne(at: position) {
                object.claim(relationship, insteadOf: stored)
            }
        }
    }

    /// Copies all values into the draft, so that none of the store's values is left.
    private func writeOver(_ newest: RecordView) {
        guard object.currentRecord() != nil else { return }
        object.willModify()
        for position in object.runtime.layout.fields.indices {
            var own = object.knownValue(position)
            let stored = object.value(position, in: newest)
            let relationship = object.runtime.toOne(at: position)
            // The deletion of the destination has cleared it in the stored object.
            if own != stored, relationship != nil, case .objectID(let key) = own,
                existing([key]).isEmpty
            {
                own = .null
            }
            object.requireDraft()[position] = own
            if own != stored, let relationship {
                object.claim(relationship, insteadOf: stored)
            }
        }
    }

    /// Has the object written anew under its key.
    ///
    /// - Returns: The members of its to-many relationships as far as the context knows them; it has
    ///   none for now.
    private func revive() -> [[ObjectKey]] {
        conflict.wantsRecreation = true
        object.willModify()
        let members = object.runtime.toManyRelationships.map { Array(object.members($0)) }
        for position in object.runtime.layout.fields.indices {
            object.requireDraft()[position] = object.knownValue(position)
        }
        object.rebase()
        object.flags.remove([.inaccessible, .gone])
        for relationship in object.runtime.toManyRelationships {
            object.toManyState(relationship.toManyIndex).reset()
        }
        return members
    }

    /// Gives the object its relationships again.
    ///
    /// The deletion has removed it from its destinations, so it is added to them again, unless they
    /// are gone, too.
    private func reconnect(_ members: [[ObjectKey]]) {
        for relationship in object.runtime.toOneRelationships where relationship.field >= 0 {
            guard case .objectID(let key) = object.fieldValue(relationship.field) else { continue }
            object.requireDraft()[relationship.field] = .null
            if let destination = existing([key]).first {
                object.setDestination(relationship, destination)
            }
        }
        for (relationship, keys) in zip(object.runtime.toManyRelationships, members) {
            for destination in existing(keys) { object.insert(destination, into: relationship) }
        }
    }

    /// The objects of those keys that are not deleted, here or in the store, at their newest state:
    /// one that only repeats that it was connected would take the connection for unchanged.
    private func existing(_ keys: some Sequence<ObjectKey>) -> [NSManagedObject] {
        keys.compactMap { key in
            guard let object = context.object(for: key), !object.isDeleted else { return nil }
            if object.isInserted || recreated.contains(key) { return object }
            guard context.newestRecord(of: object) != nil else { return nil }
            object.followNewest()
            return object
        }
    }
}
