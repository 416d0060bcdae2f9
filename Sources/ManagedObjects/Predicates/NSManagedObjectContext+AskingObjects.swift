// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates

/// Requests that only objects can answer.
extension NSManagedObjectContext {
    /// The matches of a request that a store cannot run, asked of the objects of stores in memory.
    ///
    /// - Parameter refusal: Why a store cannot run the request, which is thrown where one would
    ///   have to.
    final func objects<Result>(
        of request: NSFetchRequest<Result>, instead refusal: any Error,
        _ find: (NSFetchRequest<Result>) throws -> [NSManagedObject]
    ) throws -> [NSManagedObject] {
        guard let filter = ObjectFilter(request, self),
            try !filter.isForMemory || isInMemory(request)
        else { throw refusal }
        guard request.includesPendingChanges else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "a block, a comparator or what a transformable attribute holds is asked of objects "
                    + "with their unsaved changes; fetch with includesPendingChanges, or in "
                    + "another context")
        }
        if !filter.isForMemory { try checkScan(filter.possible) }
        return try mappingQueryErrors { try filter.objects(find) }
    }

    /// Refuses to ask all objects of a file where that is more than may be scanned.
    private final func checkScan<Result>(_ request: NSFetchRequest<Result>) throws {
        let limit = request.scanLimit == 0 ? scanLimit : request.scanLimit
        guard limit > 0 else { return }
        let count = try count(for: request)
        guard count > limit else { return }
        throw CoreDataError.make(
            .persistentStoreOperation,
            "the fetch would ask \(count) objects what a transformable attribute holds, more than "
                + "a scanLimit of \(limit); put a condition that a store answers beside it, in an "
                + "NSCompoundPredicate")
    }

    /// A request for dictionaries that a store can run, in place of one whose predicate only
    /// objects can answer: for those objects.
    ///
    /// Objects of a context of their own are asked, as dictionaries are of what is saved: those of
    /// this one may have other values, by changes of its own or by what others have saved since.
    ///
    /// - Parameter refusal: As for `objects(of:instead:_:)`.
    final func answered<Result>(
        _ request: NSFetchRequest<Result>, instead refusal: any Error
    ) throws -> NSFetchRequest<Result> {
        guard let filter = ObjectFilter(request, self), filter.isOrderedByStore,
            let coordinator = persistentStoreCoordinator
        else { throw refusal }
        let all = request.duplicate()
        (all.fetchLimit, all.fetchOffset, all.includesPendingChanges) = (0, 0, true)
        let place = NSManagedObjectContext(.privateQueue)
        place.persistentStoreCoordinator = coordinator
        let matches = try place.performAndWait {
            try place.objects(of: all, instead: refusal) { try place.fetchObjects($0).objects }
                .map(\.objectID)
        }
        let answered = request.duplicate()
        // What the store can answer, it answers once more, should others save meanwhile.
        answered.predicate = NSCompoundPredicate(
            andPredicateWithSubpredicates: [
                NSPredicate(format: "SELF IN %@", matches), filter.window.predicate,
            ].compactMap(\.self))
        return answered
    }

    /// The results of a controller's request, and what tells whether a changed object is one.
    final func followed<Result>(_ request: NSFetchRequest<Result>) throws -> FollowedFetch {
        let prepared: FetchPreparation
        var predicate: NSPredicate?
        do { prepared = try FetchPreparation(request, self) } catch {
            guard let filter = ObjectFilter(request, self, isForNow: false),
                filter.isOrderedByStore
            else {
                throw error
            }
            prepared = try FetchPreparation(filter.window, self)
            predicate = filter.predicate
        }
        return FollowedFetch(
            objects: try fetch(request).compactMap { $0 as? NSManagedObject }, prepared: prepared,
            predicate: predicate)
    }

    /// Whether a request has to be asked of objects, for what transformable attributes hold.
    final func onlyObjects<Result>(
        answer request: NSFetchRequest<Result>, _ runtime: EntityRuntime
    ) throws -> Bool {
        guard let predicate = request.predicate,
            let keys = TransformableKeys(runtime, model)
        else { return false }
        switch keys.answerer(of: try PredicateConversion.content(of: predicate)) {
        case .store: return false
        case .objects: return true
        case .objectsInMemory: return try isInMemory(request)
        }
    }

    /// Refuses a condition on what transformable attributes hold, where no objects can be asked.
    ///
    /// - Throws: 134070.
    final func refuseTransformables(in predicate: PredicateTree?, _ runtime: EntityRuntime) throws {
        guard let predicate, let keys = TransformableKeys(runtime, model),
            predicate.looksInto(keys)
        else { return }
        throw PredicateConversion.unsupported("what a transformable attribute holds")
    }

    /// Whether all stores that a request looks at have their objects in memory.
    private final func isInMemory<Result>(_ request: NSFetchRequest<Result>) throws -> Bool {
        let runtime = try FetchPreparation.runtime(of: request, self)
        let family = request.includesSubentities ? runtime.family : [runtime]
        guard let coordinator = persistentStoreCoordinator else { return false }
        let stores = (request.affectedStores ?? coordinator.persistentStores).filter { store in
            family.contains { coordinator.holds($0, in: store) }
        }
        return !stores.isEmpty && stores.allSatisfy { $0.isInMemory || $0 is NSAtomicStore }
    }
}
