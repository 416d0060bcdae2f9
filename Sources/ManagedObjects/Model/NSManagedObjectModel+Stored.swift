// SPDX-License-Identifier: Apache-2.0

import Foundation
import Query
import Schema
import Store

extension NSManagedObjectModel {
    /// The model that a store was written with, as the file itself keeps it.
    ///
    /// Objects are of `NSManagedObject` where the program has no class of the stored name. Neither
    /// the pages of the file nor the names of classes in it are checked: for a file from elsewhere
    /// call ``NSPersistentStore/verify(at:_:)`` first, and set the `managedObjectClassName` of each
    /// entity.
    ///
    /// - Parameter url: The file of the store; it is opened for reading only.
    /// - Throws: 134080 for a file that is no store or a newer one, 134070 for other failures.
    public static func stored(at url: URL) throws -> NSManagedObjectModel {
        StoredModel(try storeToRead(at: url).schema).build()
    }

    /// Whether a file has a history, without which it cannot be opened for writing.
    package static func keepsHistory(at url: URL) throws -> Bool {
        try storeToRead(at: url).hasHistory
    }

    private static func storeToRead(at url: URL) throws -> Store {
        let path = try url.storePath()
        // A file that is open here may be so with other options.
        if let loaded = LoadedStores.store(at: path) { return loaded }
        return try CoreDataError.mapping {
            var options = StoreOptions()
            options.isReadOnly = true
            let uuid = UUIDValue(high: 0, low: 0)
            return try Store.open(at: path, schema: nil, uuid: uuid, options: options)
        }
    }
}

/// Turns a schema back into descriptions that compile to an equal schema.
private struct StoredModel {
    let schema: Schema
    private var descriptions: [String: NSEntityDescription] = [:]

    init(_ schema: Schema) {
        self.schema = schema
        for entity in schema.entities {
            let description = NSEntityDescription()
            description.name = entity.name
            description.managedObjectClassName = entity.className
            description.isClassOptional = true
            description.isAbstract = entity.isAbstract
            if let former = entity.renamingIdentifier { description.renamingIdentifier = former }
            descriptions[entity.name] = description
        }
    }

    func build() -> NSManagedObjectModel {
        for entity in schema.entities {
            let children = schema.entities.filter { $0.superentity == entity.name }
            descriptions[entity.name]?.subentities = children.compactMap { descriptions[$0.name] }
        }
        for entity in schema.entities { addProperties(of: entity) }
        for entity in schema.entities { connect(entity) }
        for entity in schema.entities { addIndexes(of: entity) }
        let model = NSManagedObjectModel()
        model.entities = schema.entities.compactMap { descriptions[$0.name] }
        return model
    }

    private func isDeclared(_ property: String, in entity: Entity) -> Bool {
        schema.declaringEntity(of: property, in: entity.name) == entity.name
    }

    private func addProperties(of entity: Entity) {
        let attributes = entity.attributes.filter { isDeclared($0.name, in: entity) }
        let relationships = entity.relationships.filter { isDeclared($0.name, in: entity) }
        descriptions[entity.name]?.declare(
            attributes.map(description) + relationships.map(description))
    }

    private func description(_ attribute: Attribute) -> NSPropertyDescription {
        let result = NSAttributeDescription()
        result.name = attribute.name
        result.attributeType = NSAttributeType(attribute.type)
        result.isOptional = attribute.isOptional
        result.isTransient = attribute.isTransient
        result.defaultValue = defaultValue(of: attribute)
        result.valueTransformerName = attribute.transformerName
        result.allowsExternalBinaryDataStorage = attribute.allowsExternalStorage
        if let former = attribute.renamingIdentifier { result.renamingIdentifier = former }
        return result
    }

    /// The default as the program states it: the transformer's value, where that is registered.
    private func defaultValue(of attribute: Attribute) -> Any? {
        guard case .transformable(let bytes) = attribute.defaultValue else {
            return ValueConversion.object(attribute.defaultValue)
        }
        return ValueTransformer.decode(bytes, attribute.transformerName)
    }

    private func description(_ relationship: Relationship) -> NSPropertyDescription {
        let result = NSRelationshipDescription()
        result.name = relationship.name
        result.isOptional = relationship.isOptional
        result.isTransient = relationship.isTransient
        result.isOrdered = relationship.isOrdered
        result.minCount = relationship.minCount
        result.maxCount = relationship.isToMany ? relationship.maxCount : 1
        result.deleteRule =
            NSDeleteRule(rawValue: UInt(relationship.deleteRule.rawValue)) ?? .nullifyDeleteRule
        result.destinationEntity = descriptions[relationship.destination]
        if let former = relationship.renamingIdentifier { result.renamingIdentifier = former }
        return result
    }

    private func connect(_ entity: Entity) {
        guard let description = descriptions[entity.name] else { return }
        for relationship in entity.relationships where isDeclared(relationship.name, in: entity) {
            guard let inverse = relationship.inverse,
                let there = description.relationshipsByName[relationship.name]
            else { continue }
            there.inverseRelationship =
                descriptions[relationship.destination]?.relationshipsByName[inverse]
        }
    }

    private func addIndexes(of entity: Entity) {
        guard let description = descriptions[entity.name] else { return }
        let inherited = entity.superentity.flatMap { schema.entity($0) }?.indexes ?? []
        let properties = description.propertiesByName
        for index in entity.indexes where !inherited.contains(index) {
            if index.isUnique {
                description.uniquenessConstraints.append(index.properties)
                continue
            }
            let elements = index.properties.enumerated().compactMap { place, name in
                properties[name].map { property in
                    let element = NSFetchIndexElementDescription(
                        property: property, collationType: .binary)
                    element.isAscending = !index.isDescending(place)
                    return element
                }
            }
            let made = NSFetchIndexDescription(name: index.name, elements: elements)
            made.partialIndexPredicate = index.condition.map {
                PredicateMaking.predicate(PredicateTree($0))
            }
            description.indexes.append(made)
        }
    }
}

extension NSEntityDescription {
    /// Sets the entity's own properties, next to the inherited ones.
    fileprivate func declare(_ own: [NSPropertyDescription]) {
        properties = (superentity?.properties ?? []) + own
    }
}
