// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// A key path of a sort criterion, resolved to positions in the layouts.
struct SortPath: Sendable {
    /// The criterion.
    let order: SortOrder
    /// For each key, by entity ordinal, the place of its field; `nil` for an entity without it.
    private(set) var steps: [[FieldPlace?]] = []
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
            steps.append(
                store.tables.map { table in
                    table.field(named: key).map { FieldPlace($0, table) }
                })
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

    /// Where the value lies: in the row's record or in one behind to-one relationships.
    ///
    /// - Returns: `nil` for nil, also on the way.
    func locate(_ row: ResultRow, _ snapshot: StoreSnapshot) throws -> (ResultRow, FieldPlace)? {
        var row = row
        for index in steps.indices {
            guard let ordinal = snapshot.store.ordinal(of: row.key.entity),
                let place = steps[index][ordinal], !row.record.isNull(place.position)
            else { return nil }
            if index == steps.count - 1 { return (row, place) }
            let key = ObjectKey(rawValue: row.record.load(at: place.offset, as: UInt64.self))
            guard let next = try snapshot.record(for: key) else { return nil }
            row = ResultRow(key: key, record: next)
        }
        return nil
    }

    /// The value that is compared.
    func value(_ row: ResultRow, _ snapshot: StoreSnapshot) throws -> Value {
        if steps.isEmpty { return .objectID(row.key) }
        guard let (found, place) = try locate(row, snapshot),
            let ordinal = snapshot.store.ordinal(of: found.key.entity)
        else { return .null }
        return try found.record.fullValue(
            place.position, of: found.key, snapshot.store.tables[ordinal], snapshot)
    }
}
