// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import Foundation
import ManagedObjects
import Worlds

/// A question to a world that also asks for managed objects as components: all game objects that
/// match terms and filters and have data of a class.
///
/// ```swift
/// let slow = world.query(Mut<Position>.self, Stat.self).without(Frozen.self)
/// try slow.forEach { position, stat in position.x += Float(stat.value) }
/// ```
///
/// Unsaved components count. Which game objects match is found before the first one is visited, so
/// that what a closure changes does not decide which others come. Game objects come in the order of
/// their IDs, once for each managed object of the class that they have. Each answer throws 134060
/// for a world in memory, and what reading the components throws. For a second class use
/// ``GameObject/getData(ofType:)``.
public struct DataQuery<Terms: QueryTerms, Data: NSManagedObject>: FilteredQuery {
    private var query: Query<Terms>

    /// The world, terms and filters.
    @_documentation(visibility: internal)
    public var __shape: QueryShape {
        get { query.__shape }
        set { query.__shape = newValue }
    }

    init(_ query: Query<Terms>) { self.query = query }

    /// The game objects that match, ascending and each once.
    ///
    /// - Complexity: O(game objects that match the terms), and a prefix scan over those with such
    ///   data.
    public func objects() throws -> [GameObjectID] {
        var owners = try owners().map(\.id)[...]
        return query.objects.filter { object in
            owners = owners.drop { $0 < object }
            return owners.first == object
        }
    }

    /// The number of game objects that match.
    public func count() throws -> Int { try objects().count }

    /// Whether no game object matches.
    public func isEmpty() throws -> Bool { try objects().isEmpty }

    /// The first game object that matches; nil for none.
    public func first() throws -> GameObjectID? { try objects().first }

    /// Calls a closure with each managed object and the items of its game object.
    ///
    /// - Complexity: O(game objects that match the terms), a prefix scan over those with such data,
    ///   and a look-up for each that matches.
    func forEachDatum(_ body: (Data, Terms.Items) throws -> Void) throws {
        let owners = try owners()
        var matches = query.objects[...]
        let query = query.withoutFilters
        for (id, owner) in owners {
            matches = matches.drop { $0 < id }
            guard matches.first == id else { continue }
            // Read before the loop, in which the world cannot move on to another state.
            for datum in try owner.getData(ofType: Data.self) {
                try query.forEach(in: CollectionOfOne(id)) { try body(datum, $0) }
            }
        }
    }

    /// The game objects with data of the class, by ascending ID.
    private func owners() throws -> [(id: GameObjectID, object: GameObject)] {
        guard let context = query.__shape.world.context else {
            throw CoreDataError.make(
                .coreData, "a world in memory has no managed objects; open one of a context")
        }
        return try GameObject.fetchAll(withComponentOfType: Data.self, moc: context)
            .compactMap { owner in
                // One without a permanent ID has not been given value components.
                context.permanentKey(of: owner).map { (GameObjectID(rawValue: $0.rawValue), owner) }
            }
            .sorted { $0.id < $1.id }
    }
}

/// Loops, whose closures get an argument for each term and then the managed object; they throw
/// what the closure throws as well.
extension DataQuery {
    /// Calls a closure for each match of one term.
    public func forEach<A>(_ body: (A.Item, Data) throws -> Void) throws
    where Terms == Terms1<A> {
        try forEachDatum { try body($1, $0) }
    }

    /// Calls a closure for each match of two terms.
    public func forEach<A, B>(_ body: (A.Item, B.Item, Data) throws -> Void) throws
    where Terms == Terms2<A, B> {
        try forEachDatum { try body($1.0, $1.1, $0) }
    }

    /// Calls a closure for each match of three terms.
    public func forEach<A, B, C>(_ body: (A.Item, B.Item, C.Item, Data) throws -> Void) throws
    where Terms == Terms3<A, B, C> {
        try forEachDatum { try body($1.0, $1.1, $1.2, $0) }
    }

    /// Calls a closure for each match of four terms.
    public func forEach<A, B, C, D>(
        _ body: (A.Item, B.Item, C.Item, D.Item, Data) throws -> Void
    ) throws where Terms == Terms4<A, B, C, D> {
        try forEachDatum { try body($1.0, $1.1, $1.2, $1.3, $0) }
    }
}

/// Queries whose last term is a class of managed objects.
extension World {
    /// The game objects that match a term and have managed objects of a class as data.
    public func query<A: QueryTerm, Data: NSManagedObject>(
        _ a: A.Type, _ data: Data.Type
    ) -> DataQuery<Terms1<A>, Data> { DataQuery(query(a)) }

    /// The same with two terms.
    public func query<A: QueryTerm, B: QueryTerm, Data: NSManagedObject>(
        _ a: A.Type, _ b: B.Type, _ data: Data.Type
    ) -> DataQuery<Terms2<A, B>, Data> { DataQuery(query(a, b)) }

    /// The same with three terms.
    public func query<A: QueryTerm, B: QueryTerm, C: QueryTerm, Data: NSManagedObject>(
        _ a: A.Type, _ b: B.Type, _ c: C.Type, _ data: Data.Type
    ) -> DataQuery<Terms3<A, B, C>, Data> { DataQuery(query(a, b, c)) }

    /// The same with four terms.
    public func query<
        A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, Data: NSManagedObject
    >(
        _ a: A.Type, _ b: B.Type, _ c: C.Type, _ d: D.Type, _ data: Data.Type
    ) -> DataQuery<Terms4<A, B, C, D>, Data> { DataQuery(query(a, b, c, d)) }
}
