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

    init(_ family: [BatchAssignments]) { self.family = family }

    /// Updates all matches of a plan.
    ///
    /// The snapshot made here sees what the transaction began with, as no one else can commit.
    mutating func write(_ transaction: SaveTransaction, _ plan: FetchPlan) throws -> BatchOutcome {
        // The body of a transaction may run again.
        losses = InverseLosses()
        let snapshot = try transaction.store.makeSnapshot()
        for assignments in family { try check(assignments, transaction) }
        var keys = try plan.keys(in: snapshot)
        // Page by page.
        if !keys.indices.dropFirst().allSatisfy({ keys[$0 - 1] < keys[$0] }) { keys.sort() }
        var encoder = RecordEncoder()
        var start = keys.startIndex
        while start < keys.endIndex {
            let entity = keys[start].entity
            let end = keys[start...].firstIndex { $0.entity != entity } ?? keys.endIndex
            if let assignments = family.first(where: { $0.table.number == entity }) {
                for key in keys[start..<end] {
                    try update(key, assignments, &encoder, transaction, snapshot)
                }
            }
            start = end
        }
        try losses.check(transaction)
        return BatchOutcome(
            keys: keys, count: keys.count, changed: keys, changeCount: keys.count,
            hasWritten: !keys.isEmpty)
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
        if !assignments.references.isEmpty { relink(key, old, assignments, transaction) }
        let record = encoder.encode(
            layout: table.layout, version: old.version &+ 1, base: old, draft: assignments.draft,
            changedFields: assignments.isPatch ? assignments.changedFields : nil,
            resolve: { $0 })
        try transaction.update(
            record, replacing: old, for: key, in: table,
            changedFields: assignments.changedFields)
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
    private mutating func relink(
        _ key: ObjectKey, _ old: RecordView, _ assignments: BatchAssignments,
        _ transaction: SaveTransaction
    ) {
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
                if table.relationship.needsDestination { losses.add(former, table) }
            }
            if let next = reference.destination, let table = inverse(next) {
                transaction.link(next, to: key, table)
            }
        }
    }
}
