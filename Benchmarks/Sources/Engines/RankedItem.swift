// SPDX-License-Identifier: Apache-2.0

import CoreData

/// An item with a place among the others of its group.
final class RankedItem: NSManagedObject {
    @Managed var group: Int32
    @Managed var rank: Int64
    @Managed var note: Int32

    /// The model: the group is indexed, so that the controllers of groups fetch quickly.
    static func makeModel() -> NSManagedObjectModel {
        let names: [(String, NSAttributeDescription.AttributeType)] = [
            ("group", .integer32), ("rank", .integer64), ("note", .integer32),
        ]
        let attributes = names.map { name, type in
            let attribute = NSAttributeDescription(name: name, type: type)
            attribute.defaultValue = 0
            return attribute
        }
        let entity = NSEntityDescription(
            name: "RankedItem", managedObjectClass: RankedItem.self, properties: attributes)
        let element = NSFetchIndexElementDescription(
            property: attributes[0], collationType: .binary)
        entity.indexes = [NSFetchIndexDescription(name: "group", elements: [element])]
        return NSManagedObjectModel(entities: [entity])
    }
}
