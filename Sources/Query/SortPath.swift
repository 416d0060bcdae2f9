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
    private(set) var steps: [[Int]] = []
    /// The keys without those that name the object itself.
    private(set) var names: [String] = []
    /// The type of the value; `nil` for the object itself.
    private(set) var type: AttributeType?

    init(_ order: SortOrder, entity: Entity, store: Store) throws(QueryError) {
        self.order = order
        let target = try KeyPathResolver(schema: store.schema).target(
            order.keyPath, of: .object(entity.name))
        var current: Entity? = entity
        for key in order.keyPath {
            guard let owner = current else { throw SortPath.unsupported(order, entity, target) }
            if KeyPathResolver.isIdentity(key, of: owner) { continue }
            guard let field = owner.storedFields.first(where: { $0.name == key }) else {
                throw SortPath.unsupported(order, entity, target)
            }
            names.append(key)
            steps.append(store.tables.map { $0.field(named: key) ?? -1 })
            type = field.type
            current = owner.relationship(key).flatMap { store.schema.entity($0.destination) }
        }
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

    /// Whether order-preserving bytes express the order.
    var isOrderedByBytes: Bool {
        switch type {
        case .string, .uri: order.collation == .binary || order.collation == .caseInsensitive
        default: true
        }
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
