// SPDX-License-Identifier: Apache-2.0

import Query
import RecordFormat
import Schema
import Store

/// The look-ups of unique attributes that a context has made ready.
struct UniqueLookUps {
    private struct Known {
        let ordinal: Int
        let includesSubentities: Bool
        let key: String
        /// The attribute's place among the fields of the entity's objects.
        let position: Int
        /// `nil` where no index serves.
        let lookUp: UniqueLookUp?
    }

    /// Few, so that a list is searched faster than a table.
    private var known: ContiguousArray<Known> = []
    /// The indexes that they were made for.
    private var catalog: CatalogState?

    private static var greatestCount: Int { 16 }

    /// The look-up of a key and its position; `nil` where no unique index has it alone.
    mutating func lookUp(
        _ key: String, _ runtime: EntityRuntime, includesSubentities: Bool,
        in snapshot: StoreSnapshot
    ) -> (UniqueLookUp, position: Int)? {
        let ordinal = runtime.ordinal
        if !snapshot.has(catalog) {
            known.removeAll(keepingCapacity: true)
            catalog = snapshot.catalog
        }
        // In place: entries hold references, which copies would count.
        for index in known.indices
        where known[index].ordinal == ordinal
            && known[index].includesSubentities == includesSubentities && known[index].key == key
        {
            return known[index].lookUp.map { ($0, known[index].position) }
        }
        if known.count == UniqueLookUps.greatestCount { known.removeAll(keepingCapacity: true) }
        let position = runtime.position(of: key, inKindOf: runtime)
        let made = position.flatMap { _ in
            UniqueLookUp(
                key, of: snapshot.store.tables[ordinal], includesSubentities: includesSubentities,
                in: snapshot)
        }
        known.append(
            Known(
                ordinal: ordinal, includesSubentities: includesSubentities, key: key,
                position: position ?? -1, lookUp: made))
        return made.map { ($0, position ?? -1) }
    }
}

extension NSManagedObjectContext {
    /// What the look-up of a unique value has found.
    private enum UniqueMatch {
        case nothing
        case one(ObjectKey, RecordView, StoreSnapshot, EntityRuntime)
    }

    /// The matches of a request for one value of a unique attribute, found without a plan; `nil`
    /// for all other requests, and where unsaved objects may match.
    ///
    /// Programs that find or create ask nothing else, and what a fetch prepares for any question
    /// takes longer than this look-up.
    final func uniqueMatch<Result>(
        _ request: NSFetchRequest<Result>
    ) throws -> FoundObjects? {
        switch try lookUp(request) {
        case nil: return nil
        case .nothing?: return ([], nil)
        case .one(let key, let record, let snapshot, let runtime)?:
            // The entity that was asked for, unless another one inherits from it.
            if snapshot.store.tables[runtime.ordinal].number == key.entity {
                return found(key, record, runtime)
            }
            var maker = FaultMaker(self, snapshot)
            return ([maker.object(key, record)], maker.commonType)
        }
    }

    /// As ``FaultMaker/object(_:_:)`` for one object, whose entity is known.
    @inline(__always)
    private final func found(
        _ key: ObjectKey, _ record: RecordView, _ runtime: EntityRuntime
    ) -> FoundObjects {
        if let known = registry[key] {
            place(known, record)
            return ([known], type(of: known))
        }
        let objectClass = runtime.objectClass
        let object = makeFault(key, objectClass, runtime.description)
        object.record = record
        object.boundStamp = stamp
        return ([object], objectClass)
    }

    /// The number of matches of such a request; no object is made.
    final func uniqueCount<Result>(_ request: NSFetchRequest<Result>) throws -> Int? {
        switch try lookUp(request) {
        case nil: nil
        case .nothing?: 0
        case .one?: 1
        }
    }

    private final func lookUp<Result>(
        _ request: NSFetchRequest<Result>
    ) throws -> UniqueMatch? {
        guard let content = (request.predicate as? ManagedComparison)?.content,
            case .value(let key, let value) = content.form,
            source == nil, !hasFurtherStores, request.affectedStores == nil,
            request.sortDescriptors?.isEmpty != false, request.fetchOffset <= 0,
            followers.fetchWatch == nil, snapshot != nil || openStore != nil
        else { return nil }
        let runtime =
            try FetchPreparation.runtimeAtHand(of: request, self)
            ?? FetchPreparation.runtime(of: request, self)
        let snapshot = try newestAtHand ?? newestSnapshot()
        let known = readPoint.lookUps.lookUp(
            key, runtime, includesSubentities: request.includesSubentities, in: snapshot)
        guard let (lookUp, position) = known else { return nil }
        let seesChanges = request.includesPendingChanges && changes.hasEntries
        if seesChanges {
            guard let quick = value.quickForm else { return nil }
            let equality = QuickEquality(runtime, key, at: position, quick)
            guard changedCandidates(equality).isEmpty else { return nil }
        }
        switch try CoreDataError.mapping({ try lookUp.answer(value, in: snapshot) }) {
        case .unanswered: return nil
        case .nothing: return .nothing
        case .object(let key, let record):
            // One whose unsaved values match would be among the candidates.
            if seesChanges, let known = registry[key], known.hasChanges { return .nothing }
            return .one(key, record, snapshot, runtime)
        }
    }
}
