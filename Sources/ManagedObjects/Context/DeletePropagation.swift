// SPDX-License-Identifier: Apache-2.0

import Schema

/// Applies the delete rules of one deleted object.
enum DeletePropagation {
    static func propagate(_ object: NSManagedObject) {
        for relationship in object.runtime.toOneRelationships {
            guard relationship.field >= 0, let target = object.destination(relationship.field)
            else { continue }
            apply(relationship, of: object, to: [target])
        }
        for relationship in object.runtime.toManyRelationships {
            let rule = relationship.relationship.deleteRule
            // Without an inverse to correct, destinations matter to a cascade only.
            guard rule == .cascade || (rule != .noAction && relationship.hasInverse) else {
                continue
            }
            apply(relationship, of: object, to: object.destinations(relationship))
        }
    }

    private static func apply(
        _ relationship: RelationshipRuntime, of object: NSManagedObject,
        to destinations: [NSManagedObject]
    ) {
        switch relationship.relationship.deleteRule {
        case .noAction: break
        case .deny: break  // Checked when the deletion is validated.
        case .cascade:
            for destination in destinations where !destination.isDeleted {
                nullify(relationship, of: object, in: destination)
                destination.context?.delete(destination)
            }
        case .nullify:
            for destination in destinations where !destination.isDeleted {
                nullify(relationship, of: object, in: destination)
            }
        }
    }

    private static func nullify(
        _ relationship: RelationshipRuntime, of object: NSManagedObject,
        in destination: NSManagedObject
    ) {
        guard let inverse = relationship.inverse(in: destination.runtime) else { return }
        destination.lose(object, inverse)
    }
}

extension NSManagedObject {
    /// Throws while a destination of a deny relationship remains.
    final func validateDenyRules() throws {
        let denying = (runtime.toManyRelationships + runtime.toOneRelationships).filter {
            $0.relationship.deleteRule == .deny
        }
        for relationship in denying {
            let remaining =
                relationship.isToMany
                ? destinations(relationship).contains { !$0.isDeleted }
                : destination(relationship.field).map { !$0.isDeleted } ?? false
            if remaining {
                throw ValidationError.make(
                    .validationRelationshipDeniedDelete, self, relationship.relationship.name,
                    "it still has destinations; delete them or take them out first")
            }
        }
    }
}
