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

    private final func sorted(
        _ objects: [NSManagedObject], _ orders: [SortKey]
    ) throws -> [NSManagedObject] {
        guard !orders.isEmpty else { return objects }
        var keyed: [SortedObject] = []
        for object in objects {
            let subject = ObjectSubject(object)
            keyed.append(
                SortedObject(
                    object: object, values: try orders.map { try subject.value(at: $0.keyPath) },
                    place: object.orderNumber))
        }
        keyed.sort { (left: SortedObject, right: SortedObject) -> Bool in
            left.precedes(right, orders)
        }
        return keyed.map(\.object)
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
