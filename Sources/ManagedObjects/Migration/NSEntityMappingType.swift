// SPDX-License-Identifier: Apache-2.0

import Schema

/// What a migration does to an entity, with Core Data's raw values.
public enum NSEntityMappingType: UInt, Sendable {
    /// Nothing was stated.
    case undefinedEntityMappingType = 0
    /// A program's own policy makes the objects; no inferred mapping has it.
    case customEntityMappingType = 1
    /// The entity is new.
    case addEntityMappingType = 2
    /// The entity goes, with its objects.
    case removeEntityMappingType = 3
    /// The entity stays as it is.
    case copyEntityMappingType = 4
    /// The entity changes, and its objects with it.
    case transformEntityMappingType = 5

    init(_ kind: SchemaMapping.Kind) {
        self =
            switch kind {
            case .add: .addEntityMappingType
            case .remove: .removeEntityMappingType
            case .copy: .copyEntityMappingType
            case .transform: .transformEntityMappingType
            }
    }
}
