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

/// A question for the object that has one value of an attribute.
private struct UniqueQuestion {
    let key: String
    let value: Value
    let runtime: EntityRuntime
    let includesSubentities: Bool
    let includesPendingChanges: Bool
}

/// What the look-up of a unique value has found.
private enum UniqueMatch {
    case nothing
    case one(ObjectKey, RecordView, StoreSnapshot, EntityRuntime)
    /// One with unsaved changes, whose value is that one now.
    case unsaved(NSManagedObject)
    /// What the parent of a child has found.
    case relative(ObjectKey, EntityRuntime)
}

extension NSManagedObjectContext {
    /// The matches of a request for one value of a unique attribute, found without a plan; `nil`
    /// for all other requests, and where more than one object may match.
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
        case .unsaved(let object)?: return ([object], type(of: object))
        case .relative(let key, let runtime)?:
            let object = relative(key, runtime)
            return ([object], type(of: object))
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
        case .one?, .unsaved?, .relative?: 1
        }
    }

    @inline(__always)
    private final func lookUp<Result>(
        _ request: NSFetchRequest<Result>
    ) throws -> UniqueMatch? {
        guard let content = (request.predicate as? ManagedComparison)?.content,
            case .value(let key, let value) = content.form, request.affectedStores == nil,
            request.sortDescriptors?.isEmpty != false, request.fetchOffset <= 0,
            followers.fetchWatch == nil
        else { return nil }
        let runtime =
            try FetchPreparation.runtimeAtHand(of: request, self)
            ?? FetchPreparation.runtime(of: request, self)
        return try lookUp(
            UniqueQuestion(
                key: key, value: value, runtime: runtime,
                includesSubentities: request.includesSubentities,
                includesPendingChanges: request.includesPendingChanges))
    }

    /// What a child is told by its parent, or a root finds.
    @inline(__always)
    private final func lookUp(_ question: UniqueQuestion) throws -> UniqueMatch? {
        if let source { return try lookUp(question, inParentOf: source) }
        guard !hasFurtherStores, snapshot != nil || openStore != nil else { return nil }
        return try lookUpHere(question)
    }

    /// What a root finds among its own changes and in its store.
    @inline(__always)
    private final func lookUpHere(_ question: UniqueQuestion) throws -> UniqueMatch? {
        let snapshot = try newestAtHand ?? newestSnapshot()
        let known = readPoint.lookUps.lookUp(
            question.key, question.runtime, includesSubentities: question.includesSubentities,
            in: snapshot)
        guard let (lookUp, position) = known else { return nil }
        var unsaved: NSManagedObject?
        let seesChanges = question.includesPendingChanges && changes.hasEntries
        if seesChanges {
            guard let match = unsavedMatch(question, at: position) else { return nil }
            unsaved = match
        }
        switch try CoreDataError.mapping({ try lookUp.answer(question.value, in: snapshot) }) {
        case .unanswered: return nil
        case .nothing: return unsaved.map { .unsaved($0) } ?? .nothing
        case .object(let key, let record):
            // One whose unsaved values match would be among the candidates.
            if seesChanges, let known = registry[key], known.hasChanges {
                return unsaved.map { .unsaved($0) } ?? .nothing
            }
            return unsaved == nil ? .one(key, record, snapshot, question.runtime) : nil
        }
    }

    /// What a child finds: its parent's answer, corrected by its own changes.
    @inline(never)
    private final func lookUp(
        _ question: UniqueQuestion, inParentOf source: ParentSource
    ) throws -> UniqueMatch? {
        let runtime = question.runtime
        // No root finds another attribute so, and to ask is to wait for the parent's queue.
        guard runtime.hasUniqueAttribute(question.key),
            let position = runtime.position(of: question.key, inKindOf: runtime)
        else { return nil }
        let parent = source.parent
        let found: UniqueMatch? = try parent.enterQueue {
            parent.processPendingChanges()
            switch try parent.lookUp(question) {
            // A child asks for a copy of the record when it needs one.
            case .one(let key, _, _, _)?: return parent.runtime(of: key).map { .relative(key, $0) }
            case .unsaved(let object)?: return .relative(object.key, object.runtime)
            case let answer: return answer
            }
        }
        guard let found else { return nil }
        adoptIfNeeded()
        // Or an object of a store that has gone would stand for that of the next one.
        noticeRemovalsIfAny()
        guard question.includesPendingChanges, changes.hasEntries else { return found }
        // After the parent's answer, whose observers may have changed something here.
        guard let unsaved = unsavedMatch(question, at: position) else { return nil }
        if case .relative(let key, _) = found, known(key)?.hasChanges != true {
            return unsaved == nil ? found : nil
        }
        // One whose unsaved values match would be among the candidates.
        return unsaved.map { .unsaved($0) } ?? .nothing
    }

    /// The one object with unsaved changes that has the value, or none; nil where it takes an
    /// evaluation to say, or an order.
    @inline(never)
    private final func unsavedMatch(
        _ question: UniqueQuestion, at position: Int
    ) -> NSManagedObject?? {
        guard let quick = question.value.quickForm else { return nil }
        let equality = QuickEquality(question.runtime, question.key, at: position, quick)
        let candidates = changedCandidates(equality)
        guard let object = candidates.first else { return .some(nil) }
        guard candidates.count == 1, equality.isSurelyEqual(object),
            question.includesSubentities || object.runtimeOrdinal == question.runtime.ordinal
        else { return nil }
        return object
    }
}
