// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import RecordFormat
import Schema
import Store

import class Foundation.FileManager
import func Foundation.NSTemporaryDirectory
import struct Foundation.UUID

/// A store in a directory of its own and the same objects in memory.
final class TestLibrary {
    let store: Store
    private(set) var objects: [TestObject] = []
    private let directory: String
    private var counts: [Int: UInt64] = [:]

    convenience init(isIndexed: Bool = true) throws {
        try self.init(schema: try MusicModel.schema(isIndexed: isIndexed))
    }

    init(schema: Schema) throws {
        directory = NSTemporaryDirectory() + "lode-query-\(UUID().uuidString)"
        try FileManager.default.createDirectory(
            atPath: directory, withIntermediateDirectories: true)
        var options = StoreOptions()
        options.durability = .none
        store = try Store.open(
            at: directory + "/test.lode", schema: schema,
            uuid: UUIDValue(high: 1, low: 2), options: options)
    }

    deinit { try? FileManager.default.removeItem(atPath: directory) }

    /// Adds an object in memory; ``save()`` writes it.
    @discardableResult
    func add(_ entity: String, _ values: [String: Value] = [:]) -> TestObject {
        guard let ordinal = store.schema.ordinal(of: entity) else {
            preconditionFailure("no entity \(entity)")
        }
        let row = counts[ordinal, default: 0] + 1
        counts[ordinal] = row
        let key = ObjectKey(entity: store.tables[ordinal].number, row: row)
        let object = TestObject(store.schema.entities[ordinal], key, values)
        objects.append(object)
        return object
    }

    /// Relates two objects in both directions.
    func relate(_ object: TestObject, _ name: String, _ other: TestObject) {
        func set(_ owner: TestObject, _ relationship: Relationship, _ destination: TestObject) {
            if relationship.isToMany {
                owner.toMany[relationship.name, default: []].append(destination)
            } else {
                owner.toOne[relationship.name] = destination
            }
        }
        guard let relationship = object.entity.relationship(name) else {
            preconditionFailure("no relationship \(name)")
        }
        set(object, relationship, other)
        if let inverse = store.schema.inverse(of: relationship) { set(other, inverse, object) }
    }

    /// Writes all objects and returns a snapshot that sees them.
    func save() throws -> StoreSnapshot {
        try store.write { save in
            for (ordinal, count) in counts {
                _ = try save.allocateRows(Int(count), in: store.tables[ordinal])
            }
            var encoder = RecordEncoder()
            for object in objects.sorted(by: { $0.key < $1.key }) {
                try write(object, save, &encoder)
            }
        }
        return try store.makeSnapshot()
    }

    private func write(
        _ object: TestObject, _ save: SaveTransaction, _ encoder: inout RecordEncoder
    ) throws {
        guard let table = store.table(named: object.entity.name) else { return }
        let draft = RecordDraft.make(fieldCount: table.fields.count)
        for (position, field) in table.fields.enumerated() {
            let value = object.toOne[field.name].map { Value.objectID($0.key) }
            draft[position] = value ?? object.values[field.name] ?? .null
        }
        let bytes = encoder.encode(
            layout: table.layout, version: 1, base: nil, draft: draft, resolve: { $0 })
        try save.insert(bytes, for: object.key, in: table)
        for external in encoder.externalValues {
            try save.putExternalValue(
                external.bytes, of: object.key, table.layout.fields[external.field].number)
        }
        for relationship in table.relationships where relationship.relationship.isToMany {
            for other in object.toMany[relationship.relationship.name] ?? [] {
                save.link(object.key, to: other.key, relationship)
            }
        }
    }
}

extension TestLibrary {
    /// What a fetch must find, worked out in memory.
    func expected(_ fetch: FetchDescription) throws -> [ObjectKey] {
        var found = objects.filter { object in
            fetch.includesSubentities
                ? store.schema.entity(object.entity.name, isKindOf: fetch.entity)
                : object.entity.name == fetch.entity
        }
        if let predicate = fetch.predicate {
            found = try found.filter { try predicate.evaluate(with: $0) }
        }
        let ascends = fetch.sortOrders.last?.isAscending ?? true
        found.sort { left, right in
            for order in fetch.sortOrders {
                switch order.compare(left.value(order.keyPath), right.value(order.keyPath)) {
                case .ascending: return true
                case .descending: return false
                case .same: break
                }
            }
            return ascends ? left.key < right.key : left.key > right.key
        }
        let rest = found.dropFirst(fetch.offset)
        return (fetch.limit > 0 ? rest.prefix(fetch.limit) : rest).map(\.key)
    }

    func plan(
        _ entity: String, _ format: String? = nil, _ arguments: [Argument] = [],
        sort: [SortOrder] = [], limit: Int = 0, offset: Int = 0, subentities: Bool = true
    ) throws -> FetchPlan {
        let predicate = try format.map { try Predicate(format: $0, arguments: arguments) }
        return try Planner.plan(
            FetchDescription(
                entity: entity, includesSubentities: subentities, predicate: predicate,
                sortOrders: sort, limit: limit, offset: offset), in: store)
    }
}
