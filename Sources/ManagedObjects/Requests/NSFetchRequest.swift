// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

/// What a fetch returns, with Core Data's raw values.
public struct NSFetchRequestResultType: OptionSet, Sendable {
    /// The bits.
    public let rawValue: UInt

    /// Makes a type of its bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// Managed objects.
    public static let managedObjectResultType: NSFetchRequestResultType = []
    /// Object IDs.
    public static let managedObjectIDResultType = NSFetchRequestResultType(rawValue: 1)
    /// The number of objects, as one `NSNumber`.
    public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

/// A search for the objects of an entity.
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
    /// The name of the entity; resolved against the model of the context that runs the request.
    open private(set) var entityName: String?
    /// The entity.
    open var entity: NSEntityDescription? {
        didSet { entityName = entity?.name }
    }
    /// Which objects; all without a predicate.
    open var predicate: NSPredicate?
    /// In which order; unspecified without descriptors.
    open var sortDescriptors: [NSSortDescriptor]?
    /// The greatest number of results; 0 for all.
    open var fetchLimit = 0
    /// How many results are left out at the start.
    open var fetchOffset = 0
    /// Accepted for compatibility: values are read from the map as they are asked for anyway.
    open var fetchBatchSize = 0
    /// What the fetch returns.
    open var resultType: NSFetchRequestResultType = .managedObjectResultType
    /// Whether objects of entities that inherit from this one are found too.
    open var includesSubentities = true
    /// Whether unsaved changes of the context count.
    open var includesPendingChanges = true
    /// Whether results stay faults; values come from the map without a further look-up either way.
    open var returnsObjectsAsFaults = true
    /// Accepted for compatibility: values are read from the map as they are asked for anyway.
    open var includesPropertyValues = true
    /// Accepted for compatibility: following a relationship costs one look-up an object anyway.
    open var relationshipKeyPathsForPrefetching: [String]?

    /// Makes a request without an entity.
    public override init() {
        super.init()
    }

    /// Makes a request for all objects of a named entity.
    public convenience init(entityName: String) {
        self.init()
        self.entityName = entityName
    }

    /// A fetch.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    override func run(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let request = NSAsynchronousFetchRequest(fetchRequest: self)
        let result = NSAsynchronousFetchResult(request, context, nil)
        result.finalResult = try context.fetch(self)
        return result
    }

    /// Runs the request in the context whose `perform` block is running.
    open func execute() throws -> [ResultType] {
        guard let context = CurrentContext.innermost else {
            preconditionFailure("execute() works inside a context's perform block only")
        }
        return try context.fetch(self)
    }
}
