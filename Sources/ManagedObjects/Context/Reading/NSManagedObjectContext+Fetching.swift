// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Query
import RecordFormat
import Schema
import Store
import Traps

extension NSManagedObjectContext {
    /// Finds objects, object IDs or their number.
    ///
    /// ```swift
    /// for team in try context.fetch(NSFetchRequest<Team>(entityName: "Team")) {
    ///     print(team.name, team.players.count)
    /// }
    /// ```
    ///
    /// The result is the store's matches, without the objects that unsaved changes delete or no
    /// longer let match, and with those that they insert or now let match; then order, offset and
    /// limit apply. An object that the context already has keeps its values.
    ///
    /// - Throws: 134070 for a predicate or sort key that the model does not have, and for failures
    ///   of the store.
    public final func fetch<Result>(
        _ request: NSFetchRequest<Result>
    ) throws -> [Result] {
        checkQueue()
        let resultType = request.resultType
        if resultType == .countResultType {
            return try results([NSNumber(value: count(for: request))])
        }
        if resultType == .dictionaryResultType {
            return try results(dictionaries(request))
        }
        guard request.propertiesToGroupBy?.isEmpty != false else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "propertiesToGroupBy of a fetch of \(request.entityName ?? "objects") needs the "
                    + "result type dictionaryResultType")
        }
        if resultType == .managedObjectIDResultType { return try results(fetchIDs(request)) }
        let (objects, type) = try fetchObjects(request)
        if request.shouldRefreshRefetchedObjects { refreshRefetched(objects) }
        if !request.returnsObjectsAsFaults { realise(objects) }
        return try typedObjects(objects, type)
    }

    /// Has the objects of a fetch awake before they are returned.
    private final func realise(_ objects: [NSManagedObject]) {
        for object in objects where object.flags.contains(.fault) { fire(object) }
    }

    /// The objects as the request's type: checked once a class, not once an object.
    ///
    /// - Parameter uniform: The class of all objects, where it is known.
    private final func typedObjects<Result>(
        _ objects: [NSManagedObject], _ uniform: NSManagedObject.Type?
    ) throws -> [Result] {
        if let uniform, Result.self is NSManagedObject.Type, uniform is Result.Type {
            // SAFETY: the same references under another static type, which their one class fits.
            return unsafeBitCast(objects, to: [Result].self)
        }
        var checked: NSManagedObject.Type?
        var isUniform = true
        for object in objects where type(of: object) != checked {
            checked = type(of: object)
            isUniform = isUniform && object is Result
        }
        // SAFETY: the same references under another static type. The loop above has checked an
        // object of each class among them.
        guard isUniform, Result.self is NSManagedObject.Type else { return try results(objects) }
        return unsafeBitCast(objects, to: [Result].self)
    }

    private final func results<Result, Found: NSObject>(
        _ found: [Found]
    ) throws -> [Result] {
        // SAFETY: the same references under their own static type.
        if Result.self == Found.self { return unsafeBitCast(found, to: [Result].self) }
        var typed: [Result] = []
        typed.reserveCapacity(found.count)
        for element in found {
            guard let result = element as? Result else {
                throw CoreDataError.make(
                    .persistentStoreOperation,
                    "the fetch found a \(type(of: element)), but was to return \(Result.self); "
                        + "check managedObjectClassName and the request's type")
            }
            typed.append(result)
        }
        return typed
    }

    /// The number of objects that a fetch would find, without making objects.
    public final func count<Result>(
        for request: NSFetchRequest<Result>
    ) throws -> Int {
        checkQueue()
        readMailOutsideBlocks()
        processPendingChanges()
        if let count = try uniqueCount(request) { return count }
        let prepared: FetchPreparation
        do { prepared = try FetchPreparation(request, self) } catch {
            return try objects(of: request, instead: error) { try fetchObjects($0).objects }.count
        }
        return try countMatches(
            prepared, includesPendingChanges: request.includesPendingChanges)
    }

    /// The number of matches as this context sees them.
    final func countMatches(
        _ prepared: FetchPreparation, includesPendingChanges: Bool
    ) throws -> Int {
        try matching(
            prepared, includesPendingChanges: includesPendingChanges,
            unsaved: { try countWithPendingChanges($0) },
            source: { try $0.count($1) }, main: { try mainCount($0) })
    }

    final func fetchObjects<Result>(
        _ request: NSFetchRequest<Result>
    ) throws -> FoundObjects {
        readMailOutsideBlocks()
        processPendingChanges()
        if let found = try uniqueMatch(request) { return found }
        let prepared: FetchPreparation
        do { prepared = try FetchPreparation(request, self) } catch {
            return (
                try objects(of: request, instead: error) { try fetchObjects($0).objects }, nil
            )
        }
        return try find(prepared, includesPendingChanges: request.includesPendingChanges)
    }

    /// The matches as this context sees them, with the class of all, where they have one in common.
    final func find(
        _ prepared: FetchPreparation, includesPendingChanges: Bool
    ) throws -> FoundObjects {
        try matching(
            prepared, includesPendingChanges: includesPendingChanges,
            unsaved: { (try fetchWithPendingChanges($0), nil) },
            source: { try $0.matches($1) }, main: { try mainMatches($0) })
    }

    /// Asks whoever has the matches as this context sees them: itself, where unsaved changes have a
    /// part in them, a source elsewhere, or the main store.
    @inline(__always)
    final func matching<Answer>(
        _ prepared: FetchPreparation, includesPendingChanges: Bool,
        unsaved: (FetchPreparation) throws -> Answer,
        source: (any MatchSource, SourceFetch) throws -> Answer,
        main: (FetchPreparation) throws -> Answer
    ) throws -> Answer {
        adoptIfNeeded()
        let prepared = withCurrentKeys(prepared)
        if includesPendingChanges, hasPendingChanges(prepared) {
            return try unsaved(prepared)
        }
        if let elsewhere = matchSource(of: prepared) {
            return try source(
                elsewhere,
                SourceFetch(prepared: prepared, includesPendingChanges: includesPendingChanges))
        }
        return try main(prepared)
    }

    /// Runs a plan and makes a fault of each match that is not registered; with the class of all
    /// objects, where they have one in common.
    final func run(
        _ plan: FetchPlan, _ snapshot: StoreSnapshot, _ prepared: FetchPreparation
    ) throws -> FoundObjects {
        var maker = FaultMaker(self, snapshot)
        if plan.readsWholeEntities(in: snapshot) {
            return (try allObjects(plan, snapshot, &maker), maker.commonType)
        }
        var objects: [NSManagedObject] = []
        if prepared.description.predicate == nil, prepared.description.limit == 0 {
            let table = snapshot.store.tables[prepared.runtime.ordinal]
            let count = try snapshot.roomNeeded(for: table)
            objects.reserveCapacity(count)
            registry.reserve(count)
        }
        try plan.forEach(in: snapshot) { key, record in
            maker.add(key, record, to: &objects)
            return true
        }
        return (objects, maker.commonType)
    }

    /// All objects of some entities: their number is known, so that they are put where they stay.
    private final func allObjects(
        _ plan: FetchPlan, _ snapshot: StoreSnapshot, _ maker: inout FaultMaker
    ) throws -> [NSManagedObject] {
        let count = try plan.roomNeeded(in: snapshot)
        registry.reserve(count)
        // Of a damaged file that counts less than it has.
        var rest: [NSManagedObject] = []
        // The empty array is shared by all threads: its length must not be written, not even 0.
        var objects = try [NSManagedObject](
            unsafeUninitializedCapacity: max(count, 1)
        ) { room, used in
            try plan.forEachBatch(in: snapshot) { matches in
                for index in matches.indices {
                    guard let match = matches[index] else { trap("a batch of a fetch has a gap") }
                    let object = maker.next(match.key, match.record)
                    guard used < room.count else {
                        rest.append(object)
                        continue
                    }
                    // SAFETY: there is room, and nothing is behind the first `used` objects.
                    room.initializeElement(at: used, to: object)
                    used &+= 1
                }
            }
        }
        objects.append(contentsOf: rest)
        return objects
    }

    /// The matches of one fetch in the main store.
    final func mainMatches(_ prepared: FetchPreparation) throws -> FoundObjects {
        let snapshot = try newestSnapshot()
        return try mappingQueryErrors {
            try run(mainPlan(prepared.description, snapshot), snapshot, prepared)
        }
    }

    /// The plan of a fetch from the main store.
    final func mainPlan(
        _ description: FetchDescription, _ snapshot: StoreSnapshot
    ) throws -> FetchPlan {
        try Planner.plan(description, in: snapshot.store, remembering: readPoint.plans)
    }

    /// The number of matches of one fetch in the main store.
    final func mainCount(_ prepared: FetchPreparation) throws -> Int {
        let snapshot = try newestSnapshot()
        var description = prepared.description
        description.readProperties = []
        return try mappingQueryErrors {
            try mainPlan(description, snapshot).count(in: snapshot)
        }
    }

    /// Gives the clean objects among those that a fetch found the newest values.
    final func refreshRefetched(_ objects: [NSManagedObject]) {
        for object in objects where !object.isFault && !object.hasChanges {
            refresh(object, mergeChanges: true)
        }
    }
}
