// SPDX-License-Identifier: Apache-2.0

/// An immutable, validated set of entities: what a managed-object model compiles to.
///
/// ```swift
/// let schema = try Schema(entities: [
///     Entity(name: "Team", attributes: [Attribute(name: "name", type: .string)])
/// ])
/// ```
///
/// An entity's *ordinal* is its position here. Ordinals belong to the running program; the
/// numbers that a file uses (``EntityNumber``) are given by the store and outlive the model.
public struct Schema: Sendable, Hashable {
    /// All entities, sorted by name.
    public let entities: [Entity]
    private let ordinals: [String: Int]
    /// The ordinals of the entities that inherit from each directly.
    private let subordinates: [[Int]]

    /// The longest chain of entities that inherit from each other.
    ///
    /// Each of them has the properties of all its ancestors, and many look-ups go through those.
    public static let deepestInheritance = 256

    /// Validates and compiles entities.
    ///
    /// - Throws: ``SchemaError`` naming the entity and property that break a rule.
    /// - Complexity: O(properties).
    public init(entities: [Entity]) throws(SchemaError) {
        self.entities = entities.sorted { $0.name < $1.name }
        var ordinals: [String: Int] = [:]
        for (ordinal, entity) in self.entities.enumerated() {
            guard ordinals.updateValue(ordinal, forKey: entity.name) == nil else {
                throw SchemaError(.duplicateName, "two entities are named \(entity.name)")
            }
        }
        self.ordinals = ordinals
        var subordinates: [[Int]] = self.entities.map { _ in [] }
        for (ordinal, entity) in self.entities.enumerated() {
            guard let parent = entity.superentity.flatMap({ ordinals[$0] }) else { continue }
            subordinates[parent].append(ordinal)
        }
        self.subordinates = subordinates
        try validate()
    }

    /// The position of the entity of a name in ``entities``.
    public func ordinal(of name: String) -> Int? { ordinals[name] }

    /// The entity of a name.
    public func entity(_ name: String) -> Entity? { ordinals[name].map { entities[$0] } }

    /// Whether an entity is another one or inherits from it.
    public func entity(_ name: String, isKindOf ancestor: String) -> Bool {
        var current: String? = name
        while let step = current {
            if step == ancestor { return true }
            current = entity(step)?.superentity
        }
        return false
    }

    /// The ordinals of an entity and of all that inherit from it, ascending.
    public func ordinals(kindOf name: String) -> [Int] {
        ordinals[name].map { ordinals(kindOf: $0) } ?? []
    }

    /// The ordinals of the entity of an ordinal and of all that inherit from it, ascending.
    public func ordinals(kindOf ordinal: Int) -> [Int] {
        var found = [ordinal]
        // Each one found is searched in turn.
        var next = 0
        while next < found.count {
            found += subordinates[found[next]]
            next += 1
        }
        return found.sorted()
    }

    /// The entity that declares a property: the furthest ancestor that has it.
    public func declaringEntity(of property: String, in name: String) -> String {
        var result = name
        var current = entity(name)?.superentity
        while let step = current, let entity = entity(step) {
            guard entity.attribute(property) != nil || entity.relationship(property) != nil else {
                break
            }
            result = step
            current = entity.superentity
        }
        return result
    }

    /// The relationship that points back along another one.
    public func inverse(of relationship: Relationship) -> Relationship? {
        guard let name = relationship.inverse else { return nil }
        return entity(relationship.destination)?.relationship(name)
    }
}
