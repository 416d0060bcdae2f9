// SPDX-License-Identifier: Apache-2.0

// Short forms to describe a model in code; Core Data has the setters only. Disfavoured, so that an
// application's own initialisers of the same names win.

extension NSManagedObjectModel {
    /// Makes a model of entities.
    @_disfavoredOverload
    public convenience init(entities: [NSEntityDescription]) {
        self.init()
        self.entities = entities
    }
}

extension NSEntityDescription {
    /// Makes an entity whose objects are of a class.
    ///
    /// Sets ``managedObjectClassName`` to the class's name with its module. As the class itself is
    /// known, it is not looked up by that name.
    ///
    /// - Parameters:
    ///   - name: The entity's name.
    ///   - type: The class of its objects.
    ///   - properties: Its own properties; relationships may follow once their destinations exist.
    @_disfavoredOverload
    public convenience init(
        name: String, managedObjectClass type: NSManagedObject.Type = NSManagedObject.self,
        properties: [NSPropertyDescription] = []
    ) {
        self.init()
        self.name = name
        setClass(type)
        self.properties = properties
    }
}

extension NSAttributeDescription {
    /// Makes an attribute.
    ///
    /// - Parameters:
    ///   - name: The attribute's name.
    ///   - type: The type of its values.
    ///   - isOptional: Whether a save accepts an object without a value.
    ///   - defaultValue: The value of a new object.
    @_disfavoredOverload
    public convenience init(
        name: String, type: AttributeType, isOptional: Bool = true, defaultValue: Any? = nil
    ) {
        self.init()
        self.name = name
        self.type = type
        self.isOptional = isOptional
        self.defaultValue = defaultValue
    }
}

extension NSRelationshipDescription {
    /// Makes one direction of a relationship, and connects it with the other one.
    ///
    /// ```swift
    /// let players = NSRelationshipDescription(name: "players", destination: player)
    /// let owner = NSRelationshipDescription(
    ///     name: "team", destination: team, maxCount: 1, inverse: players)
    /// ```
    ///
    /// - Parameters:
    ///   - name: The relationship's name.
    ///   - destination: The entity at the other end.
    ///   - maxCount: 1 for to-one, 0 for to-many without a bound.
    ///   - isOptional: Whether a save accepts an object without a destination.
    ///   - deleteRule: What happens to the destinations when the owner is deleted.
    ///   - inverse: The direction back, whose ``inverseRelationship`` is set to this one.
    @_disfavoredOverload
    public convenience init(
        name: String, destination: NSEntityDescription, maxCount: Int = 0, isOptional: Bool = true,
        deleteRule: NSDeleteRule = .nullifyDeleteRule, inverse: NSRelationshipDescription? = nil
    ) {
        self.init()
        self.name = name
        destinationEntity = destination
        self.maxCount = maxCount
        self.isOptional = isOptional
        self.deleteRule = deleteRule
        inverseRelationship = inverse
        inverse?.inverseRelationship = self
    }
}

extension NSFetchIndexDescription {
    /// Makes an index over properties, the most significant one first.
    @_disfavoredOverload
    public convenience init(name: String, properties: [NSPropertyDescription]) {
        self.init(
            name: name,
            elements: properties.map {
                NSFetchIndexElementDescription(property: $0, collationType: .binary)
            })
    }
}
