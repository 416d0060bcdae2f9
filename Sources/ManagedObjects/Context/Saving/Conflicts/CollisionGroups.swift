// SPDX-License-Identifier: Apache-2.0

import Schema
import Store

/// The collisions of a transaction as conflicts: one for each set of objects with the same values.
struct CollisionGroups {
    /// A collision by its objects: keys of new ones change from one attempt to the next.
    struct Identity: Hashable {
        let index: PropertyNumber
        let object: ObjectIdentifier?
        let other: ObjectIdentifier?
        let stored: ObjectKey?
    }

    private struct Member: Hashable {
        let index: PropertyNumber
        let key: ObjectKey
    }

    private let context: NSManagedObjectContext
    private let target: SaveTarget
    private let inserted: [ObjectKey: NSManagedObject]
    private var groups: [(index: PropertyNumber, keys: [ObjectKey])] = []
    private(set) var identities: Set<Identity> = []

    init(_ collisions: [UniquenessCollision], _ writer: SaveWriter) {
        context = writer.context
        target = writer.target
        inserted = writer.insertedByKey()
        var positions: [Member: Int] = [:]
        for collision in collisions {
            let index = collision.index
            // The other one first: it is the older one, and each newcomer collides with it.
            let pair = [collision.other, collision.object]
            let known = pair.lazy.compactMap { positions[Member(index: index, key: $0)] }.first
            let position = known ?? groups.count
            if known == nil { groups.append((index, [])) }
            for key in pair
            where positions.updateValue(position, forKey: Member(index: index, key: key)) == nil {
                groups[position].keys.append(key)
            }
            identities.insert(identity(collision))
        }
    }

    private func identity(_ collision: UniquenessCollision) -> Identity {
        let other = changedObject(collision.other)
        return Identity(
            index: collision.index,
            object: changedObject(collision.object).map { ObjectIdentifier($0) },
            other: other.map { ObjectIdentifier($0) },
            stored: other == nil ? collision.other : nil)
    }

    /// The object behind a key of the transaction, if the save inserts or updates it.
    private func changedObject(_ key: ObjectKey) -> NSManagedObject? {
        if let object = inserted[key] { return object }
        guard let object = context.registry[target.outer(key)], object.isUpdated else { return nil }
        return object
    }

    /// - Parameter showsValues: Whether the conflicts carry the objects' values.
    func conflicts(showingValues showsValues: Bool) -> [NSConstraintConflict] {
        groups.compactMap { conflict($0.index, $0.keys.sorted(), showsValues) }
    }

    private func conflict(
        _ number: PropertyNumber, _ keys: [ObjectKey], _ showsValues: Bool
    ) -> NSConstraintConflict? {
        let store = target.store
        guard let ordinal = store.ordinal(of: keys[0].entity),
            let index = store.tables[ordinal].indexes.first(where: { $0.number == number })?.index
        else { return nil }
        var stored: (object: NSManagedObject, wasKnown: Bool)?
        var changed: [NSManagedObject] = []
        for key in keys {
            let wasKnown = context.registry[target.outer(key)] != nil
            if let object = changedObject(key), object.changes(index.properties) {
                changed.append(object)
            } else if let object = context.object(for: target.outer(key)) {
                stored = (object, wasKnown)
            }
        }
        let result =
            showsValues
            ? NSConstraintConflict(
                constraint: index.properties, database: stored?.object,
                databaseSnapshot: stored.map { $0.object.snapshot($0.object.fieldValue) },
                conflicting: changed,
                conflictingSnapshots: changed.map { $0.snapshot($0.fieldValue) })
            : NSConstraintConflict(withoutValues: index.properties, stored?.object, changed)
        result.knewDatabaseObject = stored?.wasKnown ?? true
        return result
    }
}

extension NSManagedObject {
    /// Whether an inserted or updated object brings values of properties that are not stored yet.
    fileprivate final func changes(_ names: [String]) -> Bool {
        isInserted
            || names.contains { name in
                guard case .field(let position)? = runtime.references[name],
                    let own = draftValue(position)
                else { return false }
                return own != storedValue(position)
            }
    }
}
