// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// The unsaved changes of an object at some moment, to find later changes by comparing.
struct ObjectImage {
    let object: NSManagedObject
    private let draft: RecordDraft?
    private let members: [MemberImage?]

    init(_ object: NSManagedObject) {
        self.object = object
        draft = object.draft?.copy()
        members = object.extras?.toMany.map { $0.map { MemberImage($0) } } ?? []
    }

    /// The value that a field had.
    func value(_ position: Int) -> Value { draft?[position] ?? object.storedValue(position) }

    /// The fields that have another value now, with the value that they had.
    ///
    /// What primitive setters have written does not count.
    var changedFields: [(position: Int, value: Value)] {
        var changed: [(position: Int, value: Value)] = []
        for position in object.runtime.fields.indices {
            let old = draft?[position]
            let new = object.draftValue(position)
            if old == nil, new == nil { continue }
            if let new, object.extras?.isPrimitive(new, position) == true { continue }
            let before = old ?? object.storedValue(position)
            if before != new ?? object.storedValue(position) { changed.append((position, before)) }
        }
        return changed
    }

    /// The to-many relationships that have other destinations now.
    var changedMembers: [MemberChange] {
        var changed: [MemberChange] = []
        for (index, state) in (object.extras?.toMany ?? []).enumerated() {
            guard let state, object.extras?.isPrimitive(MemberImage(state), index) != true else {
                continue
            }
            let old = members[safe: index].flatMap { $0 } ?? MemberImage()
            if state.isOrdered, state.stored == nil, old != MemberImage(state) {
                // Changed from the other side: only the store knows the members' places.
                _ = object.members(object.runtime.toManyRelationships[index])
            }
            if let change = MemberChange(index, from: old, to: MemberImage(state), state) {
                changed.append(change)
            }
        }
        return changed
    }
}

/// The unsaved changes of a to-many relationship at some moment.
struct MemberImage: Equatable {
    let added: KeySet
    let removed: KeySet
    /// What was added to the end of an ordered relationship.
    let appended: ContiguousArray<ObjectKey>
    /// All of an ordered relationship, where its order was changed.
    let order: ContiguousArray<ObjectKey>?

    init() {
        added = []
        removed = []
        appended = []
        order = nil
    }

    init(_ state: ToManyState) {
        added = state.added
        removed = state.removed
        appended = state.appended
        order = state.order
    }

    /// All destinations, on top of what is stored.
    fileprivate func members(
        over stored: ContiguousArray<ObjectKey>
    ) -> ContiguousArray<ObjectKey> {
        order ?? ContiguousArray(stored.filter { !removed.contains($0) } + appended)
    }
}

/// The destinations that a to-many relationship has got and lost.
struct MemberChange {
    /// The position among the entity's to-many relationships.
    let index: Int
    let appeared: [ObjectKey]
    let gone: [ObjectKey]
    /// The destinations of an ordered relationship as they were, in their order.
    let formerOrder: ContiguousArray<ObjectKey>?

    /// Compares two moments; nil if the destinations are the same.
    init?(_ index: Int, from old: MemberImage, to new: MemberImage, _ state: ToManyState) {
        guard old != new else { return nil }
        self.index = index
        if state.isOrdered {
            let former = old.members(over: state.stored ?? [])
            let current = Set(state.members)
            let known = Set(former)
            formerOrder = former
            appeared = state.members.filter { !known.contains($0) }
            gone = former.filter { !current.contains($0) }
            if former == state.members { return nil }
            return
        }
        formerOrder = nil
        appeared = new.added.subtracting(old.added).union(old.removed.subtracting(new.removed))
            .sorted()
        gone = old.added.subtracting(new.added).union(new.removed.subtracting(old.removed))
            .sorted()
        if appeared.isEmpty, gone.isEmpty { return nil }
    }

    /// A relationship with all its destinations, for an object that is gone as a whole.
    init(_ index: Int, gone: [ObjectKey], isOrdered: Bool) {
        self.index = index
        appeared = []
        self.gone = gone
        formerOrder = isOrdered ? ContiguousArray(gone) : nil
    }
}
