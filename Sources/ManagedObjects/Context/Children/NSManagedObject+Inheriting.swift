// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// A copy of an object's values, as a child context keeps it.
struct InheritedValues {
    let record: OwnedRecord
    /// The large values that the record only points to, by position.
    let largeValues: [Int: [UInt8]]
}

extension NSManagedObject {
    /// The values as they are now, unsaved changes included; `nil` for none.
    ///
    /// References to unsaved objects stay the temporary keys that they are.
    final func inheritedValues(isNewVersion: Bool = false) -> InheritedValues? {
        guard let context, !flags.contains(.inaccessible) else { return nil }
        let stored = currentRecord()
        guard stored != nil || hasDraft else { return nil }
        var largeValues: [Int: [UInt8]] = [:]
        if let stored {
            largeValues =
                extras?.ownedRecord == nil
                ? context.largeValues(of: key, runtime, stored) : extras?.ownedValues ?? [:]
        }
        // The record of a further file has the file's keys; a child gets the contexts'.
        let copy = stored.map { context.copyHere($0, of: key, runtime) }
        if let copy, !hasStoredDraft {
            return InheritedValues(record: copy, largeValues: largeValues)
        }
        defer { withExtendedLifetime(copy) {} }
        let base = copy?.view
        // An undone deletion has the record that was there: its save may find nothing to write.
        let version = base?.version ?? extras?.formerVersion ?? 0
        var encoder = RecordEncoder()
        let bytes = encoder.encode(
            layout: layout(over: base), version: version &+ (isNewVersion ? 1 : 0), base: base,
            draft: draft, resolve: { $0 })
        for position in runtime.layout.fields.indices where draftValue(position) != nil {
            largeValues[position] = nil
        }
        for value in encoder.externalValues { largeValues[value.field] = value.bytes }
        guard let view = RecordView(bytes) else { return nil }
        return InheritedValues(record: OwnedRecord(view), largeValues: largeValues)
    }

    /// The copy that this object has of what its context's parent answered, if it has one.
    final var inheritedBase: InheritedValues? {
        guard let extras, let record = extras.ownedRecord, !isInserted else { return nil }
        return InheritedValues(record: record, largeValues: extras.ownedValues)
    }

    private final var hasStoredDraft: Bool {
        guard let draft else { return false }
        return runtime.layout.fields.indices.contains { draft[$0] != nil }
    }

    /// The store's layout, which a record of a store has too.
    private final func layout(over base: RecordView?) -> RecordLayout {
        if let base, base.fits(runtime.layout) { return runtime.layout }
        let stored = context?.persistentStore?.store.map { $0.tables[runtime.ordinal].layout }
        if let stored, base?.fits(stored) ?? true { return stored }
        // The record is of a further file with wide slots, or its store has gone meanwhile; the
        // fields are the model's in any store.
        return base.map { runtime.layout.numbered($0.layoutNumber) } ?? runtime.layout
    }

    /// Takes over a copy of values as what is stored beneath this object.
    final func bind(_ values: InheritedValues, stamp: UInt32) {
        requireExtras().keep(values.record, values.largeValues)
        record = values.record.view
        boundStamp = stamp
    }

    /// Puts permanent keys in the place of temporary ones.
    ///
    /// Each save of the root asks this of all objects of a child, of which few refer to what was
    /// saved: keys that are permanent are not looked for.
    final func replaceReferences(_ keys: [ObjectKey: ObjectKey]) {
        if let draft {
            for position in runtime.fields.indices {
                if case .objectID(let key)? = draft[position], key.isTemporary, let new = keys[key]
                {
                    draft[position] = .objectID(new)
                }
            }
        }
        guard let extras else { return }
        if let owned = extras.ownedRecord { replaceInheritedReferences(owned.view, extras, keys) }
        for index in extras.toMany.indices { extras.toMany[index]?.replaceKeys(keys) }
    }

    private final func replaceInheritedReferences(
        _ owned: RecordView, _ extras: ObjectExtras, _ keys: [ObjectKey: ObjectKey]
    ) {
        var changes: RecordDraft?
        // To-one relationships, and attributes that are IDs.
        for (position, field) in runtime.layout.fields.enumerated() where field.type == .objectID {
            guard case .objectID(let key)? = owned.value(position, in: runtime.layout),
                key.isTemporary, let new = keys[key]
            else { continue }
            let draft = changes ?? RecordDraft.make(fieldCount: runtime.fields.count)
            draft[position] = .objectID(new)
            changes = draft
        }
        guard let changes else { return }
        var encoder = RecordEncoder()
        let bytes = encoder.encode(
            layout: layout(over: owned), version: owned.version, base: owned, draft: changes,
            resolve: { $0 })
        guard let view = RecordView(bytes) else { return }
        let isBound = record != nil && boundStamp != 0
        extras.keep(OwnedRecord(view), extras.ownedValues)
        if isBound { record = extras.ownedRecord?.view }
    }
}
