// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

/// The result of a deletion in the store.
public struct DeletedObjects: Sendable {
    /// The objects that are gone, ascending; with those that delete rules took along.
    public var deleted: ContiguousArray<ObjectKey> = []
    /// The objects that lost a destination, ascending.
    public var updated: ContiguousArray<ObjectKey> = []
}

/// A deletion that applies delete rules in the store, where no context takes part.
///
/// It reads everything before it writes anything, so it only sees the state before the deletion.
struct StoreDeletion {
    private let transaction: SaveTransaction
    private let store: Store
    private let willDelete: ((ObjectKey, RecordView, EntityTable) throws -> Void)?
    private var doomed: Set<UInt64> = []
    /// The game objects that go along with others by relationships of a world.
    private var followers: FollowingRows?
    /// The positions of to-one relationships to clear, by object.
    private var cleared: [UInt64: [Int]] = [:]
    /// The to-many relationships of remaining objects that lose destinations.
    private var owners = TouchedOwners()

    init(
        _ transaction: SaveTransaction,
        _ willDelete: ((ObjectKey, RecordView, EntityTable) throws -> Void)?
    ) {
        self.transaction = transaction
        self.willDelete = willDelete
        store = transaction.store
    }

    mutating func run(_ keys: ContiguousArray<ObjectKey>) throws -> DeletedObjects {
        var result = DeletedObjects()
        result.deleted = try closure(of: keys)
        for key in result.deleted { try collectInverses(of: key) }
        for key in owners.owners.union(cleared.keys.map { ObjectKey(rawValue: $0) }).sorted() {
            guard let table = table(of: key),
                try transaction.rewrite(key, in: table, clearing: cleared[key.rawValue] ?? [])
            else { continue }
            owners.take(key, in: table, transaction)
            result.updated.append(key)
        }
        for key in result.deleted {
            guard let table = table(of: key) else { continue }
            if let willDelete, let record = try transaction.record(for: key, in: table) {
                try willDelete(key, record, table)
            }
            try transaction.delete(key, in: table)
            for relationship in table.relationships where relationship.isLinked {
                try transaction.unlinkAll(key, relationship)
            }
        }
        if let followers { transaction.noteDeparture(of: followers.withoutRecords) }
        return result
    }

    /// The objects and all that cascade rules delete with them.
    private mutating func closure(
        of keys: ContiguousArray<ObjectKey>
    ) throws -> ContiguousArray<ObjectKey> {
        var found: ContiguousArray<ObjectKey> = []
        var waiting = keys
        var next = 0
        while next < waiting.count {
            let key = waiting[next]
            next += 1
            guard let table = table(of: key),
                let record = try transaction.record(for: key, in: table),
                doomed.insert(key.rawValue).inserted
            else { continue }
            found.append(key)
            if table.ordinal == store.gameObjectOrdinal, store.hasColumns {
                waiting += try objectsFollowing(key, table)
            }
            for relationship in table.relationships
            where relationship.relationship.deleteRule == .cascade {
                waiting += try destinations(of: key, record, relationship, table)
            }
        }
        return ContiguousArray(found.sorted { $0.rawValue < $1.rawValue })
    }

    /// The objects that go along with a game object by cascade rules of a world's relationships.
    private mutating func objectsFollowing(
        _ key: ObjectKey, _ table: EntityTable
    ) throws -> [ObjectKey] {
        var rows = try followers ?? FollowingRows(transaction)
        // So that the sets have one owner, and are not copied for each object.
        followers = nil
        let found = try rows.follow(key.row) { row in
            let follower = ObjectKey(entity: table.number, row: row)
            return try transaction.record(for: follower, in: table) == nil ? nil : follower
        }
        followers = rows
        return found
    }

    /// Notes the references that remaining objects have to drop.
    private mutating func collectInverses(of key: ObjectKey) throws {
        guard let table = table(of: key), !table.relationships.isEmpty,
            let record = try transaction.record(for: key, in: table)
        else { return }
        for relationship in table.relationships {
            let isLeft = relationship.relationship.deleteRule == .noAction
            if isLeft, relationship.relationship.isToMany { continue }
            guard let name = relationship.relationship.inverse else { continue }
            for destination in try destinations(of: key, record, relationship, table)
            where !doomed.contains(destination.rawValue) {
                try forget(key, in: destination, name, onlyAsMember: isLeft)
            }
        }
    }

    /// - Parameter onlyAsMember: Whether the rule leaves the destination alone: only its members
    ///   lose a record that goes, which has the link itself.
    private mutating func forget(
        _ key: ObjectKey, in destination: ObjectKey, _ name: String, onlyAsMember: Bool
    ) throws {
        guard let table = table(of: destination),
            let record = try transaction.record(for: destination, in: table),
            let inverse = table.relationship(named: name), !inverse.relationship.isTransient,
            inverse.relationship.isToMany || !onlyAsMember
        else { return }
        if inverse.isLinked {
            if inverse.relationship.needsDestination {
                let left = try transaction.destinations(of: destination, inverse)
                if left.allSatisfy({ doomed.contains($0.rawValue) }) {
                    throw missing(inverse, table, destination)
                }
            }
            owners.add(destination, inverse)
            return transaction.unlink(destination, from: key, inverse)
        }
        guard let position = table.field(named: name),
            case .objectID(key)? = record.value(position, in: table.layout)
        else { return }
        guard !inverse.relationship.needsDestination else {
            throw missing(inverse, table, destination)
        }
        cleared[destination.rawValue, default: []].append(position)
    }

    private func missing(
        _ inverse: RelationshipTable, _ table: EntityTable, _ object: ObjectKey
    ) -> StoreError {
        let name = "\(table.entity.name).\(inverse.relationship.name)"
        return StoreError(
            .mandatory, path: store.path,
            "the deletion would leave \(name) of row \(object.row) without a destination, which "
                + "is mandatory; delete that object too, or repoint it first",
            objects: [object])
    }

    private func table(of key: ObjectKey) -> EntityTable? {
        store.ordinal(of: key.entity).map { store.tables[$0] }
    }

    private func destinations(
        of key: ObjectKey, _ record: RecordView, _ relationship: RelationshipTable,
        _ table: EntityTable
    ) throws -> ContiguousArray<ObjectKey> {
        if relationship.relationship.isTransient { return [] }
        if relationship.isLinked { return try transaction.destinations(of: key, relationship) }
        guard let position = table.field(named: relationship.relationship.name),
            case .objectID(let destination)? = record.value(position, in: table.layout)
        else { return [] }
        return [destination]
    }
}
