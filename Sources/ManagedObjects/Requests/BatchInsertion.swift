// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store

/// Writes the rows of a batch insertion, and settles what uniqueness constraints say to them.
struct BatchInsertion {
    private enum Fate {
        case insertion
        case update(ObjectKey)
        case none
    }

    private static let roundLimit = 16

    private let rows: BatchRows
    private let policy: NSMergePolicyType
    /// What becomes of rows that are not simply inserted.
    private var fates: [Int: Fate] = [:]

    init(_ rows: BatchRows, _ policy: NSMergePolicy?) {
        self.rows = rows
        self.policy = policy?.mergeType ?? .errorMergePolicyType
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
                    settle(collisions, first)
                else { throw error }
            }
        }
        throw CoreDataError.make(
            .managedObjectConstraintMerge,
            "rows of the batch insertion keep colliding with each other through several "
                + "uniqueness constraints; insert them through a context")
    }

    /// Decides about rows that collide; false where that does not help.
    private mutating func settle(_ collisions: [UniquenessCollision], _ first: UInt64) -> Bool {
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
            } else if collision.other.entity == rows.table.number {
                // Later rows win.
                if let earlier = updated[collision.other] { fates[earlier] = Fate.none }
                updated[collision.other] = row
                fates[row] = .update(collision.other)
            } else {
                return false
            }
        }
        return hasSettled
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
        let table = rows.table
        let count = rows.arena.count
        first = try transaction.allocateRows(count, in: table)
        var outcome = BatchOutcome()
        outcome.hasWritten = true
        outcome.keys.reserveCapacity(count)
        var encoder = RecordEncoder()
        for row in 0..<count {
            switch fates.isEmpty ? .insertion : fates[row] ?? .insertion {
            case .none: break
            case .insertion:
                let key = ObjectKey(entity: table.number, row: first + UInt64(row))
                try transaction.insert(rows.arena[row], for: key, in: table)
                try writeExternals(of: row, key, transaction)
                outcome.keys.append(key)
            case .update(let key):
                try update(key, row, &encoder, transaction)
                outcome.keys.append(key)
                outcome.changed.append(key)
            }
        }
        outcome.count = outcome.keys.count
        outcome.changeCount = outcome.changed.count
        return outcome
    }

    private func writeExternals(
        of row: Int, _ key: ObjectKey, _ transaction: SaveTransaction
    ) throws {
        guard !rows.externals.isEmpty, let values = rows.externals[row] else { return }
        for value in values {
            try transaction.putExternalValue(
                value.bytes, of: key, rows.table.layout.fields[value.field].number)
        }
    }

    /// Gives a stored object the attributes of a row; its relationships stay.
    private func update(
        _ key: ObjectKey, _ row: Int, _ encoder: inout RecordEncoder,
        _ transaction: SaveTransaction
    ) throws {
        let table = rows.table
        guard let old = try transaction.recordForUpdate(key, in: table),
            let new = RecordView(rows.arena[row])
        else { return }
        let draft = RecordDraft.make(fieldCount: table.layout.fields.count)
        for (position, field) in table.fields.enumerated() where !field.isRelationship {
            draft[position] = new.value(position, in: table.layout)
        }
        for value in rows.externals[row] ?? [] { draft[value.field] = .binaryData(value.bytes) }
        let record = encoder.encode(
            layout: table.layout, version: old.version &+ 1, base: old, draft: draft,
            resolve: { $0 })
        try transaction.update(record, replacing: old, for: key, in: table)
        try writeExternals(of: row, key, transaction)
    }
}
