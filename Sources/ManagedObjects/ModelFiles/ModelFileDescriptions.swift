// SPDX-License-Identifier: Apache-2.0

import Foundation
import ModelFiles

/// Makes the descriptions of a model file's entities.
struct ModelFileDescriptions {
    private let file: ModelFile
    private var entities: [String: NSEntityDescription] = [:]

    /// Makes the descriptions.
    ///
    /// - Parameters:
    ///   - file: The model.
    ///   - module: The module of its classes.
    /// - Throws: `ModelFileError` for a default, a bound or a predicate of a wrong form.
    init(_ file: ModelFile, _ module: ModelFileModule) throws(ModelFileError) {
        self.file = file
        for entity in file.entities {
            let description = NSEntityDescription()
            description.name = entity.name
            description.managedObjectClassName =
                entity.className.map(module.className) ?? "NSManagedObject"
            description.isAbstract = entity.isAbstract
            if let former = entity.renamingIdentifier { description.renamingIdentifier = former }
            if !entity.userInfo.isEmpty { description.userInfo = entity.userInfo }
            entities[entity.name] = description
        }
        for entity in file.entities {
            let heirs = file.entities.filter { $0.parent == entity.name }
            entities[entity.name]?.subentities = heirs.compactMap { entities[$0.name] }
        }
        for entity in file.entities {
            entities[entity.name]?.properties = try properties(of: entity)
        }
        for entity in file.entities { try connect(entity) }
    }

    /// Gives an empty model what the file has.
    ///
    /// - Throws: `ModelFileError` for a predicate of a wrong form.
    func fill(_ model: NSManagedObjectModel) throws(ModelFileError) {
        model.entities = file.entities.compactMap { entities[$0.name] }
        if let version = file.versionIdentifier { model.versionIdentifiers = [version] }
        for configuration in file.configurations {
            model.setEntities(
                configuration.entities.compactMap { entities[$0] },
                forConfigurationName: configuration.name)
        }
        for template in file.fetchRequests {
            model.setFetchRequestTemplate(try request(template), forName: template.name)
        }
    }

    private func properties(
        of entity: ModelFile.Entity
    ) throws(ModelFileError) -> [NSPropertyDescription] {
        var result: [NSPropertyDescription] = []
        for attribute in entity.attributes { result.append(try description(attribute, entity)) }
        for relationship in entity.relationships { result.append(description(relationship)) }
        for property in entity.fetchedProperties { result.append(try description(property)) }
        return result
    }

    private func description(
        _ attribute: ModelFile.Attribute, _ entity: ModelFile.Entity
    ) throws(ModelFileError) -> NSAttributeDescription {
        let values = ModelFileValues(attribute, of: entity)
        let result = NSAttributeDescription()
        result.name = attribute.name
        result.attributeType = attribute.kind.attributeType
        result.isOptional = attribute.isOptional
        result.isTransient = attribute.isTransient
        result.defaultValue = try values.defaultValue()
        result.validationRules = try values.rules()
        result.allowsExternalBinaryDataStorage = attribute.allowsExternalStorage
        result.preservesValueInHistoryOnDeletion = attribute.isKeptInHistory
        if attribute.kind == .transformable {
            result.valueTransformerName = attribute.transformerName
            if let name = attribute.className { result.attributeValueClassName = name }
        }
        if let former = attribute.renamingIdentifier { result.renamingIdentifier = former }
        if !attribute.userInfo.isEmpty { result.userInfo = attribute.userInfo }
        return result
    }

    private func description(
        _ relationship: ModelFile.Relationship
    ) -> NSRelationshipDescription {
        let result = NSRelationshipDescription()
        result.name = relationship.name
        result.destinationEntity = entities[relationship.destination]
        result.isOptional = relationship.isOptional
        result.isTransient = relationship.isTransient
        // The editor keeps the order of what was to-many before.
        result.isOrdered = relationship.isOrdered && relationship.isToMany
        result.minCount = relationship.minCount
        result.maxCount = relationship.isToMany ? relationship.maxCount : 1
        result.deleteRule = relationship.deletionRule.deleteRule
        if let former = relationship.renamingIdentifier { result.renamingIdentifier = former }
        if !relationship.userInfo.isEmpty { result.userInfo = relationship.userInfo }
        return result
    }

    private func description(
        _ property: ModelFile.FetchedProperty
    ) throws(ModelFileError) -> NSFetchedPropertyDescription {
        let result = NSFetchedPropertyDescription()
        result.name = property.name
        result.isOptional = property.isOptional
        result.fetchRequest = try request(property.request)
        if !property.userInfo.isEmpty { result.userInfo = property.userInfo }
        return result
    }

    /// Sets inverses, constraints and indexes, once all properties are there.
    private func connect(_ entity: ModelFile.Entity) throws(ModelFileError) {
        guard let description = entities[entity.name] else { return }
        for relationship in entity.relationships {
            guard let inverse = relationship.inverse else { continue }
            description.relationshipsByName[relationship.name]?.inverseRelationship =
                entities[relationship.destination]?.relationshipsByName[inverse]
        }
        description.uniquenessConstraints = entity.constraints
        let properties = description.propertiesByName
        var indexes: [NSFetchIndexDescription] = []
        for index in entity.indexes { indexes.append(try self.index(index, over: properties)) }
        description.indexes = indexes
    }

    private func index(
        _ index: ModelFile.Index, over properties: [String: NSPropertyDescription]
    ) throws(ModelFileError) -> NSFetchIndexDescription {
        let elements = index.elements.compactMap { element in
            properties[element.property].map { property in
                let made = NSFetchIndexElementDescription(
                    property: property, collationType: .binary)
                made.isAscending = element.isAscending
                return made
            }
        }
        let result = NSFetchIndexDescription(name: index.name, elements: elements)
        if let format = index.predicate {
            result.partialIndexPredicate = try predicate(
                format, of: "index \(index.name)", index.line)
        }
        return result
    }

    private func request(
        _ request: ModelFile.FetchRequest
    ) throws(ModelFileError) -> NSFetchRequest<any NSFetchRequestResult> {
        let result = NSFetchRequest<any NSFetchRequestResult>(entityName: request.entity)
        result.entity = entities[request.entity]
        if let format = request.predicate {
            result.predicate = try predicate(format, of: "request \(request.name)", request.line)
        }
        result.fetchLimit = request.fetchLimit
        result.fetchBatchSize = request.fetchBatchSize
        result.resultType = NSFetchRequestResultType(rawValue: UInt(request.resultType))
        result.includesSubentities = request.includesSubentities
        result.returnsObjectsAsFaults = request.returnsObjectsAsFaults
        result.returnsDistinctResults = request.returnsDistinctResults
        return result
    }

    private func predicate(
        _ format: String, of owner: String, _ line: Int
    ) throws(ModelFileError) -> NSPredicate {
        do {
            return try NSPredicate.parse(format)
        } catch {
            throw ModelFileError(
                "the predicate of the \(owner) cannot be read: \(error)", line: line)
        }
    }
}

extension ModelFile.Attribute.Kind {
    fileprivate var attributeType: NSAttributeType {
        switch self {
        case .integer16: .integer16AttributeType
        case .integer32: .integer32AttributeType
        case .integer64: .integer64AttributeType
        case .decimal: .decimalAttributeType
        case .double: .doubleAttributeType
        case .float: .floatAttributeType
        case .string: .stringAttributeType
        case .boolean: .booleanAttributeType
        case .date: .dateAttributeType
        case .binary: .binaryDataAttributeType
        case .uuid: .UUIDAttributeType
        case .uri: .URIAttributeType
        case .transformable: .transformableAttributeType
        }
    }
}

extension ModelFile.Relationship.DeletionRule {
    fileprivate var deleteRule: NSDeleteRule {
        switch self {
        case .noAction: .noActionDeleteRule
        case .nullify: .nullifyDeleteRule
        case .cascade: .cascadeDeleteRule
        case .deny: .denyDeleteRule
        }
    }
}
