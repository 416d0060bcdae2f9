// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// The objects whose to-many relationships a request in the store changes from the other end.
///
/// They are told as those that a context saves: their records get another version, and the history
/// says which of their relationships have changed.
public struct TouchedOwners {
    private struct Side: Hashable {
        let owner: ObjectKey
        let number: PropertyNumber
    }

    private var sides: Set<Side> = []

    /// Makes an empty list.
    public init() {}

    /// Whether no relationship was noted.
    public var isEmpty: Bool { sides.isEmpty }

    /// The objects, each once.
    var owners: Set<ObjectKey> { Set(sides.map(\.owner)) }

    /// Notes that an owner gains or loses a destination.
    public mutating func add(_ owner: ObjectKey, _ relationship: RelationshipTable) {
        sides.insert(Side(owner: owner, number: relationship.number))
    }

    /// Tells the history of an object's relationships, whose record was the last one updated.
    public mutating func take(
        _ owner: ObjectKey, in table: EntityTable, _ transaction: SaveTransaction
    ) {
        for relationship in table.relationships {
            let side = Side(owner: owner, number: relationship.number)
            guard sides.remove(side) != nil else { continue }
            transaction.recorder?.relate(owner, relationship.number)
        }
    }

    /// Updates the objects that were not taken.
    ///
    /// - Returns: Their keys, ascending.
    public mutating func write(
        _ transaction: SaveTransaction
    ) throws -> ContiguousArray<ObjectKey> {
        var written: ContiguousArray<ObjectKey> = []
        for owner in owners.sorted() {
            guard let ordinal = transaction.store.ordinal(of: owner.entity) else { continue }
            let table = transaction.store.tables[ordinal]
            guard try transaction.rewrite(owner, in: table, clearing: []) else { continue }
            take(owner, in: table, transaction)
            written.append(owner)
        }
        return written
    }
}

extension SaveTransaction {
    /// Writes an object's record with another version, and without some of its references.
    ///
    /// - Returns: Whether there is such an object.
    func rewrite(
        _ key: ObjectKey, in table: EntityTable, clearing positions: [Int]
    ) throws -> Bool {
        guard let old = try recordForUpdate(key, in: table) else { return false }
        let count = table.layout.fields.count
        let draft = RecordDraft.make(fieldCount: count)
        for position in positions { draft[position] = .null }
        var encoder = RecordEncoder()
        let fields = draft.setFields(count)
        let record = encoder.encode(
            layout: table.layout, version: old.version &+ 1, base: old, draft: draft,
            changedFields: count > 63 ? nil : fields, resolve: { $0 })
        try update(record, replacing: old, for: key, in: table, changedFields: fields)
        return true
    }
}
