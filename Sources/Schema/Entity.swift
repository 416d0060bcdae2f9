// SPDX-License-Identifier: Apache-2.0

/// The compiled description of one type of object.
///
/// Attributes, relationships and indexes include the inherited ones, so that a lower layer never
/// walks the hierarchy; an index that an entity inherits has the same name in each subentity and
/// one shared database.
public struct Entity: Sendable, Hashable {
    /// The entity's name, unique in its schema.
    public var name: String
    /// Whether no object has exactly this entity.
    public var isAbstract: Bool
    /// The name of the entity this one inherits from.
    public var superentity: String?
    /// All attributes, inherited ones first, in model order.
    public var attributes: [Attribute]
    /// All relationships, inherited ones first, in model order.
    public var relationships: [Relationship]
    /// All indexes and uniqueness constraints.
    public var indexes: [Index]
    /// The name under which earlier versions of the model knew the entity.
    public var renamingIdentifier: String?
    /// The name of the class that a managed-object layer makes for the entity's objects.
    public var className: String?

    /// Makes an entity.
    public init(
        name: String, isAbstract: Bool = false, superentity: String? = nil,
        attributes: [Attribute] = [], relationships: [Relationship] = [], indexes: [Index] = [],
        renamingIdentifier: String? = nil, className: String? = nil
    ) {
        self.name = name
        self.isAbstract = isAbstract
        self.superentity = superentity
        self.attributes = attributes
        self.relationships = relationships
        self.indexes = indexes
        self.renamingIdentifier = renamingIdentifier
        self.className = className
    }
}

extension Entity {
    /// The attribute of a name.
    /// - Complexity: O(attributes).
    public func attribute(_ name: String) -> Attribute? {
        attributes.first { $0.name == name }
    }

    /// The relationship of a name.
    /// - Complexity: O(relationships).
    public func relationship(_ name: String) -> Relationship? {
        relationships.first { $0.name == name }
    }
}

/// A property with a slot in an entity's records: a stored attribute or a to-one relationship.
public struct StoredField: Sendable, Hashable {
    /// The property's name.
    public var name: String
    /// The type of the slot; `objectID` for a relationship.
    public var type: AttributeType
    /// Whether the slot holds the destination of a to-one relationship.
    public var isRelationship: Bool
    /// Whether even small binary values live outside the record.
    public var allowsExternalStorage: Bool

    /// Makes a field.
    public init(
        name: String, type: AttributeType, isRelationship: Bool, allowsExternalStorage: Bool = false
    ) {
        self.name = name
        self.type = type
        self.isRelationship = isRelationship
        self.allowsExternalStorage = allowsExternalStorage
    }
}

extension Entity {
    /// The properties with a slot in a record, in layout order: wide slots first, then by name.
    ///
    /// The order depends on the entity alone, so a field's position is the same in every program
    /// that compiles the same model.
    public var storedFields: [StoredField] {
        var fields = attributes.filter { !$0.isTransient }.map {
            StoredField(
                name: $0.name, type: $0.type, isRelationship: false,
                allowsExternalStorage: $0.allowsExternalStorage)
        }
        fields += relationships.filter { !$0.isToMany && !$0.isTransient }.map {
            StoredField(name: $0.name, type: .objectID, isRelationship: true)
        }
        return fields.sorted {
            $0.type.slotWidth != $1.type.slotWidth
                ? $0.type.slotWidth > $1.type.slotWidth : $0.name < $1.name
        }
    }
}
