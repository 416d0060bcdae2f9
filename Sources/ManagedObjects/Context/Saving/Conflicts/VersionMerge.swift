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

    /// `nil` when the object has left its context meanwhile.
    init?(_ conflict: NSMergeConflict) {
        guard let context = conflict.sourceObject.context else { return nil }
        self.conflict = conflict
        self.context = context
        object = conflict.sourceObject
        newest = context.newestRecord(of: object)
    }

    /// Applies a policy to all conflicts of a save.
    ///
    /// Deletions that it refuses are taken back first, all together: the rules of one deletion may
    /// have deleted another object of the list, or cleared its relationships.
    static func apply(_ type: NSMergePolicyType, to conflicts: [NSMergeConflict]) {
        if !keepsObject(type) {
            let refused = conflicts.compactMap(VersionMerge.init).filter {
                $0.newest != nil && $0.object.flags.contains(.deleted)
            }
            .map(\.object)
            for object in refused { object.takeBackDeletion() }
            for object in refused { object.regainPartners() }
        }
        for conflict in conflicts { VersionMerge(conflict)?.apply(type) }
    }

    private static func keepsObject(_ type: NSMergePolicyType) -> Bool {
        type == .mergeByPropertyObjectTrumpMergePolicyType || type == .overwriteMergePolicyType
    }

    private func apply(_ type: NSMergePolicyType) {
        // A temporary ID without an object names nothing that could be written.
        let isNobody = object.key.isTemporary
        let keepsObject = Self.keepsObject(type)
        switch (newest, object.flags.contains(.deleted)) {
        case (nil, true): object.rebase()
        case (nil, false): if keepsObject, !isNobody { recreate() } else { object.vanish() }
        case (_?, true):
            object.rebase()
            context.propagateAgain(object)
        case (let newest?, false):
            switch type {
            case .errorMergePolicyType: return
            case .rollbackMergePolicyType: object.takeBackChanges()
            case .overwriteMergePolicyType: writeOver(newest)
            case .mergeByPropertyObjectTrumpMergePolicyType: merge(newest, storeWins: false)
            case .mergeByPropertyStoreTrumpMergePolicyType: merge(newest, storeWins: true)
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
            if object.key.isTemporary { return object.vanish() }
            if !conflict.wantsRecreation, object.extras?.ownedRecord != nil { recreate() }
            return
        }
        if let base = object.extras?.ownedRecord, base.view.version != newest.version,
            Int(base.view.version) == conflict.oldVersionNumber
        {
            apply(.overwriteMergePolicyType)
        }
    }

    private func toOne(_ position: Int) -> RelationshipRuntime? {
        object.runtime.toOneRelationships.first { $0.field == position }
    }

    /// Keeps what only the object changed, adopts what only the store changed.
    private func merge(_ newest: RecordView, storeWins: Bool) {
        guard let draft = object.draft else { return }
        for position in object.runtime.layout.fields.indices {
            guard let own = draft[position] else { continue }
            let base = object.storedValue(position)
            let stored = object.value(position, in: newest)
            let keepsOwn = own != base && own != stored && (stored == base || !storeWins)
            if !keepsOwn {
                object.takeBackField(position, toOne(position), base: base)
            } else if stored != base, let relationship = toOne(position) {
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
            let relationship = toOne(position)
            // The deletion of the destination has cleared it in the stored object.
            if own != stored, relationship != nil, case .objectID(let key) = own,
                context.existing([key]).isEmpty
            {
                own = .null
            }
            object.requireDraft()[position] = own
            if own != stored, let relationship {
                object.claim(relationship, insteadOf: stored)
            }
        }
    }

    /// Has the object written anew under its key, with its relationships.
    ///
    /// The deletion has removed it from its destinations, so it is added to them again, unless they
    /// are gone, too.
    private func recreate() {
        conflict.wantsRecreation = true
        object.willModify()
        let toMany = object.runtime.toManyRelationships.map { relationship in
            (relationship, context.existing(object.members(relationship)))
        }
        for position in object.runtime.layout.fields.indices {
            object.requireDraft()[position] = object.knownValue(position)
        }
        object.rebase()
        object.flags.remove([.inaccessible, .gone])
        for relationship in object.runtime.toOneRelationships where relationship.field >= 0 {
            guard case .objectID(let key) = object.fieldValue(relationship.field) else { continue }
            object.requireDraft()[relationship.field] = .null
            if let destination = context.existing([key]).first {
                object.setDestination(relationship, destination)
            }
        }
        for (relationship, destinations) in toMany {
            object.toManyState(relationship.toManyIndex).reset()
            for destination in destinations { object.insert(destination, into: relationship) }
        }
    }
}

extension NSManagedObjectContext {
    /// The objects of those keys that are not deleted, here or in the store.
    fileprivate final func existing(_ keys: some Sequence<ObjectKey>) -> [NSManagedObject] {
        keys.compactMap { key in
            guard let object = object(for: key), !object.isDeleted else { return nil }
            return object.isInserted || newestRecord(of: object) != nil ? object : nil
        }
    }
}
