// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Schema

/// The objects of one entity that a batch asks for, by the values of one attribute.
///
/// Collects the values that are asked for and finds all their objects with one fetch.
struct KeyedObjects {
    private let column: KeyColumn
    private var wanted: [LookupKey: Value] = [:]
    private var objects: [LookupKey: NSManagedObject] = [:]

    init(_ column: KeyColumn) { self.column = column }

    /// Notes that the object of a value will be asked for.
    mutating func want(_ value: Value) {
        guard let key = LookupKey(value) else { return }
        wanted[key] = value
    }

    /// Fetches what was asked for.
    mutating func find(in context: NSManagedObjectContext) throws {
        guard !wanted.isEmpty else { return }
        for object in try context.fetch(column.request(for: wanted)) {
            if let key = LookupKey(object.value(at: column.place)) { objects[key] = object }
        }
        wanted.removeAll(keepingCapacity: true)
    }

    /// The object of a value.
    subscript(_ value: Value) -> NSManagedObject? {
        LookupKey(value).flatMap { objects[$0] }
    }

    /// Notes an object that was made or got another value.
    mutating func insert(_ object: NSManagedObject, for value: Value) {
        guard let key = LookupKey(value) else { return }
        objects[key] = object
    }
}
