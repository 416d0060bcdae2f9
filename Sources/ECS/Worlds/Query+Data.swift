// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import Foundation
import ManagedObjects
import Worlds

extension Query {
    /// Calls a closure for each game object that matches and has managed objects of a type as data,
    /// once for each of these.
    ///
    /// ```swift
    /// try world.query(Mut<Position>.self).forEach(with: Stat.self) { stat, position in
    ///     position.x += Float(stat.value)
    /// }
    /// ```
    ///
    /// Unsaved components count. Game objects come in the order of their IDs.
    ///
    /// - Parameters:
    ///   - type: The class of the data.
    ///   - body: Gets the data and the items of the query.
    /// - Throws: 134060 for a world in memory, what reading the components throws, and what the
    ///   closure throws.
    /// - Complexity: A prefix scan over the game objects with such data, a look-up for each.
    public func forEach<Data: NSManagedObject>(
        with type: Data.Type, _ body: (Data, Terms.Items) throws -> Void
    ) throws {
        let world = __shape.world
        guard let context = world.context else {
            throw CoreDataError.make(
                .coreData, "a world in memory has no managed objects; open one of a context")
        }
        var found: [(id: GameObjectID, data: [Data])] = []
        for owner in try GameObject.fetchAll(withComponentOfType: type, moc: context) {
            // One without a permanent ID has not been given value components.
            guard let key = context.permanentKey(of: owner) else { continue }
            found.append((GameObjectID(rawValue: key.rawValue), try owner.getData(ofType: type)))
        }
        found.sort { $0.id < $1.id }
        for (id, data) in found {
            for datum in data {
                try forEach(in: CollectionOfOne(id)) { try body(datum, $0) }
            }
        }
    }
}
