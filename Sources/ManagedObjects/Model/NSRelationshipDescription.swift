// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// One direction of a relationship between two entities.
///
/// The inverse is set on both descriptions. `maxCount` 1 makes a to-one relationship, 0 an
/// unbounded to-many; set it always, as a new description is to-many.
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
    /// The entity at the other end.
    open unowned var destinationEntity: NSEntityDescription? { willSet { checkMutable() } }
    /// The relationship of the destination that points back.
    open unowned var inverseRelationship: NSRelationshipDescription? {
        willSet { checkMutable() }
    }
    /// The greatest number of destinations: 1 for to-one, 0 for no bound.
    open var maxCount: Int = 0 { willSet { checkMutable() } }
    /// The least number of destinations, checked when there is one at all.
    open var minCount: Int = 0 { willSet { checkMutable() } }
    /// What happens to the destinations when the owner is deleted.
    open var deleteRule: NSDeleteRule = .nullifyDeleteRule { willSet { checkMutable() } }
    /// Whether the destinations have an order.
    open var isOrdered: Bool = false { willSet { checkMutable() } }

    /// Whether an object has any number of destinations.
    open var isToMany: Bool { maxCount != 1 }

    /// Makes an unnamed to-many relationship.
    public override init() {
        super.init()
    }

    /// Makes an editable copy; destination and inverse still name the original's.
    required public init(copying other: NSPropertyDescription) {
        super.init(copying: other)
        guard let other = other as? NSRelationshipDescription else { return }
        destinationEntity = other.destinationEntity
        inverseRelationship = other.inverseRelationship
        maxCount = other.maxCount
        minCount = other.minCount
        deleteRule = other.deleteRule
        isOrdered = other.isOrdered
    }

    override func hasStructure(of other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSRelationshipDescription else { return false }
        return super.hasStructure(of: other) && maxCount == other.maxCount
            && minCount == other.minCount && deleteRule == other.deleteRule
            && isOrdered == other.isOrdered
            && destinationEntity?.name == other.destinationEntity?.name
            && inverseRelationship?.name == other.inverseRelationship?.name
    }

    /// The compiled form.
    func compiled() throws(ModelError) -> Relationship {
        guard let destination = destinationEntity?.name else {
            throw ModelError(
                "relationship \(entity.name ?? "").\(name) leads nowhere; set destinationEntity")
        }
        return Relationship(
            name: name, destination: destination, inverse: inverseRelationship?.name,
            isToMany: isToMany, isOrdered: isOrdered, minCount: minCount, maxCount: maxCount,
            isOptional: isOptional, isTransient: isTransient, deleteRule: deleteRule.schemaRule,
            renamingIdentifier: renamedFrom)
    }
}
