// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Query
import Schema

extension NSManagedObjectContext {
    /// Objects in the order of a fetch, offset and limit applied.
    final func arranged(
        _ objects: [NSManagedObject], _ description: FetchDescription
    ) throws -> [NSManagedObject] {
        try mappingQueryErrors { cut(try sorted(objects, description.sortOrders), description) }
    }

    /// Lists of objects that are in the order of a fetch each, as one, offset and limit applied.
    ///
    /// Objects stay in the order in which a store has them: they may know older values than it
    /// sorts, and cuts, by. What comes first depends on nothing behind it, so that pages are parts
    /// of the whole.
    final func merged(
        _ lists: [[NSManagedObject]], _ description: FetchDescription
    ) throws -> [NSManagedObject] {
        let orders = description.sortOrders
        if orders.isEmpty { return cut(lists.flatMap(\.self), description) }
        return try mappingQueryErrors {
            cut(try lists.reduce([]) { try merged($0, $1, orders) }, description)
        }
    }

    private final func merged(
        _ first: [NSManagedObject], _ second: [NSManagedObject], _ orders: [SortKey]
    ) throws -> [NSManagedObject] {
        if first.isEmpty || second.isEmpty { return first + second }
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(first.count + second.count)
        var coming = second[...]
        var next = try SortedObject(second[0], orders)
        for (index, object) in first.enumerated() {
            let own = try SortedObject(object, orders)
            while next.precedes(own, orders) {
                objects.append(coming.removeFirst())
                guard let object = coming.first else { return objects + first[index...] }
                next = try SortedObject(object, orders)
            }
            objects.append(object)
        }
        return objects + coming
    }

    /// Objects in an order, by what they know.
    final func sorted(
        _ objects: [NSManagedObject], _ orders: [SortKey]
    ) throws -> [NSManagedObject] {
        if orders.isEmpty { return objects }
        return try objects.map { try SortedObject($0, orders) }
            .sorted { $0.precedes($1, orders) }.map(\.object)
    }

    private final func cut(
        _ objects: [NSManagedObject], _ description: FetchDescription
    ) -> [NSManagedObject] {
        if description.offset == 0, description.limit == 0 { return objects }
        let rest = objects.dropFirst(description.offset)
        return Array(description.limit > 0 ? rest.prefix(description.limit) : rest)
    }
}

/// An object with the values that it is sorted by.
private struct SortedObject {
    let object: NSManagedObject
    let values: [Value]
    /// The place among equal ones: as in the store, and new objects behind saved ones.
    let place: UInt64

    init(_ object: NSManagedObject, _ orders: [SortKey]) throws {
        let subject = ObjectSubject(object)
        self.object = object
        values = try orders.map { try subject.value(at: $0.keyPath) }
        place = object.orderNumber
    }

    func precedes(_ other: SortedObject, _ orders: [SortKey]) -> Bool {
        for (index, order) in orders.enumerated() {
            let ordering = order.compare(values[index], other.values[index])
            if ordering != .same { return ordering == .ascending }
        }
        // As rows of the store, see `FetchPlan.keysAscend`.
        let isAscending = orders.last?.isAscending ?? true
        return isAscending ? place < other.place : place > other.place
    }
}
