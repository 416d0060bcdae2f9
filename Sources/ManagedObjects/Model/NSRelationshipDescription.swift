// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// One direction of a relationship between two entities.
///
/// ```swift
/// let players = NSRelationshipDescription(
///     name: "players", destination: player, deleteRule: .cascadeDeleteRule)
/// team.properties.append(players)
/// player.properties.append(
///     NSRelationshipDescription(
///         name: "team", destination: team, maxCount: 1, inverse: players))
/// ```
///
/// The inverse is set on both descriptions. `maxCount` 1 makes a to-one relationship, 0 an
/// unbounded to-many; set it always, as a new description is to-many.
// SAFETY: as for the superclass: built on one thread, and setters trap once the model is in use.
// From then on referrers are no longer noted, see `stopNoting`.
open class NSRelationshipDescription: NSPropertyDescription, @unchecked Sendable {
    /// The entity at the other end; its model keeps it.
    open var destinationEntity: NSEntityDescription? {
        get { target }
        set {
            checkMutable()
            forgetTarget()
            target = newValue
            hasLostTarget = false
            guard let newValue, !newValue.isFrozen else { return }
            newValue.referrers.add(self)
            isNotedByTarget = true
        }
    }
    /// The relationship of the destination that points back; its entity keeps it.
    open var inverseRelationship: NSRelationshipDescription? {
        get { opposite }
        set {
            checkMutable()
            forgetOpposite()
            opposite = newValue
            lostOpposite = nil
            guard let newValue, !newValue.isFrozen else { return }
            newValue.referrers.add(self)
            isNotedByOpposite = true
        }
    }
    /// The greatest number of destinations: 1 for to-one, 0 for no bound.
    ///
    /// So great a number that no file keeps it, such as `Int.max`, is no bound either.
    open var maxCount: Int {
        get { stated.maxCount }
        set { edited.maxCount = newValue }
    }
    /// The least number of destinations, checked when there is one at all or when the
    /// relationship is not optional.
    open var minCount: Int {
        get { stated.minCount }
        set { edited.minCount = newValue }
    }
    /// What happens to the destinations when the owner is deleted.
    open var deleteRule: NSDeleteRule {
        get { stated.deleteRule }
        set { edited.deleteRule = newValue }
    }
    /// Whether the destinations have an order.
    open var isOrdered: Bool {
        get { stated.isOrdered }
        set { edited.isOrdered = newValue }
    }

    // Apart from the properties, which are computed: Swift calls no observers for what a
    // convenience initialiser of an extension assigns.
    private struct Stated {
        var maxCount = 0
        var minCount = 0
        var deleteRule = NSDeleteRule.nullifyDeleteRule
        var isOrdered = false
    }
    private var stated = Stated()
    /// The same for setters: changing it traps once the model is in use.
    private var edited: Stated {
        get { stated }
        set {
            checkMutable()
            stated = newValue
        }
    }
    // Unowned, as both sides of a relationship refer to each other.
    private unowned var target: NSEntityDescription?
    private unowned var opposite: NSRelationshipDescription?
    private var isNotedByTarget = false
    private var isNotedByOpposite = false
    private var hasLostTarget = false
    /// The name of an inverse that is gone, as a template of copies may be.
    private var lostOpposite: String?
    /// The relationships whose inverse this one is.
    private var referrers = ReferringRelationships()

    /// Whether an object has any number of destinations.
    open var isToMany: Bool { maxCount != 1 }

    /// Makes an unnamed to-many relationship.
    public override init() {
        super.init()
    }

    /// Makes an editable copy; destination and inverse still name the original's, of which the
    /// inverse is looked for by its name in the destination when the model is used.
    required public init(copying other: NSPropertyDescription) {
        super.init(copying: other)
        guard let other = other as? NSRelationshipDescription else { return }
        destinationEntity = other.destinationEntity
        inverseRelationship = other.inverseRelationship
        lostOpposite = other.lostOpposite
        stated = other.stated
    }

    deinit {
        referrers.forEach { $0.loseOpposite(named: name) }
        forgetTarget()
        forgetOpposite()
    }

    /// The destination is about to go.
    final func loseTarget() {
        target = nil
        isNotedByTarget = false
        hasLostTarget = true
    }

    private final func loseOpposite(named name: String) {
        opposite = nil
        isNotedByOpposite = false
        lostOpposite = name
    }

    /// The inverse's name, by which the destination has it: the description that was given may be
    /// a template of which the destination has a copy.
    final var inverseName: String? { opposite?.name ?? lostOpposite }

    /// Takes the destination's own description for the inverse in place of a template.
    private final func resolveInverse() {
        guard opposite?.owner == nil, let name = inverseName,
            let found = target?.relationshipsByName[name]
        else { return }
        opposite = found
    }

    private final func forgetTarget() {
        guard isNotedByTarget else { return }
        target?.referrers.remove(self)
        isNotedByTarget = false
    }

    private final func forgetOpposite() {
        guard isNotedByOpposite else { return }
        opposite?.referrers.remove(self)
        isNotedByOpposite = false
    }

    /// Stops noting referrers: the model is in use.
    final func stopNoting() {
        forgetTarget()
        forgetOpposite()
        resolveInverse()
        referrers.forEach { $0.isNotedByOpposite = false }
        referrers = ReferringRelationships()
    }

    /// The destination does not note the relationship any more.
    final func isNoLongerNoted() { isNotedByTarget = false }

    private final var isFrozen: Bool { owner?.isFrozen ?? false }

    override func hasStructure(of other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSRelationshipDescription else { return false }
        return super.hasStructure(of: other) && maxCount == other.maxCount
            && minCount == other.minCount && deleteRule == other.deleteRule
            && isOrdered == other.isOrdered
            && destinationEntity?.name == other.destinationEntity?.name
            && inverseName == other.inverseName
    }

    /// The compiled form.
    func compiled() throws(ModelError) -> Relationship {
        guard let destination = destinationEntity?.name else {
            throw ModelError(
                "relationship \(entity.name ?? "").\(name) has no destination; "
                    + (hasLostTarget
                        ? "the entity is gone: add it to the entities of the model"
                        : "set destinationEntity"))
        }
        if let lostOpposite, destinationEntity?.relationshipsByName[lostOpposite] == nil {
            throw ModelError(
                "the inverse of relationship \(entity.name ?? "").\(name) is gone; add it to the "
                    + "properties of \(destination)")
        }
        return Relationship(
            name: name, destination: destination, inverse: inverseName,
            isToMany: isToMany, isOrdered: isOrdered, minCount: minCount,
            maxCount: maxCount > Int(UInt32.max) ? 0 : maxCount,
            isOptional: isOptional, isTransient: isTransient, deleteRule: deleteRule.schemaRule,
            renamingIdentifier: renamedFrom)
    }
}
