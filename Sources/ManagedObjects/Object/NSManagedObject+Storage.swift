// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema

/// Reading and writing fields by position: what every accessor ends in.
extension NSManagedObject {
    /// The value of a field: the draft's, else the record's.
    final func fieldValue(_ position: Int) -> Value {
        realise()
        if let value = draftValue(position) { return value }
        guard position < runtime.layout.fields.count else { return unsetTransient(position) }
        return recordValue(position)
    }

    /// What is stored, or the default of a transient property, without firing a fault first.
    final func storedValue(_ position: Int) -> Value {
        guard position < runtime.layout.fields.count else { return unsetTransient(position) }
        return recordValue(position)
    }

    @inline(__always)
    private final func recordValue(_ position: Int) -> Value {
        guard let record = currentRecord() else { return .null }
        let value = record.value(position, in: runtime.layout) ?? externalValue(position, record)
        return withKeysHere(value)
    }

    /// A value from the object's record with the context's key, where it is one.
    @inline(__always)
    final func withKeysHere(_ value: Value) -> Value {
        guard key.isElsewhere, case .objectID(let stored) = value else { return value }
        return .objectID(context?.keyHere(stored, of: key) ?? stored)
    }

    /// The value without firing a fault first: the draft's, else the stored one.
    @inline(__always)
    final func knownValue(_ position: Int) -> Value {
        draftValue(position) ?? storedValue(position)
    }

    /// The value without firing a fault first; null for a stored one outside the record.
    final func nearValue(_ position: Int) -> Value {
        if let value = draftValue(position) { return value }
        guard position < runtime.layout.fields.count else { return unsetTransient(position) }
        let value = currentRecord().flatMap { $0.value(position, in: runtime.layout) }
        return value.map(withKeysHere) ?? .null
    }

    /// The value of a transient property that was not set since the object was a fault.
    private final func unsetTransient(_ position: Int) -> Value {
        context == nil || flags.contains(.inaccessible)
            ? .null : runtime.defaults[position] ?? .null
    }

    private final func externalValue(_ position: Int, _ record: RecordView) -> Value {
        guard let context else { return .null }
        let field = runtime.layout.fields[position]
        let bytes =
            extras?.ownedValues[position]
            ?? context.externalValue(
                of: key, position: position, runtime: runtime,
                byteCount: record.heapByteCount(at: record.offset(of: field, in: runtime.layout)))
        return field.type == .binaryData ? .binaryData(bytes) : .transformable(bytes)
    }

    /// The record at the context's snapshot, looked up anew if the snapshot has moved.
    final func currentRecord() -> RecordView? {
        guard let context else { return nil }
        if let record, boundStamp == context.stamp { return record }
        if let owned = extras?.ownedRecord { return owned.view }
        if flags.contains(.inserted) || (key.isTemporary && context.source == nil) { return nil }
        // It was tried just now, when the fault fired.
        if flags.contains([.fault, .inaccessible]) { return nil }
        // Others may have written it anew since: this object knows nothing of that.
        if flags.contains(.gone) { return nil }
        context.bind(self)
        return record
    }

    /// Fires the fault, if the object is one.
    @inline(__always)
    final func realise() {
        if !flags.isDisjoint(with: [.fault, .checked]) { fireFault() }
        if !hasDraft, context == nil { draft = detachedDraft() }
    }

    /// The values of an object without context: defaults before its insertion, none after its end.
    private final func detachedDraft() -> RecordDraft {
        RecordDraft.make(
            values: flags.contains(.fresh)
                ? runtime.defaults
                : ContiguousArray(repeating: .null, count: runtime.fields.count))
    }

    private final func fireFault() {
        guard let context else { return }
        context.checkQueue(self)
        if flags.contains(.fault) { context.fire(self) }
    }

    /// Sets a field with change tracking, without touching inverses.
    @inline(__always)
    final func setField(_ position: Int, _ value: consuming Value) {
        _ = exchange(position, value)
    }

    /// As ``setField(_:_:)``; returns the former value.
    @inline(__always)
    final func exchangeField(_ position: Int, _ value: consuming Value) -> Value {
        exchange(position, value) ?? storedValue(position)
    }

    // The old value is released after the access to the draft, which so need not be retained.
    @inline(__always)
    private final func exchange(_ position: Int, _ value: consuming Value) -> Value? {
        willModify()
        if !hasDraft { _ = requireDraft() }
        // SAFETY: the object keeps its draft, and nothing else runs meanwhile.
        guard let draftReference else { return nil }
        return RecordDraft.exchange(draftReference, position, value)
    }

    final func requireDraft() -> RecordDraft {
        if let draft { return draft }
        let made =
            context == nil
            ? detachedDraft()
            : flags.contains(.inserted)
                ? runtime.makeDraft()
                : RecordDraft.make(fieldCount: runtime.fields.count)
        draft = made
        readStamp = 0
        return made
    }

    /// Marks the object as changed; called before each change but primitive ones.
    @inline(__always)
    final func willModify() {
        // Noted already: the usual case, which has no need of the context.
        let isNoted = !flags.isDisjoint(with: [.eventUpdated, .eventInserted, .untracked])
        if isNoted, flags.isDisjoint(with: [.fault, .checked, .indexed]) { return }
        noteModification()
    }

    @inline(never)
    private final func noteModification() {
        guard let context else { return }
        context.checkQueue(self)
        if flags.contains(.fault) {
            context.fire(self)
            // Its store was gone, and the object has left with it.
            guard self.context === context else { return }
            if flags.contains(.inaccessible) { context.readPoint.hasEarlyChanges = true }
        }
        if isLost { return context.changes.lostDestinations.append(self) }
        noteUnindexed()
        guard flags.isDisjoint(with: [.eventUpdated, .eventInserted, .untracked]) else { return }
        context.noteChange(of: self)
    }

    /// Whether the record is gone and nobody knows its values: nothing is left to change, and what
    /// is set is kept by the object alone.
    ///
    /// A child that has the values may have pushed changes; these are up to the merge policy.
    final var isLost: Bool { flags.contains(.gone) && extras?.formerVersion ?? 0 == 0 }

    /// The state of a to-many relationship, made when first asked for.
    final func toManyState(_ index: Int) -> ToManyState {
        let extras = requireExtras()
        if extras.toMany.isEmpty {
            extras.toMany = ToManyStates(count: runtime.toManyRelationships.count)
        }
        if let state = extras.toMany[index] { return state }
        let state = ToManyState(isOrdered: runtime.toManyRelationships[index].isOrdered)
        extras.toMany[index] = state
        return state
    }

    /// Takes note of a destination that was added to a to-many relationship.
    @inline(__always)
    final func addMember(_ key: ObjectKey, _ index: Int) {
        // SAFETY: the object keeps its extras, and these the state, which nothing replaces
        // meanwhile: an import notes a member for each row, and would count four references.
        let extras = extrasWord.reference
        if let state = extras?._withUnsafeGuaranteedRef({ $0.toMany.reference(at: index) }) {
            state._withUnsafeGuaranteedRef { $0.add(key) }
        } else {
            toManyState(index).add(key)
        }
    }

    /// The state of a to-many relationship; `nil` until it is read or changed.
    final func knownToManyState(_ index: Int) -> ToManyState? {
        guard let states = extras?.toMany, index < states.count else { return nil }
        return states[index]
    }

    /// The keys of the destinations of a to-many relationship.
    final func members(_ relationship: RelationshipRuntime) -> ContiguousArray<ObjectKey> {
        let state = toManyState(relationship.toManyIndex)
        loadStored(state, relationship)
        return state.members
    }

    /// Whether nothing lies beneath the object.
    ///
    /// What a child has under a temporary key may be an object that its parent has not saved yet.
    final var isNewHere: Bool {
        key.isTemporary && (context?.source == nil || flags.contains(.inserted))
    }

    /// Reads what is stored of a to-many relationship, unless it is known.
    ///
    /// Fires a fault, so that members and values are of one state.
    final func loadStored(_ state: ToManyState, _ relationship: RelationshipRuntime) {
        guard state.stored == nil else { return }
        if flags.contains(.fault), !relationship.relationship.isTransient { fireFault() }
        guard state.stored == nil, let context, !flags.contains(.inaccessible), !isNewHere
        else { return }
        state.load(context.storedMembers(of: self, relationship))
    }

    /// Has what is stored of to-many relationships read anew when it is asked for.
    final func forgetStoredMembers() {
        guard let extras, !extras.toMany.isEmpty else { return }
        for relationship in runtime.toManyRelationships
        where !relationship.relationship.isTransient {
            // No store has the destinations of a transient relationship.
            extras.toMany[relationship.toManyIndex]?.forgetStored()
        }
    }

    /// The values by name, for descriptions; fires no fault.
    final func describedValues() -> String {
        var lines: [String] = []
        for (position, field) in runtime.fields.enumerated() {
            let value = knownValue(position)
            lines.append("    \(field.name) = \(described(value, position));")
        }
        for relationship in runtime.toManyRelationships {
            let name = relationship.relationship.name
            let keys = knownToManyState(relationship.toManyIndex).map(\.members)
            let isKnown = !hasFault(forRelationshipNamed: name)
            let text = keys.map { "\($0.count) objects" } ?? "0 objects"
            lines.append("    \(name) = \(isKnown ? text : "<relationship fault>");")
        }
        return lines.isEmpty ? "{}" : "{\n\(lines.sorted().joined(separator: "\n"))\n}"
    }

    private final func described(_ value: Value, _ position: Int) -> String {
        switch value {
        case .null: return "nil"
        case .objectID(let key):
            return relatedID(key).map { $0.uriRepresentation().absoluteString }
                ?? "nil"
        case .binaryData(let bytes), .transformable(let bytes): return "\(bytes.count) bytes"
        case .string(let text): return "\"\(text)\""
        default: return object(value, position).map { "\($0)" } ?? "nil"
        }
    }
}

extension NSManagedObject {
    /// Drops the draft but for the transient values, which no record holds.
    final func keepTransientValues() {
        let stored = runtime.layout.fields.count
        guard runtime.fields.count > stored, let old = draft else {
            draft = nil
            return
        }
        draft = nil
        let kept = RecordDraft.make(fieldCount: runtime.fields.count)
        for position in stored..<runtime.fields.count { kept[position] = old[position] }
        draft = kept
    }
}
