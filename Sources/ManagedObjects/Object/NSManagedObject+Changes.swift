// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema

/// What has changed: since the last save, and since changes were processed last.
extension NSManagedObject {
    /// The stored keys set since the last save, with their new values; `NSNull` for none.
    ///
    /// Values equal to the saved ones are left out, and so are those that only primitive setters
    /// wrote, unless in `awakeFromInsert()`. On an inserted object the keys whose values are not
    /// the defaults.
    public final func changedValues() -> [String: Any] {
        var result: [String: Any] = [:]
        for position in changedStoredFields {
            let value = draftValue(position) ?? .null
            result[runtime.fields[position].name] = object(value, position) ?? NSNull()
        }
        for relationship in changedToManyRelationships {
            result[relationship.relationship.name] = collection(relationship)
        }
        return result
    }

    /// The stored fields with another value than the saved one or, before a save, the default.
    private final var changedStoredFields: [Int] {
        guard let draft else { return [] }
        return runtime.fields.indices.filter { position in
            guard runtime.fields[position].isStored, let value = draft[position],
                extras?.isPrimitive(value, position) != true
            else { return false }
            return value != baseValue(position)
        }
    }

    /// The saved value of a field or, before a save, the default.
    final func baseValue(_ position: Int) -> Value {
        flags.contains(.inserted)
            ? runtime.fields[position].defaultValue ?? .null : storedValue(position)
    }

    private final var changedToManyRelationships: [RelationshipRuntime] {
        guard extras?.hasChangedMembers == true else { return [] }
        return runtime.toManyRelationships.filter { relationship in
            guard let state = knownToManyState(relationship.toManyIndex), state.hasChanges else {
                return false
            }
            return extras?.isPrimitive(MemberImage(state), relationship.toManyIndex) != true
        }
    }

    /// The saved values of keys, nil for all; `NSNull` for none.
    ///
    /// A to-many relationship comes as the set of its saved destinations. Empty for an object that
    /// was never saved. Traps for an unknown key.
    public final func committedValues(forKeys keys: [String]?) -> [String: Any] {
        guard !flags.contains(.inserted) else { return [:] }
        realise()
        var result: [String: Any] = [:]
        for key in keys ?? Array(runtime.references.keys) {
            switch reference(key) {
            case .field(let position) where runtime.fields[position].isStored:
                result[key] = object(storedValue(position), position) ?? NSNull()
            case .toMany(let index):
                let relationship = runtime.toManyRelationships[index]
                _ = members(relationship)
                let stored = toManyState(index).stored ?? []
                result[key] = collection(
                    stored.compactMap { context?.object(for: $0) }, relationship)
            default: continue
            }
        }
        return result
    }

    /// The values before the current event of the stored keys that it changed; `NSNull` for none.
    ///
    /// An event is what happened since changes were processed last; observers of the did-change
    /// notification see the event that it reports. Before-images cost, so a context keeps them from
    /// the first call on, or while it has an undo manager: the first answer of a context without
    /// one compares with the last save instead.
    public final func changedValuesForCurrentEvent() -> [String: Any] {
        guard let context else { return [:] }
        guard let capture = context.event.capture else {
            context.event.capture = EventCapture()
            return flags.contains(.inserted)
                ? [:] : committedValues(forKeys: Array(changedValues().keys))
        }
        guard let image = capture.image(of: self) else { return [:] }
        var result: [String: Any] = [:]
        for (position, value) in image.changedFields where runtime.fields[position].isStored {
            result[runtime.fields[position].name] = object(value, position) ?? NSNull()
        }
        for change in image.changedMembers {
            let relationship = runtime.toManyRelationships[change.index]
            let former =
                change.formerOrder
                ?? ContiguousArray(
                    Set(members(relationship)).subtracting(change.appeared).union(change.gone))
            result[relationship.relationship.name] = collection(
                former.compactMap { context.object(for: $0) }, relationship)
        }
        return result
    }

    /// Whether a stored value differs from the last saved one.
    ///
    /// Unlike ``hasChanges``, which setters of equal values and of transient properties set as
    /// well. An inserted object counts once a property has another value than its default.
    public final var hasPersistentChangedValues: Bool {
        !changedStoredFields.isEmpty || !changedToManyRelationships.isEmpty
    }

    /// Whether a save would write anything else than the record has, as far as that is cheap to
    /// tell: large values count as different.
    final func differs(from record: RecordView, _ layout: RecordLayout) -> Bool {
        if extras?.hasChangedMembers == true { return true }
        guard let draft else { return false }
        for position in layout.fields.indices {
            guard let value = draft[position] else { continue }
            if !record.holds(withKeysThere(value), at: position, in: layout) { return true }
        }
        return false
    }

    /// Forgets set values that equal those of the record, before the object gets a newer one: they
    /// are no changes to keep.
    final func dropUnchangedValues() {
        guard !isInserted, let draft, let record = currentRecord() else { return }
        for position in runtime.layout.fields.indices {
            guard let value = draft[position],
                record.holds(withKeysThere(value), at: position, in: runtime.layout)
            else { continue }
            draft[position] = nil
        }
    }

    /// A value of the context's as the object's record has it.
    @inline(__always)
    private final func withKeysThere(_ value: Value) -> Value {
        guard key.isElsewhere, case .objectID(let own) = value else { return value }
        return .objectID(context?.keyThere(own, of: key) ?? own)
    }
}
