// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// A record as the general evaluator of predicates sees it.
///
/// Used for conditions that the compiled filter has no node for. Destinations of relationships are
/// read when a key of theirs is asked for, not before.
final class RecordSubject: PredicateSubject {
    private let key: ObjectKey
    private let snapshot: StoreSnapshot
    private var record: RecordView?
    private var isRead: Bool

    init(_ key: ObjectKey, _ record: RecordView, _ snapshot: StoreSnapshot) {
        self.key = key
        self.snapshot = snapshot
        self.record = record
        isRead = true
    }

    /// An object whose record is not read yet.
    init(_ key: ObjectKey, _ snapshot: StoreSnapshot) {
        self.key = key
        self.snapshot = snapshot
        isRead = false
    }

    var predicateIdentity: ObjectKey? { key }

    func predicateOperand(forKey name: String) throws -> SubjectOperand {
        guard let ordinal = snapshot.store.ordinal(of: key.entity) else { return .value(.null) }
        let table = snapshot.store.tables[ordinal]
        if let position = table.field(named: name) {
            return try operand(position, table)
        }
        if KeyPathResolver.isIdentity(name, of: table.entity) { return .subject(self) }
        if let relationship = table.relationship(named: name), relationship.relationship.isToMany {
            let keys = try snapshot.destinations(of: key, relationship)
            return .collection(keys.map { .subject(RecordSubject($0, snapshot)) })
        }
        if KeyPathResolver.isEntity(name, of: table.entity) {
            return .subject(EntitySubject(name: table.entity.name))
        }
        throw unknown(name, table)
    }

    private func operand(_ position: Int, _ table: EntityTable) throws -> SubjectOperand {
        if !isRead {
            record = try snapshot.record(for: key)
            isRead = true
        }
        guard let record else { return .value(.null) }
        let value = try record.fullValue(position, of: key, table, snapshot)
        guard table.fields[position].isRelationship, case .objectID(let destination) = value else {
            return .value(value)
        }
        return .subject(RecordSubject(destination, snapshot))
    }

    private func unknown(_ name: String, _ table: EntityTable) -> QueryError {
        QueryError(
            .unknownKeyPath,
            "entity \(table.entity.name) has no stored property \(name); "
                + NearestNames.advice(for: name, among: table.fields.map(\.name)))
    }
}

extension RecordView {
    /// The value of a field, wherever its bytes lie.
    func fullValue(
        _ position: Int, of key: ObjectKey, _ table: EntityTable, _ snapshot: StoreSnapshot
    ) throws(StoreError) -> Value {
        if let value = value(position, in: table.layout) { return value }
        let field = table.layout.fields[position]
        let bytes = try snapshot.externalValue(
            of: key, field.number, byteCount: heapByteCount(at: field.offset))
        return field.type == .transformable ? .transformable(bytes) : .binaryData(bytes)
    }
}
