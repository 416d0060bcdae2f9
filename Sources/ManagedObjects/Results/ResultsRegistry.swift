// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Traps

/// The controllers that follow a context, by entity; used on the context's queue.
final class ResultsRegistry {
    /// By the ordinals of entities.
    private(set) var followers: [Int: EntityFollowers] = [:]
    /// Whether delegates are being told of changes.
    private(set) var isTelling = false
    /// Whether a controller follows some of several stores.
    private(set) var namesStores = false
    /// The objects that have been assigned to a store while an event was open.
    var reassigned: [NSManagedObject] = []

    /// Adds a controller that has fetched, or changes the entities that it follows.
    func add(_ core: ResultsCore, _ prepared: FetchPreparation) {
        if core.isRegistered {
            for entity in followers.values { entity.remove(ObjectIdentifier(core)) }
        }
        core.isRegistered = true
        if core.namesStores { namesStores = true }
        // What slides into a window of offset and limit is placed without having been touched.
        let demand =
            prepared.hasWindow ? nil : prepared.description.predicate.flatMap { ResultsDemand($0) }
        func add(_ runtime: EntityRuntime) {
            let entity = followers[runtime.ordinal] ?? EntityFollowers()
            followers[runtime.ordinal] = entity
            entity.add(core, runtime, demand)
            if prepared.description.includesSubentities { runtime.subRuntimes.forEach(add) }
        }
        add(prepared.runtime)
    }

    /// Whether a controller follows an entity.
    func follows(_ ordinal: Int) -> Bool { followers[ordinal]?.isEmpty == false }

    /// Brings the controllers that an event concerns up to date and has them tell it.
    ///
    /// - Parameters:
    ///   - info: The sets of objects of the event.
    ///   - others: Objects that are in none of the sets.
    ///   - unseen: The ordinals of entities of which the context did not know deleted objects.
    func process(
        _ info: [AnyHashable: Any], also others: [NSManagedObject] = [], unseen: Set<Int> = []
    ) {
        require(
            !isTelling,
            "the delegate of an NSFetchedResultsController changed the context while it was told "
                + "of changes; change it later, for instance in perform(_:)")
        var concerned: [ResultsCore] = []
        let touched = touched(info, others)
        for object in touched {
            followers[object.runtimeOrdinal]?.forEachConcerned(by: object) { core in
                if core.note(object) { concerned.append(core) }
            }
        }
        noteReassigned(except: touched, &concerned)
        for ordinal in unseen.sorted() {
            followers[ordinal]?.forEach { core in
                if core.noteUnseen() { concerned.append(core) }
            }
        }
        guard let context = concerned.first?.context else { return }
        // All first: a delegate may ask another controller. A window's fetch does not begin with
        // what a merge has done to unsaved changes, which is an event that comes next.
        let events = context.holdingEvent { concerned.map { ($0, $0.processPending()) } }
        for (core, event) in events {
            if let event { tell(core, event) }
        }
    }

    private func tell(_ core: ResultsCore, _ event: ResultsEvent) {
        let context = core.context
        let before = context.changes.eventSize
        isTelling = true
        core.tell(event)
        isTelling = false
        require(
            context.changes.eventSize == before,
            "the delegate of an NSFetchedResultsController changed the context while it was told "
                + "of changes; change it later, for instance in perform(_:)")
    }

    /// The followed objects of an event, once each, in an order that is the same in each run.
    private func touched(
        _ info: [AnyHashable: Any], _ others: [NSManagedObject]
    ) -> [NSManagedObject] {
        var seen: Set<ObjectIdentifier> = []
        var result: [NSManagedObject] = []
        func add(_ object: NSManagedObject) {
            guard follows(object.runtimeOrdinal) else { return }
            if seen.insert(ObjectIdentifier(object)).inserted { result.append(object) }
        }
        for key in Self.keys { (info[key] as? Set<NSManagedObject>)?.forEach(add) }
        others.forEach(add)
        return result.sorted { $0.key.rawValue < $1.key.rawValue }
    }

    private static let keys: [String] = [
        NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey,
    ]

    /// The context has forgotten its objects.
    func forget() {
        require(
            !isTelling,
            "the delegate of an NSFetchedResultsController reset the context while it was told of "
                + "changes; reset it later, for instance in perform(_:)")
        for entity in followers.values {
            entity.forEach { $0.forget() }
            entity.forgetObjects()
        }
        reassigned = []
    }
}

extension ChangeSet {
    /// How much the current event holds; grows with each change of another object.
    fileprivate var eventSize: Int {
        inserted.count + eventUpdated.count + deleted.count + eventRefreshed.count
            + eventRevived.count
    }
}
