// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema

/// The objects of one entity that a batch asks for, by the values of one attribute.
///
/// Collects the values that are asked for and finds all their objects with one fetch.
struct KeyedObjects {
    private let entity: String
    private let attribute: String
    private let place: AttributePlace
    private var wanted: [LookupKey: Value] = [:]
    private var objects: [LookupKey: NSManagedObject] = [:]

    init(entity: InferredEntity, attribute: Int, _ places: ModelPlaces.EntityPlaces) {
        self.entity = entity.name
        self.attribute = entity.attributes[attribute].name
        place = places.attributes[attribute]
    }

    /// Notes that the object of a value will be asked for.
    mutating func want(_ value: Value) {
        guard let key = LookupKey(value) else { return }
        wanted[key] = value
    }

    /// Fetches what was asked for.
    mutating func find(in context: NSManagedObjectContext) throws {
        guard !wanted.isEmpty else { return }
        let request = wanted.request(entity, attribute)
        for object in try context.fetch(request) {
            if let key = LookupKey(object.value(at: place)) { objects[key] = object }
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

extension [LookupKey: Value] {
    /// A fetch of the objects of an entity that have these values of an attribute.
    ///
    /// It may find others: keys that lie close together are one range of the index, which is read
    /// faster than a list.
    func request(_ entity: String, _ attribute: String) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        var numbers: [Int64] = []
        for case .integer(let number) in keys { numbers.append(number) }
        if numbers.count == count, let least = numbers.min(), let most = numbers.max(),
            most.subtractingReportingOverflow(least).overflow == false,
            most - least < 2 * numbers.count
        {
            request.predicate = NSPredicate(
                format: "%K >= %@ AND %K <= %@", attribute, least, attribute, most)
        } else {
            request.predicate = NSPredicate(
                format: "%K IN %@", attribute, values.compactMap(\.plainObject))
        }
        return request
    }
}
