// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store

/// Writes the rows of a batch insertion, and resolves their collisions in uniqueness constraints.
struct BatchInsertion {
    private enum Fate {
        case insertion
        case update(ObjectKey)
        case none
    }

    private static let roundLimit = 16

    private let rows: BatchRows
    private let policy: NSMergePolicyType
    /// Whether the outcome lists the keys of the rows.
    private let listsKeys: Bool
    /// What becomes of rows that are not simply inserted.
    private var fates: [Int: Fate] = [:]

    init(_ rows: BatchRows, _ policy: NSMergePolicy?, listsKeys: Bool) {
        self.rows = rows
        self.listsKeys = listsKeys
        self.policy = policy?.mergeType ?? .errorMergePolicyType
    }

    /// The rows that were left out.
    var omitted: Set<Int> {
        Set(fates.compactMap { if case .none = $0.value { $0.key } else { nil } })
    }

    /// Tries until nothing collides; without a policy that resolves, once.
    mutating func run(in context: NSManagedObjectContext) throws -> BatchOutcome {
        guard rows.arena.count > 0 else { return BatchOutcome() }
        for _ in 0..<BatchInsertion.roundLimit {
            var first: UInt64 = 0
            do {
                return try context.writeBatch { try write($0, &first) }
            } catch let error as CocoaError where error.code == .managedObjectConstraintMerge {
                guard policy != .errorMergePolicyType,
                    let collisions = (error.userInfo[NSUnderlyingErrorKey] as? StoreError)?
                        .collisions,
                    try settle(collisions, first, context)
                else { throw error }
            }
        }
        throw CoreDataError.make(
            .managedObjectConstraintMerge,
            "rows of the batch insertion keep colliding with each other through several "
                + "uniqueness constraints; insert them through a context")
    }

    /// Decides about rows that collide; false where that does not help.
    private mutating func settle(
        _ collisions: [UniquenessCollision], _ first: UInt64, _ context: NSManagedObjectContext
    ) throws -> Bool {
        let keepsNew =
            policy == .mergeByPropertyObjectTrumpMergePolicyType
            || policy == .overwriteMergePolicyType
        var updated: [ObjectKey: Int] = [:]
        var hasSettled = false
        for collision in collisions.sorted(by: { $0.object < $1.object }) {
            guard let row = row(collision.object, first) else { continue }
            if case .none? = fates[row] { continue }
            hasSettled = true
            guard keepsNew else {
                fates[row] = Fate.none
                continue
            }
            if let other = self.row(collision.other, first) {
                fates[other] = Fate.none
            } else {
                // Later rows win.
                if let earlier = updated[collision.other] { fates[earlier] = Fate.none }
                try checkDerivedEntries(of: collision.other, context)
                updated[collision.other] = row
                fates[row] = .update(collision.other)
            }
        }
        return hasSettled
    }

    /// Refuses to update objects with derived entries: only contexts can keep those up to date.
    private func checkDerivedEntries(
        of key: ObjectKey, _ context: NSManagedObjectContext
    ) throws {
        guard let ordinal = try context.requireStore().ordinal(of: key.entity),
            let runtime = context.model.runtimes[safe: ordinal],
            runtime.objectClass is any DerivedEntries.Type
        else { return }
        let name = runtime.entity.name
        throw CoreDataError.make(
            .persistentStoreOperation,
            "a row of the batch insertion has the unique values of a stored \(name), which a batch "
                + "cannot change: its class keeps entries elsewhere; change it in a context")
    }

    private func row(_ key: ObjectKey, _ first: UInt64) -> Int? {
        guard key.entity == rows.table.number, key.row >= first,
            key.row < first + UInt64(rows.arena.count)
        else { return nil }
        return Int(key.row - first)
    }

    private func write(
        _ transaction: SaveTransaction, _ first: inout UInt64
    ) throws -> BatchOutcome {
        first = try transaction.allocateRows(rows.arena.count, in: rows.table)
        guard fates.isEmpty else { return try writeSettled(transaction, first) }
        try transaction.insert(rows.arena, from: first, in: rows.table)
        for row in rows.arena.externalValues.keys.sorted() {
            try writeExternals(of: row, key(row, first), transaction)
        }
        if let references = rows.references {
            for row in 0..<rows.arena.count {
                references.link(row, key(row, first), transaction)
            }
        }
        var outcome = BatchOutcome()
        outcome.hasWritten = true
        outcome.count = rows.arena.count
        if listsKeys {
            outcome.keys = ContiguousArray((0..<rows.arena.count).map { key($0, first) })
        }
        return outcome
    }

    /// Writes rows of which some have collided with stored objects.
    private func writeSettled(
        _ transaction: SaveTransaction, _ first: UInt64
    ) throws -> BatchOutcome {
        var outcome = BatchOutcome()
        outcome.hasWritten = true
        var encoder = RecordEncoder()
        var reader = RowReader(rows.arena)
        var row = 0
        while let record = reader.read() {
            switch fates[row] ?? .insertion {
            case .none: break
            case .insertion:
                let key = key(row, first)
                try transaction.insert(record, for: key, in: rows.table)
                try writeExternals(of: row, key, transaction)
                rows.references?.link(row, key, transaction)
                outcome.keys.append(key)
            case .update(let key):
                if let record = RecordView(record) {
                    try update(key, row, record, &encoder, transaction)
                }
                outcome.keys.append(key)
                outcome.changed.append(key)
            }
            row += 1
        }
        outcome.count = outcome.keys.count
        outcome.changeCount = outcome.changed.count
        return outcome
    }

    private func key(_ row: Int, _ first: UInt64) -> ObjectKey {
        ObjectKey(entity: rows.table.number, row: first + UInt64(row))
    }

    private func writeExternals(
        of row: Int, _ key: ObjectKey, _ transaction: SaveTransaction
    ) throws {
        guard let values = rows.arena.externalValues[row] else { return }
        for value in values {
            try transaction.putExternalValue(
                value.bytes, of: key, rows.table.layout.fields[value.field].number)
        }
    }

    /// Gives a stored object the attributes of a row; its relationships stay.
    ///
    /// An object of another entity of the hierarchy takes those that its entity has, too.
    private func update(
        _ key: ObjectKey, _ row: Int, _ new: RecordView,
        _ encoder: inout RecordEncoder, _ transaction: SaveTransaction
    ) throws {
        let store = transaction.store
        guard let ordinal = store.ordinal(of: key.entity) else { return }
        let table = store.tables[ordinal]
        guard let old = try transaction.recordForUpdate(key, in: table) else { return }
        let draft = RecordDraft.make(fieldCount: table.layout.fields.count)
        for (position, field) in rows.table.fields.enumerated() where !field.isRelationship {
            guard let place = place(of: position, in: table) else { continue }
            draft[place] = new.value(position, in: rows.table.layout)
        }
        let externals = (rows.arena.externalValues[row] ?? []).compactMap { value in
            place(of: value.field, in: table).map { (place: $0, bytes: value.bytes) }
        }
        for value in externals { draft[value.place] = .binaryData(value.bytes) }
        let merged = encoder.encode(
            layout: table.layout, version: old.version &+ 1, base: old, draft: draft,
            resolve: { $0 })
        try transaction.update(merged, replacing: old, for: key, in: table)
        for value in externals {
            try transaction.putExternalValue(
                value.bytes, of: key, table.layout.fields[value.place].number)
        }
    }

    /// Where a table has an attribute of the rows; nil where it has none of its name and type.
    private func place(of position: Int, in table: EntityTable) -> Int? {
        if table.ordinal == rows.table.ordinal { return position }
        let field = rows.table.fields[position]
        return table.fields.firstIndex {
            $0.name == field.name && $0.type == field.type && !$0.isRelationship
        }
    }
}
