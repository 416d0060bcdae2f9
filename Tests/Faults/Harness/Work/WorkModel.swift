// SPDX-License-Identifier: Apache-2.0

import Lode

final class WorkItem: NSManagedObject {
    @Managed var name: String
    @Managed var value: Int64
    @Managed var text: String?
    @Managed var blob: Data?
    @Managed var owner: WorkOwner?
    @Managed var queuedBy: WorkOwner?
    @Managed var tags: Set<WorkTag>
}

final class WorkOwner: NSManagedObject {
    @Managed var name: String
    @Managed var items: Set<WorkItem>
    @Managed var queue: [WorkItem]
}

final class WorkTag: NSManagedObject {
    @Managed var name: String
    @Managed var items: Set<WorkItem>
}

/// Says how many steps are in the file; each save counts it up.
final class WorkLedger: NSManagedObject {
    @Managed var step: Int64
}

/// A row that batches write.
final class WorkRow: NSManagedObject {
    @Managed var generation: Int64
    @Managed var value: Int64
}

/// A model with one of everything that a file can hold.
enum WorkModel {
    /// How many sets of indexes there are.
    static let variants = 4

    /// - Parameter variant: Which indexes the model has: they are no part of its version.
    static func make(variant: Int = 1) -> NSManagedObjectModel {
        let item = NSEntityDescription(name: "Item", managedObjectClass: WorkItem.self)
        let owner = NSEntityDescription(name: "Owner", managedObjectClass: WorkOwner.self)
        let tag = NSEntityDescription(name: "Tag", managedObjectClass: WorkTag.self)
        let ledger = NSEntityDescription(name: "Ledger", managedObjectClass: WorkLedger.self)
        let row = NSEntityDescription(name: "Row", managedObjectClass: WorkRow.self)
        func name() -> NSAttributeDescription {
            NSAttributeDescription(name: "name", type: .string, defaultValue: "")
        }
        func number(_ name: String) -> NSAttributeDescription {
            NSAttributeDescription(name: name, type: .integer64, defaultValue: 0)
        }
        let value = number("value")
        let text = NSAttributeDescription(name: "text", type: .string)
        let blob = NSAttributeDescription(name: "blob", type: .binaryData)
        let items = NSRelationshipDescription(name: "items", destination: item)
        let queue = NSRelationshipDescription(name: "queue", destination: item)
        queue.isOrdered = true
        let tagged = NSRelationshipDescription(name: "items", destination: item)
        owner.properties = [name(), items, queue]
        tag.properties = [name(), tagged]
        item.properties = [
            name(), value, text, blob,
            NSRelationshipDescription(
                name: "owner", destination: owner, maxCount: 1, inverse: items),
            NSRelationshipDescription(
                name: "queuedBy", destination: owner, maxCount: 1, inverse: queue),
            NSRelationshipDescription(name: "tags", destination: tag, inverse: tagged),
        ]
        item.uniquenessConstraints = [["name"]]
        ledger.properties = [number("step")]
        let (generation, rowValue) = (number("generation"), number("value"))
        row.properties = [generation, rowValue]
        switch variant {
        case 0: break
        case 1: item.indexes = [NSFetchIndexDescription(name: "byValue", properties: [value])]
        case 2:
            item.indexes = [NSFetchIndexDescription(name: "byText", properties: [text, value])]
            row.indexes = [NSFetchIndexDescription(name: "byValue", properties: [rowValue])]
        default:
            item.indexes = [
                NSFetchIndexDescription(name: "byValue", properties: [value]),
                NSFetchIndexDescription(name: "byText", properties: [text]),
            ]
            row.indexes = [NSFetchIndexDescription(name: "byAge", properties: [generation])]
        }
        return NSManagedObjectModel(
            entities: [item, owner, tag, ledger, row] + GameObject.makeEntities())
    }
}
