// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// The results of a fetch, in order and in sections, kept up to date with their context.
///
/// ```swift
/// let request = NSFetchRequest<Player>(entityName: "Player")
/// request.sortDescriptors = [NSSortDescriptor(key: "score", ascending: false)]
/// let controller = NSFetchedResultsController(
///     fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
///     cacheName: nil)
/// controller.delegate = list  // is told of what changes from now on
/// try controller.performFetch()
/// print(controller.fetchedObjects?.first?.score ?? 0)
/// ```
///
/// It follows what its context processes and merges, before any save, while it has a delegate or a
/// reader of ``changeSequence(bufferingLimit:)``; what other contexts save appears once it is
/// merged. The cost of an event grows with the objects that changed. Only objects of the request's
/// entity count: the controller does not see changes of related objects that its predicate, sort or
/// section key reads.
///
/// It is used on its context's queue. Mistakes trap: a request without sort descriptors or for
/// anything but objects, an index path out of range, a delegate that changes the context.
open class NSFetchedResultsController<ResultType>: NSObject {
    /// What is fetched; a change counts from the next ``performFetch()`` on.
    public let fetchRequest: NSFetchRequest<ResultType>
    let core: ResultsCore
    /// The controller that delegates are given; nil for that one itself.
    private var facade: NSFetchedResultsController<any NSFetchRequestResult>?
    let isFacade: Bool

    /// Makes a controller; nothing is fetched.
    ///
    /// - Parameters:
    ///   - fetchRequest: A request for objects, with sort descriptors or an empty array of them for
    ///     the order of the fetch. With sections, the first one sorts by the section key path, or
    ///     by a key of the same order.
    ///   - context: The context that is asked and followed.
    ///   - sectionNameKeyPath: The key path to the names of sections; nil for one section.
    ///   - name: Accepted for compatibility: sections are not kept in files.
    public init(
        fetchRequest: NSFetchRequest<ResultType>,
        managedObjectContext context: NSManagedObjectContext,
        sectionNameKeyPath: String?, cacheName name: String?
    ) {
        self.fetchRequest = fetchRequest
        isFacade = false
        Self.check(fetchRequest)
        core = ResultsCore(context, sectionKeyPath: sectionNameKeyPath, cacheName: name) {
            Self.check(fetchRequest)
            return try context.followed(fetchRequest)
        }
        super.init()
        core.usualTitle = { [weak self] in self?.sectionIndexTitle(forSectionName: $0) }
        core.presented = { [weak self] in self?.presented }
    }

    /// Makes what delegates are given.
    private init(_ core: ResultsCore, _ fetchRequest: NSFetchRequest<ResultType>) {
        self.core = core
        self.fetchRequest = fetchRequest
        isFacade = true
        super.init()
    }

    private static func check(_ request: NSFetchRequest<ResultType>) {
        require(
            request.sortDescriptors != nil,
            "a fetched results controller needs a request with sort descriptors; the one for "
                + "\(request.entityName ?? "no entity") has none: set them, or an empty array for "
                + "the order of the fetch")
        require(
            request.resultType == .managedObjectResultType,
            "a fetched results controller needs a request for objects; the one for "
                + "\(request.entityName ?? "no entity") has the result type \(request.resultType)")
    }

    private var presented: NSFetchedResultsController<any NSFetchRequestResult> {
        if let same = self as? NSFetchedResultsController<any NSFetchRequestResult> { return same }
        if let facade { return facade }
        let request = NSFetchRequest<any NSFetchRequestResult>()
        request.entity = core.prepared?.runtime.description
        request.predicate = fetchRequest.predicate
        request.sortDescriptors = fetchRequest.sortDescriptors
        request.fetchLimit = fetchRequest.fetchLimit
        request.fetchOffset = fetchRequest.fetchOffset
        request.includesSubentities = fetchRequest.includesSubentities
        let made = NSFetchedResultsController<any NSFetchRequestResult>(core, request)
        facade = made
        return made
    }

    /// The context that is asked and followed.
    public final var managedObjectContext: NSManagedObjectContext { core.context }
    /// The key path to the names of sections.
    public final var sectionNameKeyPath: String? { core.sectionKeyPath }
    /// The name that the controller was made with.
    public final var cacheName: String? { core.cacheName }
    /// Is told of changes; not kept alive.
    public final var delegate: (any NSFetchedResultsControllerDelegate)? {
        get { core.delegate }
        set { core.delegate = newValue }
    }

    /// Accepted for compatibility: there are no caches.
    public class func deleteCache(withName name: String?) {}

    /// Fetches, and gives the objects their sections.
    ///
    /// - Throws: What the fetch throws; 134060 when the sort descriptors do not keep the objects
    ///   of a section together.
    /// - Complexity: O(results), and the fetch.
    open func performFetch() throws { try core.performFetch() }

    /// The changes of the results from now on; call it on the context's queue, read it anywhere.
    ///
    /// - Parameter bufferingLimit: How many changes wait for a slow reader.
    public final func changeSequence(bufferingLimit: Int = 256) -> FetchedResultsChanges {
        core.context.checkQueue()
        core.track()
        return FetchedResultsChanges(core.readers.add(bufferingLimit: bufferingLimit))
    }

    /// The title of a section in an index: by default its first letter as a capital.
    open func sectionIndexTitle(forSectionName sectionName: String) -> String? {
        if isFacade { return core.usualTitle(sectionName) }
        return sectionName.first.map { String($0).uppercased() }
    }

    /// How many times the controller was asked whether a change concerns it.
    package final var questionCount: Int { core.questionCount }

    /// Whether both follow the same results: the controller and what its delegate is given.
    public final override func isEqual(_ object: Any?) -> Bool {
        (object as? any ResultsCoreOwner)?.core === core
    }

    /// Equal for equal controllers.
    public final override var hash: Int { ObjectIdentifier(core).hashValue }
}

/// A controller of any type of results.
protocol ResultsCoreOwner {
    var core: ResultsCore { get }
}

extension NSFetchedResultsController: ResultsCoreOwner {}
