// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// Inserts objects straight into the store, in one transaction.
///
/// ```swift
/// let request = NSBatchInsertRequest(
///     entityName: "Team", objects: [["name": "Greens"], ["name": "Whites"]])
/// request.resultType = .count
/// let result = try context.execute(request) as? NSBatchInsertResult
/// print(result?.result ?? 0)
/// ```
///
/// No object is made, no hook is called, and no rule is checked but that a mandatory attribute has
/// a value: without one the request fails with 1570; a value of the wrong class fails with 134070.
/// Attributes without a value take their defaults; keys that are no attributes, relationships among
/// them, are ignored. Handlers are called before the transaction begins.
///
/// Where a row has the values of a uniqueness constraint that an object has already, the context's
/// ``NSManagedObjectContext/mergePolicy`` decides: with the error policy the request fails with
/// 133021, the store-trumping ones leave the row out, the object-trumping ones update the
/// object's attributes, those without a value in the row to their defaults.
open class NSBatchInsertRequest: NSPersistentStoreRequest {
    /// The entity's name.
    public let entityName: String
    /// The entity, if the request was made with one.
    public let entity: NSEntityDescription?
    /// One dictionary an object, keyed by attribute names.
    open var objectsToInsert: [[String: Any]]?
    /// Fills the dictionary of one object; returns true, and inserts nothing, to stop.
    open var dictionaryHandler: ((NSMutableDictionary) -> Bool)?
    /// Sets the attributes of one object; returns true, and inserts nothing, to stop.
    ///
    /// The object has no context and is used again for the next row: do not keep it.
    open var managedObjectHandler: ((NSManagedObject) -> Bool)?
    /// What the result holds.
    open var resultType = NSBatchInsertRequestResultType.statusOnly

    private init(name: String, entity: NSEntityDescription?) {
        entityName = name
        self.entity = entity
        super.init()
    }

    /// Makes a request of dictionaries.
    public convenience init(entityName: String, objects dictionaries: [[String: Any]]) {
        self.init(name: entityName, entity: nil)
        objectsToInsert = dictionaries
    }

    /// Makes a request of dictionaries.
    public convenience init(entity: NSEntityDescription, objects dictionaries: [[String: Any]]) {
        self.init(name: entity.name ?? "", entity: entity)
        objectsToInsert = dictionaries
    }

    /// Makes a request whose handler fills one dictionary an object until it returns true.
    public convenience init(
        entityName: String, dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(name: entityName, entity: nil)
        dictionaryHandler = handler
    }

    /// Makes a request whose handler fills one dictionary an object until it returns true.
    public convenience init(
        entity: NSEntityDescription,
        dictionaryHandler handler: @escaping (NSMutableDictionary) -> Bool
    ) {
        self.init(name: entity.name ?? "", entity: entity)
        dictionaryHandler = handler
    }

    /// Makes a request whose handler sets one object's attributes until it returns true.
    public convenience init(
        entityName: String, managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(name: entityName, entity: nil)
        managedObjectHandler = handler
    }

    /// Makes a request whose handler sets one object's attributes until it returns true.
    public convenience init(
        entity: NSEntityDescription,
        managedObjectHandler handler: @escaping (NSManagedObject) -> Bool
    ) {
        self.init(name: entity.name ?? "", entity: entity)
        managedObjectHandler = handler
    }

    /// A batch insertion.
    open override var requestType: NSPersistentStoreRequestType { .batchInsertRequestType }

    /// A new request with the same settings; a handler is the same, and goes on where it is.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchInsertRequest(name: entityName, entity: entity)
        copy.affectedStores = affectedStores
        copy.objectsToInsert = objectsToInsert
        copy.dictionaryHandler = dictionaryHandler
        copy.managedObjectHandler = managedObjectHandler
        copy.resultType = resultType
        return copy
    }

    override func run(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let runtime = context.runtime(ofBatch: entityName, entity)
        let rows = try BatchRows(self, runtime, context.requireStore())
        var insertion = BatchInsertion(
            rows, context.mergePolicy as? NSMergePolicy, listsKeys: resultType == .objectIDs)
        let outcome = try insertion.run(in: context)
        let result: Any =
            switch resultType {
            case .statusOnly: true
            case .objectIDs: context.objectIDs(for: outcome.keys)
            case .count: outcome.count
            }
        return NSBatchInsertResult(result, resultType)
    }
}

extension NSManagedObjectContext {
    /// The runtime of a batch request's entity; traps for a name that the model does not have.
    final func runtime(ofBatch name: String, _ entity: NSEntityDescription?) -> EntityRuntime {
        if let entity { return runtime(for: entity) }
        guard let found = model.runtime(named: name) else {
            trap("the model has no entity named \(name)")
        }
        return found
    }
}
