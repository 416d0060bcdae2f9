// SPDX-License-Identifier: Apache-2.0

import Foundation
import Query
import RecordFormat
import Schema
import Store

/// Writes a batch update.
struct BatchUpdate {
    private let family: [BatchAssignments]
    /// The mandatory to-many relationships that lose destinations.
    private var losses = InverseLosses()
    /// The to-many inverses of the references that are set.
    private var owners = TouchedOwners()

    init(_ family: [BatchAssignments]) { self.family = family }

    /// Updates all matches of a plan.
    ///
    /// The snapshot made here sees what the transaction began with, as no one else can commit.
    mutating func write(_ transaction: SaveTransaction, _ plan: FetchPlan) throws -> BatchOutcome {
        // The body of a transaction may run again.
        losses = InverseLosses()
        owners = TouchedOwners()
        let snapshot = try transaction.store.makeSnapshot()
        for assignments in family { try check(assignments, transaction) }
        var keys = try plan.keys(in: snapshot)
        // Page by page.
        if !keys.indices.dropFirst().allSatisfy({ keys[$0 - 1] < keys[$0] }) { keys.sort() }
        try forEach(keys) { update, key, assignments in
            try update.relink(key, assignments, transaction)
        }
        var encoder = RecordEncoder()
        try forEach(keys) { update, key, assignments in
            try update.update(key, assignments, &encoder, transaction, snapshot)
        }
        try losses.check(transaction)
        let changed = try keys + owners.write(transaction)
        return BatchOutcome(
            keys: keys, count: keys.count, changed: changed, changeCount: changed.count,
            hasWritten: !keys.isEmpty)
    }

    /// Calls the body with each object of an entity that has assignments.
    @inline(__always)
    private mutating func forEach(
        _ keys: ContiguousArray<ObjectKey>,
        _ body: (inout BatchUpdate, ObjectKey, BatchAssignments) throws -> Void
    ) throws {
        var start = keys.startIndex
        while start < keys.endIndex {
            let entity = keys[start].entity
            let end = keys[start...].firstIndex { $0.entity != entity } ?? keys.endIndex
            if let assignments = family.first(where: { $0.table.number == entity }) {
                for key in keys[start..<end] { try body(&self, key, assignments) }
            }
            start = end
        }
    }

    /// Destinations have to be there, and of the right entity.
    private func check(_ assignments: BatchAssignments, _ transaction: SaveTransaction) throws {
        for reference in assignments.references {
            guard let key = reference.destination else { continue }
            let store = transaction.store
            let family = reference.relationship.destination.family
            guard let ordinal = store.ordinal(of: key.entity),
                family.contains(where: { $0.ordinal == ordinal }),
                try transaction.record(for: key, in: store.tables[ordinal]) != nil
            else {
                let name = reference.relationship.relationship.name
                throw CoreDataError.make(
                    .managedObjectReferentialIntegrity,
                    "the destination \(key) of \(assignments.runtime.entity.name).\(name) is no "
                        + "\(reference.relationship.destination.entity.name) of the store")
            }
        }
    }

    @inline(__always)
    private mutating func update(
        _ key: ObjectKey, _ assignments: BatchAssignments, _ encoder: inout RecordEncoder,
        _ transaction: SaveTransaction, _ snapshot: StoreSnapshot
    ) throws {
        let table = assignments.table
        guard let old = try transaction.recordForUpdate(key, in: table) else { return }
        if !assignments.computed.isEmpty { try compute(key, old, assignments, snapshot) }
        let record = encoder.encode(
            layout: table.layout, version: old.version &+ 1, base: old, draft: assignments.draft,
            changedFields: assignments.isPatch ? assignments.changedFields : nil,
            resolve: { $0 })
        try transaction.update(
            record, replacing: old, for: key, in: table,
            changedFields: assignments.changedFields)
        if !owners.isEmpty { owners.take(key, in: table, transaction) }
        guard encoder.hasExternalValues else { return }
        for value in encoder.externalValues {
            try transaction.putExternalValue(
                value.bytes, of: key, table.layout.fields[value.field].number)
        }
    }

    private func compute(
        _ key: ObjectKey, _ old: RecordView, _ assignments: BatchAssignments,
        _ snapshot: StoreSnapshot
    ) throws {
        for computed in assignments.computed {
            let operand = try computed.expression.value(key, old, snapshot)
            guard let value = operand.scalar, value != .null || operand.isNull else {
                throw CoreDataError.make(
                    .persistentStoreOperation,
                    "the expression for \(computed.field.name) gives no single value")
            }
            if value.isNull { try assignments.checkOptional(computed.field) }
            assignments.draft[computed.position] =
                value.type == computed.field.type
                ? value
                : try BatchValue.value(
                    ValueConversion.object(value), computed.field, assignments.runtime)
        }
    }

    /// Moves the object from its old destination's inverse to that of the new one.
    ///
    /// Before any record is updated, so that each is updated once.
    private mutating func relink(
        _ key: ObjectKey, _ assignments: BatchAssignments, _ transaction: SaveTransaction
    ) throws {
        guard !assignments.references.isEmpty,
            let old = try transaction.record(for: key, in: assignments.table)
        else { return }
        for reference in assignments.references {
            var former: ObjectKey?
            if case .objectID(let key)? = old.value(
                reference.position, in: assignments.table.layout)
            {
                former = key
            }
            guard former != reference.destination,
                let name = reference.relationship.relationship.inverse
            else { continue }
            func inverse(_ owner: ObjectKey) -> RelationshipTable? {
                transaction.store.ordinal(of: owner.entity).flatMap {
                    transaction.store.tables[$0].relationship(named: name)
                }
            }
            if let former, let table = inverse(former) {
                transaction.unlink(former, from: key, table)
                owners.add(former, table)
                if table.relationship.needsDestination { losses.add(former, table) }
            }
            if let next = reference.destination, let table = inverse(next) {
                transaction.link(next, to: key, table)
                owners.add(next, table)
            }
        }
    }
}
