// SPDX-License-Identifier: Apache-2.0

import Foundation
import Query
import Schema
import Traps

/// Changes attributes, and to-one relationships by object ID, of all matches in the store, in one
/// transaction.
///
/// ```swift
/// let request = NSBatchUpdateRequest(entityName: "Player")
/// request.predicate = NSPredicate(format: "score < 0")
/// request.propertiesToUpdate = ["score": 0]
/// try context.execute(request)
/// ```
///
/// No object is loaded, no hook is called, no rule is checked, and what contexts have not saved
/// does not count. Versions go up: a context that has changed one of the objects meets a conflict.
///
/// Fails with 133021 where objects would break a uniqueness constraint, with 1570 where a mandatory
/// attribute would have no value and where a mandatory relationship, or the mandatory to-many
/// inverse of one, would lose its last destination, with
/// 133000 for a destination that is not in the store and with 134070 for a property or a value that
/// does not fit the model. Nothing is written then.
open class NSBatchUpdateRequest: NSPersistentStoreRequest {
    /// The entity's name.
    public let entityName: String
    final let statedEntity: NSEntityDescription?
    /// Which objects; all without a predicate.
    open var predicate: NSPredicate?
    /// Whether objects of entities that inherit from this one are changed too.
    open var includesSubentities = true
    /// The new values by property name or description: constants, `nil` as `NSNull`, object IDs
    /// for to-one relationships, or an ``NSExpression`` that is computed for each object.
    open var propertiesToUpdate: [AnyHashable: Any]?
    /// What the result holds.
    open var resultType = NSBatchUpdateRequestResultType.statusOnlyResultType

    /// Makes a request for the objects of a named entity.
    public init(entityName: String) {
        self.entityName = entityName
        statedEntity = nil
        super.init()
    }

    /// Makes a request for the objects of an entity.
    public init(entity: NSEntityDescription) {
        entityName = entity.name ?? ""
        statedEntity = entity
        super.init()
    }

    /// The entity; traps for a request that was made with a name.
    open var entity: NSEntityDescription {
        guard let statedEntity else {
            trap("the request names its entity; use entityName")
        }
        return statedEntity
    }

    /// A batch update.
    open override var requestType: NSPersistentStoreRequestType { .batchUpdateRequestType }

    /// A new request with the same settings.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy =
            statedEntity.map { NSBatchUpdateRequest(entity: $0) }
            ?? NSBatchUpdateRequest(entityName: entityName)
        copy.affectedStores = affectedStores
        copy.predicate = predicate
        copy.includesSubentities = includesSubentities
        copy.propertiesToUpdate = propertiesToUpdate
        copy.resultType = resultType
        return copy
    }

    override func run(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let runtime = context.runtime(ofBatch: entityName, statedEntity)
        let description = FetchDescription(
            entity: runtime.entity.name, includesSubentities: includesSubentities,
            predicate: try predicate.map { try PredicateConversion.predicate($0, context) })
        try context.refuseTransformables(in: description.predicate, runtime)
        let store = try context.requireStore()
        var values: [String: Any] = [:]
        for (key, value) in propertiesToUpdate ?? [:] {
            let name = key.base as? String ?? (key.base as? NSPropertyDescription)?.name
            values[name ?? "\(key.base)"] = value
        }
        let family = includesSubentities ? runtime.family : [runtime]
        var update = BatchUpdate(
            try family.map { try BatchAssignments(values, $0, store) })
        let plan = try context.mappingQueryErrors {
            try Planner.plan(description, in: store, remembering: context.knownPlans)
        }
        let outcome = try context.writeBatch { try update.write($0, plan) }
        let result: Any =
            switch resultType {
            case .statusOnlyResultType: true
            case .updatedObjectIDsResultType: context.objectIDs(for: outcome.keys)
            case .updatedObjectsCountResultType: outcome.count
            }
        return NSBatchUpdateResult(result, resultType)
    }
}
