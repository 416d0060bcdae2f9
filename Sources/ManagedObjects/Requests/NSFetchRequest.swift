// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema
import Traps

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
    /// Dictionaries of the properties to fetch, from the store: unsaved changes do not count.
    public static let dictionaryResultType = NSFetchRequestResultType(rawValue: 2)
    /// The number of objects, as one `NSNumber`.
    public static let countResultType = NSFetchRequestResultType(rawValue: 4)
}

/// A search for the objects of an entity.
///
/// ```swift
/// let request = NSFetchRequest<Player>(entityName: "Player")
/// request.predicate = NSPredicate(format: "team.name == %@", "Blues")
/// request.sortDescriptors = [NSSortDescriptor(key: "score", ascending: false)]
/// request.fetchLimit = 3
/// let best = try context.fetch(request)
/// ```
open class NSFetchRequest<ResultType>: NSPersistentStoreRequest {
    // SAFETY: only this class sets it, as a whole, and one thread at a time uses a request. A fetch
    // reads ten such properties, and a run-time check of overlapping accesses on each took a sixth
    // of the look-up of a unique value.
    /// The name of the entity; resolved against the model of the context that runs the request.
    @exclusivity(unchecked) open private(set) var entityName: String?
    /// The entity; where the request has only its name, that of the model it was first run with.
    open var entity: NSEntityDescription? {
        get { statedEntity ?? (entityName == nil ? nil : used.entity) }
        set {
            statedEntity = newValue
            entityName = newValue?.name
        }
    }
    // Apart: Swift calls no observers for what a convenience initialiser of an extension assigns.
    /// The entity that the program gave; nil where the request has only a name.
    private(set) final var statedEntity: NSEntityDescription?
    /// What the name alone has meant in the context that ran the request first.
    final let used = UsedEntity()
    /// Which objects; all without a predicate.
    open var predicate: NSPredicate? {
        get { statedPredicate }
        set { statedPredicate = newValue }
    }
    // SAFETY: of this and the other lists and objects that a fetch reads. One thread at a time uses
    // a request, and only these accessors, which take or replace a whole value. So no other access
    // overlaps one of theirs, also not one by code that changes a copy in place.
    @exclusivity(unchecked) private final var statedPredicate: NSPredicate?
    /// In which order; unspecified without descriptors.
    open var sortDescriptors: [NSSortDescriptor]? {
        get { statedSortDescriptors }
        set { statedSortDescriptors = newValue }
    }
    // SAFETY: as for `statedPredicate`.
    @exclusivity(unchecked) private final var statedSortDescriptors: [NSSortDescriptor]?
    /// The greatest number of results; 0, a negative number and one beyond 2^56 for all.
    // SAFETY: of this and the other numbers. One thread at a time uses a request, and a number that
    // is read while other code changes it in place is the old or the new one.
    @exclusivity(unchecked) open var fetchLimit = 0
    /// How many results are left out at the start; a negative number is 0.
    // SAFETY: as for `fetchLimit`.
    @exclusivity(unchecked) open var fetchOffset = 0
    /// Accepted for compatibility: values are read from the map as they are asked for anyway.
    open var fetchBatchSize = 0
    /// What the fetch returns.
    // SAFETY: as for `fetchLimit`.
    @exclusivity(unchecked) open var resultType: NSFetchRequestResultType = .managedObjectResultType
    /// Whether objects of entities that inherit from this one are found too.
    // SAFETY: as for `fetchLimit`.
    @exclusivity(unchecked) open var includesSubentities = true
    /// Whether unsaved changes of the context count.
    // SAFETY: as for `fetchLimit`.
    @exclusivity(unchecked) open var includesPendingChanges = true
    /// Whether objects that have no values yet come as faults; true.
    ///
    /// With false each result has its values, and `awakeFromFetch()` has run. No value comes
    /// sooner by that: those of a fault are read in place, too.
    // SAFETY: as for `fetchLimit`.
    @exclusivity(unchecked) open var returnsObjectsAsFaults = true
    /// Accepted for compatibility: values are read from the map as they are asked for anyway.
    open var includesPropertyValues = true
    /// Accepted for compatibility: following a relationship costs one look-up an object anyway.
    open var relationshipKeyPathsForPrefetching: [String]?

    /// The most objects that the fetch may scan where it returns fewer; 0 for the context's
    /// ``NSManagedObjectContext/scanLimit``, and a negative number for no bound.
    open var scanLimit = 0

    /// Whether objects that the context has already take the newest values from the store.
    // SAFETY: as for `fetchLimit`.
    @exclusivity(unchecked) open var shouldRefreshRefetchedObjects = false
    /// The keys of dictionary results: names or key paths through to-one relationships,
    /// descriptions, ``NSExpressionDescription``s; all attributes without a list.
    ///
    /// Objects are the same with and without a list: their values are read in place when asked
    /// for.
    open var propertiesToFetch: [Any]?
    /// Whether equal dictionaries count as one; before offset and limit.
    open var returnsDistinctResults = false
    /// Names or descriptions; a dictionary stands for all objects with the same values of them.
    open var propertiesToGroupBy: [Any]? {
        get { statedGroups }
        set { statedGroups = newValue }
    }
    // SAFETY: as for `statedPredicate`.
    @exclusivity(unchecked) private final var statedGroups: [Any]?
    /// Which groups are returned: reads the columns by name, such as `author.name`, or as
    /// variables, and aggregate functions of the members' values, as in `count:(name) > 1`.
    open var havingPredicate: NSPredicate?

    /// Makes a request without an entity.
    public override init() {
        _ = FoundationPredicates.areMended
        super.init()
    }

    /// Makes a request for all objects of a named entity.
    public convenience init(entityName: String) {
        self.init()
        self.entityName = entityName
    }

    /// A fetch.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// A new request with the same settings, as an `NSFetchRequest` of the same results.
    open override func copy(with zone: NSZone? = nil) -> Any { duplicate() }

    override func run(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        let request = NSAsynchronousFetchRequest(fetchRequest: self)
        let result = NSAsynchronousFetchResult(request, context, nil)
        result.finalResult = try context.fetch(self)
        return result
    }

    /// Runs the request in the context whose `perform` block is running.
    open func execute() throws -> [ResultType] {
        guard let context = CurrentContext.innermost else {
            trap("execute() works inside a context's perform block only")
        }
        return try context.fetch(self)
    }

    /// A new request with the same settings.
    final func duplicate() -> NSFetchRequest<ResultType> { duplicate(of: ResultType.self) }

    /// A new request with the same settings and other results: generic classes do not convert.
    final func duplicate<Result>(of type: Result.Type) -> NSFetchRequest<Result> {
        let copy = NSFetchRequest<Result>()
        copy.statedEntity = statedEntity
        copy.entityName = entityName
        if let used = used.entity { copy.used.note(used) }
        copy.affectedStores = affectedStores
        copy.predicate = predicate
        copy.sortDescriptors = sortDescriptors
        (copy.fetchLimit, copy.fetchOffset) = (fetchLimit, fetchOffset)
        copy.fetchBatchSize = fetchBatchSize
        copy.resultType = resultType
        copy.includesSubentities = includesSubentities
        copy.includesPendingChanges = includesPendingChanges
        copy.returnsObjectsAsFaults = returnsObjectsAsFaults
        copy.includesPropertyValues = includesPropertyValues
        copy.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
        copy.scanLimit = scanLimit
        copy.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
        copy.propertiesToFetch = propertiesToFetch
        copy.returnsDistinctResults = returnsDistinctResults
        copy.propertiesToGroupBy = propertiesToGroupBy
        copy.havingPredicate = havingPredicate
        return copy
    }
}
