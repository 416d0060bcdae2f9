// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Store
import Testing
import _TestSupport

extension StoreOptions {
    /// No waiting for the disk: tests do not cut the power.
    static var fast: StoreOptions {
        var options = StoreOptions()
        options.durability = .none
        return options
    }
}

extension StoreOptions {
    /// Drops indexes that the model does not have.
    static var dropping: StoreOptions {
        var options = StoreOptions.fast
        options.dropsIndexes = true
        return options
    }

    /// The same for new files of version 1, whose values have no seals.
    var unsealed: StoreOptions {
        var options = self
        options.newFileVersion = 1
        return options
    }
}

/// Opens a store without waiting for the disk.
func openStore(
    _ path: String, _ schema: Schema?, _ options: StoreOptions = .fast
) throws(StoreError) -> Store {
    try Store.open(at: path, schema: schema, uuid: FilmModel.uuid, options: options)
}

/// The error that opening ends with; nil when it succeeds.
func refusal(
    _ path: String, _ schema: Schema? = nil, _ options: StoreOptions = .fast
) -> StoreError? {
    do throws(StoreError) {
        _ = try openStore(path, schema, options)
        return nil
    } catch {
        return error
    }
}

/// The `StoreError` that a body ends with; nil when it succeeds or throws something else.
func storeError(_ body: () throws -> Void) -> StoreError? {
    do {
        try body()
        return nil
    } catch {
        return error as? StoreError
    }
}

extension Store {
    func table(_ name: String) throws -> EntityTable { try #require(table(named: name)) }
}

extension EntityTable {
    /// A draft of the given values; fields without one are taken from the base or null.
    func draft(_ values: [String: Value]) throws -> RecordDraft {
        let draft = RecordDraft.make(fieldCount: layout.fields.count)
        for (name, value) in values { draft[try #require(field(named: name))] = value }
        return draft
    }
}

extension SaveTransaction {
    /// Inserts an object with a row of its own.
    @discardableResult
    func insert(_ entity: String, _ values: [String: Value]) throws -> ObjectKey {
        let table = try store.table(entity)
        let key = ObjectKey(entity: table.number, row: try allocateRows(1, in: table))
        try insert(key, values)
        return key
    }

    /// Inserts an object under a key.
    func insert(_ key: ObjectKey, _ values: [String: Value]) throws {
        let table = store.tables[try #require(store.ordinal(of: key.entity))]
        var encoder = RecordEncoder()
        let bytes = encoder.encode(
            layout: table.layout, version: 1, base: nil, draft: try table.draft(values),
            resolve: { $0 })
        try insert(bytes, for: key, in: table)
        try putExternalValues(encoder.externalValues, key, table)
    }

    /// Replaces values of an object.
    func update(_ key: ObjectKey, _ values: [String: Value]) throws {
        let table = store.tables[try #require(store.ordinal(of: key.entity))]
        let old = try #require(try record(for: key, in: table))
        var encoder = RecordEncoder()
        let bytes = encoder.encode(
            layout: table.layout, version: old.version + 1, base: old,
            draft: try table.draft(values), resolve: { $0 })
        try update(bytes, replacing: old, for: key, in: table)
        try putExternalValues(encoder.externalValues, key, table)
    }

    /// Deletes an object.
    func delete(_ key: ObjectKey) throws {
        try delete(key, in: store.tables[try #require(store.ordinal(of: key.entity))])
    }

    private func putExternalValues(
        _ values: [ExternalValue], _ key: ObjectKey, _ table: EntityTable
    ) throws {
        for value in values {
            try putExternalValue(value.bytes, of: key, table.layout.fields[value.field].number)
        }
    }
}

extension StoreSnapshot {
    /// The values of an object, with those that lie outside its record; nil for no object.
    func values(_ key: ObjectKey) throws -> [String: Value]? {
        guard let record = try record(for: key) else { return nil }
        return try values(of: record, key)
    }

    /// The values of a record.
    func values(of record: RecordView, _ key: ObjectKey) throws -> [String: Value] {
        let table = store.tables[try #require(store.ordinal(of: key.entity))]
        #expect(record.hasValidChecksum(salt: store.seal.salt(of: key)))
        var values: [String: Value] = [:]
        for (position, field) in table.fields.enumerated() {
            if let value = record.value(position, in: table.layout) {
                values[field.name] = value
            } else {
                let slot = table.layout.fields[position]
                values[field.name] = .binaryData(
                    try externalValue(
                        of: key, slot.number, byteCount: record.heapByteCount(at: slot.offset)))
            }
        }
        return values
    }

    /// All objects of one entity.
    func objects(_ entity: String) throws -> [ObjectKey: [String: Value]] {
        var objects: [ObjectKey: [String: Value]] = [:]
        var cursor = try records(of: try store.table(entity))
        while let (key, record) = try cursor.next() {
            objects[key] = try values(of: record, key)
        }
        return objects
    }

    /// The objects of an index, in its order.
    func scan(
        _ entity: String, _ index: Int, _ range: IndexRange = IndexRange(lower: [], upper: nil),
        isReversed: Bool = false
    ) throws -> [ObjectKey] {
        var keys: [ObjectKey] = []
        try scan(try store.table(entity).indexes[index], range, isReversed: isReversed) { key in
            keys.append(key)
            return true
        }
        return keys
    }
}

/// How every message about damaged bytes ends.
let damagedAdvice =
    "; the file is damaged: restore it from a copy or rebuild it from an export"
