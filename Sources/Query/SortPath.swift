// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// A key path of a sort criterion, resolved to positions in the layouts.
struct SortPath: Sendable {
    /// The criterion.
    let order: SortOrder
    /// For each key, by entity ordinal, the field's position; -1 for an entity without it.
    let steps: [[Int]]
    /// The type of the value; `nil` for the object itself.
    let type: AttributeType?

    init(_ order: SortOrder, entity: Entity, store: Store) throws(QueryError) {
        self.order = order
        var keys = order.keyPath
        var current = entity
        var steps: [[Int]] = []
        var type: AttributeType?
        let target = try KeyPathResolver(schema: store.schema).target(
            keys, of: .object(entity.name))
        keys.removeAll { KeyPathResolver.isIdentity($0, of: entity) && $0 != "id" }
        for key in keys {
            if KeyPathResolver.isIdentity(key, of: current) { continue }
            guard let field = current.storedFields.first(where: { $0.name == key }) else {
                throw SortPath.unsupported(order, entity, target)
            }
            steps.append(store.tables.map { $0.field(named: key) ?? -1 })
            type = field.type
            if field.isRelationship, let relationship = current.relationship(key),
                let next = store.schema.entity(relationship.destination)
            {
                current = next
            } else if key != keys.last {
                throw SortPath.unsupported(order, entity, target)
            }
        }
        self.steps = steps
        self.type = type
    }

    private static func unsupported(
        _ order: SortOrder, _ entity: Entity, _ target: KeyPathTarget
    ) -> QueryError {
        let path = order.keyPath.joined(separator: ".")
        let reason =
            target.isCollection
            ? "follows a to-many relationship" : "does not end at an attribute or an object"
        return QueryError(
            .unsupported,
            "\(entity.name) cannot be sorted by \(path), which \(reason); sort by attributes, also "
                + "through to-one relationships")
    }

    /// Calls a body with the record and position that hold the value; not for nil on the way.
    func locate<Result>(
        _ key: ObjectKey, _ record: RecordView, _ snapshot: StoreSnapshot,
        _ body: (ObjectKey, RecordView, EntityTable, Int) throws -> Result
    ) throws -> Result? {
        var key = key
        var record = record
        for index in steps.indices {
            guard let ordinal = snapshot.store.ordinal(of: key.entity) else { return nil }
            let position = steps[index][ordinal]
            if position < 0 || record.isNull(position) { return nil }
            if index == steps.count - 1 {
                return try body(key, record, snapshot.store.tables[ordinal], position)
            }
            let offset = snapshot.store.tables[ordinal].layout.fields[position].offset
            key = ObjectKey(rawValue: record.load(at: offset, as: UInt64.self))
            guard let next = try snapshot.record(for: key) else { return nil }
            record = next
        }
        return nil
    }

    /// The value that is compared.
    func value(
        _ key: ObjectKey, _ record: RecordView, _ snapshot: StoreSnapshot
    ) throws -> Value {
        if steps.isEmpty { return .objectID(key) }
        return try locate(key, record, snapshot) { key, record, table, position in
            try record.fullValue(position, of: key, table, snapshot)
        } ?? .null
    }
}
