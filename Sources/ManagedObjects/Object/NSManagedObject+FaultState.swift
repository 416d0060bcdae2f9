// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

extension NSManagedObject {
    /// 0 for an object with its values, 1 for a fault.
    public final var faultingState: Int { isFault ? 1 : 0 }

    /// Whether nobody asked for a relationship's destinations yet; fires no fault.
    ///
    /// A to-one relationship of a realised object is none: its destination's ID is at hand.
    public final func hasFault(forRelationshipNamed key: String) -> Bool {
        let relationship = requireRelationship(key)
        if isFault { return true }
        guard relationship.isToMany, !isInserted else { return false }
        return extras?.toMany[safe: relationship.toManyIndex].flatMap { $0 }?.stored == nil
    }

    /// The IDs of a relationship's destinations, without making objects of them.
    public final func objectIDs(forRelationshipNamed key: String) -> [NSManagedObjectID] {
        let relationship = requireRelationship(key)
        guard let context else { return [] }
        realise()
        guard relationship.isToMany else {
            guard case .objectID(let key) = fieldValue(relationship.field) else { return [] }
            return context.objectID(for: key).map { [$0] } ?? []
        }
        return members(relationship).compactMap { context.objectID(for: $0) }
    }

    private final func requireRelationship(_ key: String) -> RelationshipRuntime {
        guard let found = runtime.relationship(named: key) else {
            preconditionFailure("entity \(runtime.entity.name) has no relationship \(key)")
        }
        return found
    }
}
