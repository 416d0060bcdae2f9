// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema

/// An attribute by whose values the objects of an entity are looked up.
struct KeyColumn {
    let place: AttributePlace
    private let entity: String
    private let attribute: String

    init(entity: InferredEntity, attribute: Int, _ places: ModelPlaces.EntityPlaces) {
        self.entity = entity.name
        self.attribute = entity.attributes[attribute].name
        place = places.attributes[attribute]
    }

    /// A fetch of the objects that have some values.
    ///
    /// It may find others: keys that lie close together are one range of the index, which is read
    /// faster than a list.
    func request(for wanted: [LookupKey: Value]) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        var numbers: [Int64] = []
        for case .integer(let number) in wanted.keys { numbers.append(number) }
        if numbers.count == wanted.count, let least = numbers.min(), let most = numbers.max(),
            most.subtractingReportingOverflow(least).overflow == false,
            most - least < 2 * numbers.count
        {
            request.predicate = NSPredicate(
                format: "%K >= %@ AND %K <= %@", attribute, least, attribute, most)
        } else {
            request.predicate = NSPredicate(
                format: "%K IN %@", attribute, wanted.values.compactMap(\.plainObject))
        }
        return request
    }
}
