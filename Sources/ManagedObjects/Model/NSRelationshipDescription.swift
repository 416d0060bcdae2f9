// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// One direction of a relationship between two entities.
///
/// The inverse is set on both descriptions. `maxCount` 1 makes a to-one relationship, 0 an
/// unbounded to-many; set it always, as a new description is to-many.
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
    /// The entity at the other end.
    open var destinationEntity: NSEntityDescription? {
        get { stated.destinationEntity }
        set {
            checkMutable()
            stated.destinationEntity = newValue
        }
    }
    /// The relationship of the destination that points back.
    open var inverseRelationship: NSRelationshipDescription? {
        get { stated.inverseRelationship }
        set {
            checkMutable()
            stated.inverseRelationship = newValue
        }
    }
    /// The greatest number of destinations: 1 for to-one, 0 for no bound.
    open var maxCount: Int {
        get { stated.maxCount }
        set {
            checkMutable()
            stated.maxCount = newValue
        }
    }
    /// The least number of destinations, checked when there is one at all.
    open var minCount: Int {
        get { stated.minCount }
        set {
            checkMutable()
            stated.minCount = newValue
        }
    }
    /// What happens to the destinations when the owner is deleted.
    open var deleteRule: NSDeleteRule {
        get { stated.deleteRule }
        set {
            checkMutable()
            stated.deleteRule = newValue
        }
    }
    /// Whether the destinations have an order.
    open var isOrdered: Bool {
        get { stated.isOrdered }
        set {
            checkMutable()
            stated.isOrdered = newValue
        }
    }

    // Apart from the properties, which are computed: Swift calls no observers for what a
    // convenience initialiser of an extension assigns.
    private struct Stated {
        // Unowned, as the entity has the relationship.
        unowned var destinationEntity: NSEntityDescription?
        unowned var inverseRelationship: NSRelationshipDescription?
        var maxCount = 0
        var minCount = 0
        var deleteRule = NSDeleteRule.nullifyDeleteRule
        var isOrdered = false
    }
    private var stated = Stated()

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
        stated = other.stated
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
