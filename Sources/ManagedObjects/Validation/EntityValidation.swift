// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// What the model demands of one property.
struct PropertyCheck {
    let name: String
    let reference: PropertyReference
    let isMandatory: Bool
    let checks: [ValueCheck]
    /// The to-many relationship whose count is checked.
    let relationship: RelationshipRuntime?
}

/// What the model demands of an entity's objects: only properties with a demand appear.
struct EntityValidation {
    let properties: [PropertyCheck]
    private let positions: [String: Int]

    var isEmpty: Bool { properties.isEmpty }

    init(
        _ entity: Entity, _ references: [String: PropertyReference],
        _ toMany: [RelationshipRuntime], _ description: NSEntityDescription
    ) {
        let descriptions = description.propertiesByName
        var found: [PropertyCheck] = []
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        for name in names {
            guard let reference = references[name] else { continue }
            let checks = descriptions[name]?.valueChecks ?? []
            let relationship: RelationshipRuntime? =
                if case .toMany(let index) = reference { toMany[index] } else { nil }
            let isMandatory =
                relationship?.relationship.needsDestination
                ?? !(descriptions[name]?.isOptional ?? true)
            guard isMandatory || !checks.isEmpty || relationship?.hasCountRule == true else {
                continue
            }
            found.append(
                PropertyCheck(
                    name: name, reference: reference, isMandatory: isMandatory, checks: checks,
                    relationship: relationship))
        }
        properties = found
        positions = Dictionary(uniqueKeysWithValues: found.enumerated().map { ($1.name, $0) })
    }

    /// The demands on a property; nil when there are none.
    subscript(name: String) -> PropertyCheck? { positions[name].map { properties[$0] } }
}

extension RelationshipRuntime {
    /// Whether the number of destinations is limited.
    fileprivate var hasCountRule: Bool {
        relationship.minCount > 0 || relationship.maxCount > 1
    }
}

extension NSPropertyDescription {
    /// The validation predicates, ready to run.
    var valueChecks: [ValueCheck] {
        zip(validationPredicates, validationWarnings).map { ValueCheck($0, warning: $1) }
    }
}
