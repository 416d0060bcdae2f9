// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// What a migration makes of one entity.
open class NSEntityMapping: NSObject {
    /// The name of the mapping; an inferred one's is of the kind `IEM_Transform_Book`.
    open var name: String!
    /// What happens to the entity.
    open var mappingType = NSEntityMappingType.undefinedEntityMappingType
    /// The entity's name in the source; `nil` for a new one.
    open var sourceEntityName: String?
    /// The version hash of the entity in the source.
    open var sourceEntityVersionHash: Data?
    /// The entity's name in the destination; `nil` for one that goes.
    open var destinationEntityName: String?
    /// The version hash of the entity in the destination.
    open var destinationEntityVersionHash: Data?
    /// Where the attributes of the destination come from.
    open var attributeMappings: [NSPropertyMapping]?
    /// Where the relationships of the destination come from.
    open var relationshipMappings: [NSPropertyMapping]?
    /// Whatever the program keeps here.
    open var userInfo: [AnyHashable: Any]?

    /// Makes an empty mapping.
    public override init() { super.init() }

    init(
        _ mapping: SchemaMapping.EntityMapping, from source: [String: Data],
        to destination: [String: Data]
    ) {
        super.init()
        let type = NSEntityMappingType(mapping.kind)
        mappingType = type
        sourceEntityName = mapping.source
        sourceEntityVersionHash = mapping.source.flatMap { source[$0] }
        destinationEntityName = mapping.destination
        destinationEntityVersionHash = mapping.destination.flatMap { destination[$0] }
        name = "IEM_\(type.verb)_\(mapping.destination ?? mapping.source ?? "")"
        guard mapping.kind != .remove else { return }
        attributeMappings = mapping.attributes.map(NSPropertyMapping.init)
        relationshipMappings = mapping.relationships.map(NSPropertyMapping.init)
    }
}

extension NSPropertyMapping {
    fileprivate convenience init(_ mapping: SchemaMapping.PropertyMapping) {
        self.init()
        name = mapping.destination
        valueExpression = mapping.source.map { NSExpression(forKeyPath: $0) }
    }
}

extension NSEntityMappingType {
    /// The word in the name of an inferred mapping.
    fileprivate var verb: String {
        switch self {
        case .addEntityMappingType: "Add"
        case .removeEntityMappingType: "Remove"
        case .copyEntityMappingType: "Copy"
        case .transformEntityMappingType: "Transform"
        case .customEntityMappingType: "Custom"
        case .undefinedEntityMappingType: "Undefined"
        }
    }
}
