// SPDX-License-Identifier: Apache-2.0

import Schema

/// The unsaved changes of a child context on their way into its parent.
struct PushedChanges {
    /// One changed object: its fields and the members that its relationships won and lost.
    struct Object {
        let key: ObjectKey
        let runtime: EntityRuntime
        let reservedKey: ObjectKey?
        let objectID: NSManagedObjectID?
        /// The store that a new object was assigned to.
        let assignedStore: NSPersistentStore?
        var formerVersion: UInt32 = 0
        /// What the changes are on top of; `nil` for a new object, and one that is pushed whole.
        var base: InheritedValues?
        var values: [(position: Int, value: Value)] = []
        var members: [Members] = []

        init(_ object: NSManagedObject) {
            key = object.key
            runtime = object.runtime
            reservedKey = object.reservedKey
            objectID = object.extras?.objectID
            assignedStore = object.extras?.assignedStore
            formerVersion = object.extras?.formerVersion ?? 0
            base = object.inheritedBase
            if let draft = object.draft {
                for position in runtime.fields.indices {
                    if let value = draft[position] { values.append((position, value)) }
                }
            }
            for relationship in runtime.toManyRelationships {
                guard
                    let state = object.knownToManyState(relationship.toManyIndex),
                    state.hasChanges
                else { continue }
                members.append(Members(relationship, state))
            }
        }

        /// A whole object, for a parent that no longer has the object that the changes belong to.
        init(whole object: NSManagedObject) {
            key = object.key
            runtime = object.runtime
            reservedKey = nil
            objectID = object.extras?.objectID
            assignedStore = object.extras?.assignedStore
            formerVersion = object.currentRecord()?.version ?? 0
            values = runtime.fields.indices.map { ($0, object.knownValue($0)) }
            members = runtime.toManyRelationships.map { relationship in
                let members = object.members(relationship)
                return Members(
                    relationship, added: Array(members), removed: [],
                    order: relationship.isOrdered ? members : nil)
            }
        }
    }

    /// What one to-many relationship has won and lost.
    struct Members {
        let relationship: RelationshipRuntime
        let added: [ObjectKey]
        let removed: [ObjectKey]
        /// All members, where the order of an ordered relationship was changed.
        let order: ContiguousArray<ObjectKey>?

        init(
            _ relationship: RelationshipRuntime, added: [ObjectKey], removed: [ObjectKey],
            order: ContiguousArray<ObjectKey>?
        ) {
            self.relationship = relationship
            self.added = added
            self.removed = removed
            self.order = order
        }

        init(_ relationship: RelationshipRuntime, _ state: ToManyState) {
            self.relationship = relationship
            added =
                state.isOrdered && state.order == nil
                ? Array(state.appended) : state.added.sorted()
            removed = state.removed.sorted()
            order = state.order
        }
    }

    let inserted: [Object]
    let updated: [Object]
    let deleted: [(key: ObjectKey, runtime: EntityRuntime, base: InheritedValues?)]

    /// The changes of a save; `lost` names the updated objects that the parent has no more.
    init(_ saved: SavedObjects, lost: Set<ObjectKey>) {
        inserted = saved.inserted.map { Object($0) }
        updated = saved.updated.map { lost.contains($0.key) ? Object(whole: $0) : Object($0) }
        deleted = saved.deleted.map { ($0.key, $0.runtime, $0.inheritedBase) }
    }
}
