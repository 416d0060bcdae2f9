// SPDX-License-Identifier: Apache-2.0

/// One direction of a relationship between two entities.
public struct Relationship: Sendable, Hashable {
    /// The relationship's name, unique among the properties of its entity.
    public var name: String
    /// The name of the entity at the other end.
    public var destination: String
    /// The name of the relationship of the destination that points back, if there is one.
    public var inverse: String?
    /// Whether an object has any number of destinations.
    public var isToMany: Bool
    /// Whether the destinations have an order.
    public var isOrdered: Bool
    /// The least number of destinations; checked when there is one at all.
    public var minCount: Int
    /// The greatest number of destinations; 0 for no bound.
    public var maxCount: Int
    /// Whether a save accepts an object without a destination.
    public var isOptional: Bool
    /// Whether the relationship is kept in memory only and never written.
    public var isTransient: Bool
    /// What happens to the destinations when the owner is deleted.
    public var deleteRule: DeleteRule
    /// The name under which earlier versions of the model knew the relationship.
    public var renamingIdentifier: String?

    /// Whether an object without a destination breaks a rule of the model.
    ///
    /// For a to-many relationship the minimum count decides: if it is 0, the relationship may be
    /// empty, whether it is optional or not.
    public var needsDestination: Bool { !isOptional && (!isToMany || minCount > 0) }

    /// Makes a relationship; the defaults are those of Core Data's descriptions.
    public init(
        name: String, destination: String, inverse: String? = nil, isToMany: Bool = false,
        isOrdered: Bool = false, minCount: Int = 0, maxCount: Int = 0, isOptional: Bool = true,
        isTransient: Bool = false, deleteRule: DeleteRule = .nullify,
        renamingIdentifier: String? = nil
    ) {
        self.name = name
        self.destination = destination
        self.inverse = inverse
        self.isToMany = isToMany
        self.isOrdered = isOrdered
        self.minCount = minCount
        self.maxCount = maxCount
        self.isOptional = isOptional
        self.isTransient = isTransient
        self.deleteRule = deleteRule
        self.renamingIdentifier = renamingIdentifier
    }
}
