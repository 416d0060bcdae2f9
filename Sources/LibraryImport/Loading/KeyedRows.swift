// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Schema

/// The stored objects that rows refer to, by their keys, without the objects.
struct KeyedRows {
    /// The most keys that are remembered from batch to batch.
    private static let limit = 1 << 17

    private let entity: String
    private let attribute: String
    private let place: AttributePlace
    private var found: [LookupKey: ObjectKey] = [:]

    init(entity: InferredEntity, attribute: Int, _ places: ModelPlaces.EntityPlaces) {
        self.entity = entity.name
        self.attribute = entity.attributes[attribute].name
        place = places.attributes[attribute]
    }

    /// The object of a value, if it is remembered.
    subscript(_ key: LookupKey) -> ObjectKey? { found[key] }

    /// Looks for the objects of values with one fetch, and remembers them.
    ///
    /// - Parameter wanted: Values that are not remembered.
    mutating func find(
        _ wanted: [LookupKey: Value], in context: NSManagedObjectContext
    ) throws {
        guard !wanted.isEmpty else { return }
        if found.count + wanted.count > KeyedRows.limit { found.removeAll() }
        var all = found
        found = [:]
        defer { found = all }
        try context.forEachStored(wanted.request(entity, attribute), place) { object, value in
            if let key = LookupKey(value), wanted[key] != nil { all[key] = object }
        }
    }
}
