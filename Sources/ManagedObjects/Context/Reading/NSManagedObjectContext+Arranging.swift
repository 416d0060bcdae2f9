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
        try mappingQueryErrors {
            cut(
                try sorted(objects, description.sortFields, reach: description.reach),
                description)
        }
    }

    /// Lists of objects in the order of a fetch, as a store has it each, as one list, offset and
    /// limit applied.
    ///
    /// Objects stay in the order in which a store has them: they may know other values than it
    /// sorts, and cuts, by. What comes first depends on nothing behind it, so that pages are parts
    /// of the whole.
    final func merged(
        _ lists: [[NSManagedObject]], _ description: FetchDescription
    ) throws -> [NSManagedObject] {
        let orders = description.sortFields
        if orders.isEmpty { return cut(lists.flatMap(\.self), description) }
        return try mappingQueryErrors {
            cut(
                try lists.reduce([]) { try merged($0, $1, orders, isStored: true) }, description)
        }
    }

    /// Objects as stores have them, and unsaved ones in their own order, as one list, offset and
    /// limit applied.
    final func merged(
        _ stored: [NSManagedObject], unsaved: [NSManagedObject], _ description: FetchDescription
    ) throws -> [NSManagedObject] {
        let orders = description.sortFields
        if orders.isEmpty { return cut(stored + unsaved, description) }
        return try mappingQueryErrors {
            cut(try merged(stored, unsaved, orders, isStored: false), description)
        }
    }

    /// - Parameter isStored: Whether the second list is in the order of a store, too.
    private final func merged(
        _ first: [NSManagedObject], _ second: [NSManagedObject], _ orders: [SortField],
        isStored: Bool
    ) throws -> [NSManagedObject] {
        if first.isEmpty || second.isEmpty { return first + second }
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(first.count + second.count)
        var coming = second[...]
        func place(_ object: NSManagedObject, _ last: SortedObject?) throws -> SortedObject? {
            isStored ? try stored(object, after: last, orders) : try SortedObject(object, orders)
        }
        var next = try place(second[0], nil)
        var own: SortedObject?
        for (index, object) in first.enumerated() {
            own = try stored(object, after: own, orders)
            while SortedObject.precedes(next, own, orders) {
                objects.append(coming.removeFirst())
                guard let object = coming.first else { return objects + first[index...] }
                next = try place(object, next)
            }
            objects.append(object)
        }
        return objects + coming
    }

    /// Where a store has an object: behind the last one, if it knows other values than the store;
    /// `nil` for the first place.
    private final func stored(
        _ object: NSManagedObject, after last: SortedObject?, _ orders: [SortField]
    ) throws -> SortedObject? {
        object.hasChanges || isOutdated(object) ? last : try SortedObject(object, orders)
    }

    /// Whether a root's object keeps values that others have replaced.
    final func isOutdated(_ object: NSManagedObject) -> Bool {
        guard source == nil, let base = object.extras?.ownedRecord?.view,
            let now = recordAtSnapshot(of: object)
        else { return false }
        return base.version != now.version
    }

    /// Objects in an order, by what they know.
    ///
    /// - Parameter reach: How many of the first ones are wanted; 0 for all.
    final func sorted(
        _ objects: [NSManagedObject], _ orders: [SortField], reach: Int = 0
    ) throws -> [NSManagedObject] {
        if orders.isEmpty { return objects }
        if reach > 0, reach < objects.count / 16 { return try first(reach, of: objects, orders) }
        return try objects.map { try SortedObject($0, orders) }
            .sorted { $0.precedes($1, orders) }.map(\.object)
    }

    /// The first of many objects in an order: one comparison is enough for most of the others.
    private final func first(
        _ count: Int, of objects: [NSManagedObject], _ orders: [SortField]
    ) throws -> [NSManagedObject] {
        var best: [SortedObject] = []
        best.reserveCapacity(count + 1)
        for object in objects {
            let next = try SortedObject(object, orders)
            if best.count == count, let last = best.last, !next.precedes(last, orders) { continue }
            let place = best.partitioningIndex { next.precedes($0, orders) }
            best.insert(next, at: place)
            if best.count > count { best.removeLast() }
        }
        return best.map(\.object)
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

    init(_ object: NSManagedObject, _ orders: [SortField]) throws {
        self.object = object
        values = try orders.map { try $0.value(of: object) }
        place = object.orderNumber
    }

    /// Whether one is before another; `nil` is before all, and the second of two before the first.
    static func precedes(
        _ first: SortedObject?, _ second: SortedObject?, _ orders: [SortField]
    ) -> Bool {
        guard let second else { return false }
        return first?.precedes(second, orders) ?? true
    }

    func precedes(_ other: SortedObject, _ orders: [SortField]) -> Bool {
        for (index, order) in orders.enumerated() {
            let ordering = order.key.compare(values[index], other.values[index])
            if ordering != .same { return ordering == .ascending }
        }
        // As rows of the store, see `FetchPlan.keysAscend`.
        let isAscending = orders.last?.key.isAscending ?? true
        return isAscending ? place < other.place : place > other.place
    }
}
