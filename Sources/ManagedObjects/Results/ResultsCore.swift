// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Query
import Schema
import Traps

/// What a controller consists of, apart from the type of its results.
final class ResultsCore {
    let context: NSManagedObjectContext
    let sectionKeyPath: String?
    let cacheName: String?
    /// Runs the request and says what it asks for.
    let fetch: () throws -> FollowedFetch
    private(set) var arrangement: ResultsArrangement?
    /// The results as one list, made when it is asked for.
    private(set) var objects: [NSManagedObject]? {
        didSet { if objects == nil { (typedObjects, presentedObjects) = (nil, nil) } }
    }
    /// The list with the type of the controller's results.
    var typedObjects: Any?
    /// The list with the type of the results of the controller that delegates are given.
    var presentedObjects: Any?
    private(set) var prepared: FetchPreparation?
    private var predicate: PreparedPredicate?
    /// What only an object can answer of the request's predicate.
    private var asked: NSPredicate?
    /// The request's predicate, if its tree changes once the objects that it names are saved.
    private var unsettled: NSPredicate?
    private var isTracking = false
    /// Whether the context's registry has the controller.
    var isRegistered = false
    /// The objects of the current event that concern the controller.
    var pending: [NSManagedObject] = []
    /// How many times the controller was asked whether an object concerns it.
    private(set) var questionCount = 0
    /// Whether the current event may have moved the window without touching a known object.
    private var isWindowUnsure = false
    let readers = ChangeReaders<FetchedResultsChange>()
    weak var delegate: (any NSFetchedResultsControllerDelegate)? {
        didSet {
            takesSnapshots = true
            takesDifferences = true
            if delegate != nil { track() }
        }
    }
    /// False once the delegate's default implementation has been called.
    var takesSnapshots = true
    var takesDifferences = true
    /// The controller as delegates know it.
    var presented: () -> NSFetchedResultsController<any NSFetchRequestResult>? = { nil }
    /// The title of a section, unless the delegate has another one.
    var usualTitle: (String) -> String? = { _ in nil }

    init(
        _ context: NSManagedObjectContext, sectionKeyPath: String?, cacheName: String?,
        fetch: @escaping () throws -> FollowedFetch
    ) {
        self.context = context
        self.sectionKeyPath = sectionKeyPath
        self.cacheName = cacheName
        self.fetch = fetch
    }

    func performFetch() throws {
        context.checkQueue()
        require(
            context.followers.results?.isTelling != true,
            "performFetch() was called by a delegate while it is told of changes")
        let found = try fetch()
        let (objects, prepared) = (found.objects, found.prepared)
        let predicate = try prepared.description.predicate.map {
            try prepared.ready($0, in: context)
        }
        let stated = prepared.statedPredicate
        unsettled = stated.flatMap { PredicateConversion.hasUnsaved($0) ? $0 : nil }
        let order = ResultsOrder(prepared.description.sortOrders)
        arrangement = try ResultsArrangement(
            objects, order, sectionKeyPath: sectionKeyPath, owner: self)
        self.objects = nil
        self.prepared = prepared
        self.predicate = predicate
        asked = found.predicate
        if isTracking { context.followers.results?.add(self, prepared) }
        readers.send(FetchedResultsChange(sections: [], objects: [], isFetch: true))
        tellFetch()
    }

    /// Follows the context's changes from now on.
    func track() {
        guard !isTracking else { return }
        isTracking = true
        let registry = context.followers.results ?? ResultsRegistry()
        context.followers.results = registry
        if let prepared { registry.add(self, prepared) }
    }

    var fetchedObjects: [NSManagedObject]? {
        if objects == nil, let list = arrangement?.list {
            objects = list.objects(in: 0..<list.count)
        }
        return objects
    }

    func indexTitle(of name: String) -> String? {
        if let delegate, let controller = presented() {
            return delegate.controller(controller, sectionIndexTitleForSectionName: name)
        }
        return usualTitle(name)
    }

    /// The context has forgotten its objects: there are no results until the next fetch.
    func forget() {
        arrangement = nil
        objects = nil
        pending = []
        isWindowUnsure = false
    }
}

extension ResultsCore {
    /// Notes an object of the current event, if it is a result or is to be one.
    ///
    /// - Returns: Whether it is the first that concerns the controller.
    func note(_ object: NSManagedObject) -> Bool {
        questionCount += 1
        guard let arrangement, let prepared else { return false }
        // An object that leaves from before the window moves it, and nothing else shows that.
        guard prepared.description.offset > 0 || arrangement.contains(object) || matches(object)
        else { return false }
        pending.append(object)
        return pending.count == 1 && !isWindowUnsure
    }

    /// Notes that objects which the context does not know were deleted.
    ///
    /// - Returns: Whether nothing else concerned the controller yet, and this does.
    func noteUnseen() -> Bool {
        guard arrangement != nil, let prepared, prepared.description.offset > 0, !isWindowUnsure
        else { return false }
        isWindowUnsure = true
        return pending.isEmpty
    }

    /// Whether the request is for objects of some stores.
    var namesStores: Bool { prepared?.origin?.affectedStores != nil }

    /// Whether an object is a result and does not match, or the other way round.
    func isMisplaced(_ object: NSManagedObject) -> Bool {
        guard let arrangement else { return false }
        return arrangement.contains(object) != matches(object)
    }

    private func matches(_ object: NSManagedObject) -> Bool {
        guard object.context === context, !object.isDeleted else { return false }
        if let stores = prepared?.origin?.affectedStores, !context.isAffected(object, stores) {
            return false
        }
        do {
            if let predicate, try !holds(predicate, for: object) { return false }
            return try asked?.holds(for: object) ?? true
        } catch {
            context.lastReadError = error
            return false
        }
    }

    private func holds(_ predicate: PreparedPredicate, for object: NSManagedObject) throws -> Bool {
        guard let unsettled else { return try predicate.evaluate(with: ObjectSubject(object)) }
        let store = context.persistentStore?.identity
        let tree = try PredicateConversion.predicate(
            unsettled, in: context.hasFurtherStores ? nil : store)
        guard let prepared else { return false }
        return try prepared.ready(tree, in: context).evaluate(with: ObjectSubject(object))
    }

    /// Brings the results up to date with the noted objects.
    func processPending() -> ResultsEvent? {
        let touched = pending
        pending = []
        isWindowUnsure = false
        guard let arrangement, let prepared else { return nil }
        do {
            let touch =
                prepared.hasWindow
                ? try refetch(touched, arrangement) : compare(touched, arrangement)
            guard !touch.isEmpty else { return nil }
            objects = nil
            let wasTorn = arrangement.isTorn
            let event = try arrangement.apply(touch)
            // Not in the place of an error that reading has met since.
            if let error = arrangement.tearing, !wasTorn || context.lastReadError == nil {
                context.lastReadError = error
            }
            return event
        } catch {
            context.lastReadError = error
            return nil
        }
    }

    private func compare(
        _ touched: [NSManagedObject], _ arrangement: ResultsArrangement
    ) -> ResultsTouch {
        var touch = ResultsTouch()
        for object in touched {
            switch (arrangement.contains(object), matches(object)) {
            case (true, true): touch.changed.append(object)
            case (true, false): touch.removed.append(object)
            case (false, true): touch.inserted.append(object)
            case (false, false): break
            }
        }
        return touch
    }

    /// Only a fetch can find what falls into a window of offset and limit.
    private func refetch(
        _ touched: [NSManagedObject], _ arrangement: ResultsArrangement
    ) throws -> ResultsTouch {
        let found = try fetch().objects
        let isFound = Set(found.map { ObjectIdentifier($0) })
        var touch = ResultsTouch()
        touch.inserted = found.filter { !arrangement.contains($0) }
        let list = arrangement.list
        touch.removed = list.objects(in: 0..<list.count)
            .filter { !isFound.contains(ObjectIdentifier($0)) }
        touch.changed = touched.filter {
            isFound.contains(ObjectIdentifier($0)) && arrangement.contains($0)
        }
        return touch
    }
}
