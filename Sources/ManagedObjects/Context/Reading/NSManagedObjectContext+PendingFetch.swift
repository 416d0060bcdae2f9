// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Query
import Schema
import Store

extension NSManagedObjectContext {
    /// Whether unsaved changes may have a part in the results of a fetch, or in their order.
    final func hasPendingChanges(_ prepared: FetchPreparation) -> Bool {
        guard changes.hasEntries else { return false }
        if mayBeSortedByUnsaved(prepared) { return true }
        return requirePendingIndex().concerns(
            prepared.runtime, prepared.description.includesSubentities, unsavedLists)
    }

    /// Whether the order asks for values at other ends of relationships that unsaved changes may
    /// have given.
    private final func mayBeSortedByUnsaved(_ prepared: FetchPreparation) -> Bool {
        prepared.sortsByOthers && !changes.updated.isEmpty
    }

    final var unsavedLists: UnsavedLists {
        UnsavedLists(
            inserted: changes.inserted, updated: changes.updated, deleted: changes.deleted)
    }

    final func requirePendingIndex() -> PendingIndex {
        if let known = changes.pendingIndex { return known }
        let made = PendingIndex()
        changes.pendingIndex = made
        return made
    }

    /// How many unsaved objects fetches have looked at by an index of them.
    package final var unsavedVisitCount: Int { changes.pendingIndex?.visitCount ?? 0 }

    /// Corrects the store's matches by the unsaved changes, then sorts and cuts.
    final func fetchWithPendingChanges(
        _ prepared: FetchPreparation
    ) throws -> [NSManagedObject] {
        let wider = enough(prepared)
        var objects: [NSManagedObject] = []
        if let source = matchSource(of: wider) {
            objects = try source.matches(SourceFetch(prepared: wider)).objects
        } else {
            objects = try mainMatches(wider).objects
        }
        objects.removeAll { $0.hasChanges }
        let description = prepared.description
        if description.sortOrders.isEmpty {
            // Unsaved ones come behind: those that the limit cuts off need not be looked for.
            let wanted = description.reach == 0 ? .max : description.reach - objects.count
            let changed = wanted > 0 ? try changedMatches(prepared, atMost: wanted) : []
            return try merged(objects, unsaved: changed, description)
        }
        let changed = try changedMatches(prepared)
        if mayBeSortedByUnsaved(prepared) {
            return try arranged(objects + changed, description)
        }
        let inOrder = try mappingQueryErrors {
            try sorted(changed, description.sortFields, reach: description.reach)
        }
        return try merged(objects, unsaved: inOrder, description)
    }

    /// The number of matches, without making objects of those that have no changes.
    final func countWithPendingChanges(_ prepared: FetchPreparation) throws -> Int {
        let all = prepared.withoutWindow
        // Elsewhere than in the main store it is not known which matches have changes here.
        guard matchSource(of: all) == nil else {
            return try fetchWithPendingChanges(prepared).count
        }
        let stored = try mainCount(all)
        let total =
            try stored - changedCount(among: stored, all) + changedMatches(prepared).count
        let rest = max(0, total - prepared.description.offset)
        let limit = prepared.description.limit
        return limit > 0 ? min(limit, rest) : rest
    }

    /// How many of the store's matches are of objects with changes, whatever these are.
    ///
    /// Looks at the matches or at the changed objects, whichever are fewer: programs that find or
    /// create ask for one among many changed ones.
    private final func changedCount(among stored: Int, _ all: FetchPreparation) throws -> Int {
        let changed = requirePendingIndex().storedCount(
            all.runtime, all.description.includesSubentities, unsavedLists)
        if changed == 0 || stored == 0 { return 0 }
        // The state in which all of them were counted.
        let snapshot = try requireSnapshot()
        return try mappingQueryErrors {
            let plan = try mainPlan(all.description, snapshot)
            guard stored > changed else {
                return try plan.keys(in: snapshot).count { registry[$0]?.hasChanges == true }
            }
            return try plan.matchCount(among: changedKeys, in: snapshot)
        }
    }

    /// The permanent keys of the objects with changes.
    private final var changedKeys: Set<ObjectKey> {
        var keys = Set<ObjectKey>()
        func add(_ object: NSManagedObject) {
            if object.hasChanges, !object.key.isTemporary { keys.insert(object.key) }
        }
        changes.updated.forEachUnretained(add)
        changes.deleted.forEachUnretained(add)
        return keys
    }

    /// The fetch of enough rows for its results, whatever unsaved changes take away.
    private final func enough(_ prepared: FetchPreparation) -> FetchPreparation {
        // The store would sort, and cut, by other values than the objects have now.
        if mayBeSortedByUnsaved(prepared) { return prepared.withoutWindow }
        return prepared.widened(
            by: requirePendingIndex().storedCount(
                prepared.runtime, prepared.description.includesSubentities, unsavedLists))
    }

    /// The inserted and updated objects that match, or the first ones.
    private final func changedMatches(
        _ prepared: FetchPreparation, atMost count: Int = .max
    ) throws -> [NSManagedObject] {
        while true {
            let generation = source?.adopted
            let matches = try changedMatchesNow(prepared, atMost: count)
            // A fault that fires adopts keys: what was compared before had others.
            if source?.adopted == generation { return matches }
        }
    }

    private final func changedMatchesNow(
        _ prepared: FetchPreparation, atMost count: Int
    ) throws -> [NSManagedObject] {
        let description = prepared.description
        let candidates = changedCandidates(prepared)
        if candidates.isEmpty { return [] }
        let predicate = try description.predicate.map { predicate in
            try prepared.ready(withCurrentKeys(predicate), in: self).limited()
        }
        var objects: [NSManagedObject] = []
        let affected = prepared.origin?.affectedStores
        for object in candidates {
            if let affected, !isAffected(object, affected) { continue }
            let isKind =
                description.includesSubentities
                ? object.runtime.isKind(of: prepared.runtime)
                : object.runtime === prepared.runtime
            guard isKind else { continue }
            let matches = try mappingQueryErrors {
                try predicate?.evaluate(with: ObjectSubject(object)) ?? true
            }
            if matches { objects.append(object) }
            if objects.count == count { break }
        }
        return objects
    }

    /// The inserted and updated objects, each once, without those that cannot match.
    private final func changedCandidates(_ prepared: FetchPreparation) -> [NSManagedObject] {
        let runtime = prepared.runtime
        guard let choice = PendingChoice(prepared.description.predicate, runtime, keyHere) else {
            return changedObjects(prepared)
        }
        if case .equal(let equality) = choice { return changedCandidates(equality) }
        let unsaved = unsavedLists
        // To look at each object costs less than to look for more values than there are objects.
        guard choice.valueCount <= unsaved.count else { return changedObjects(prepared) }
        guard let found = choice.candidates(among: unsaved, requirePendingIndex()) else {
            return changedObjects(prepared).filter { !choice.rejects($0) }
        }
        return changed(found, choice.rejects)
    }

    /// The key under which an object is known here; nil where that may change at any time, as keys
    /// of a child do when another context saves.
    private final var keyHere: ((ObjectKey) -> ObjectKey)? {
        if source != nil { return nil }
        return { self.known($0)?.key ?? self.currentKey(of: $0) }
    }

    /// The inserted and updated objects that may have a value, each once.
    final func changedCandidates(_ equality: QuickEquality) -> [NSManagedObject] {
        var found: [NSManagedObject] = []
        let isFound = requirePendingIndex().forEach(equality, unsavedLists) {
            found.append($0)
            return true
        }
        guard isFound else { return changedObjects(without: equality.rejects) }
        return changed(found, equality.rejects)
    }

    /// Those that have changes still of what the index of unsaved objects has found, each once.
    ///
    /// - Parameter rejects: Whether an object cannot match what was looked for.
    @inline(__always)
    private final func changed(
        _ found: consuming [NSManagedObject], _ rejects: (NSManagedObject) -> Bool
    ) -> [NSManagedObject] {
        found.removeAll { !$0.hasChanges || $0.isDeleted }
        let candidates = found.isEmpty ? [] : inOrder(found)
        // A look at each of thousands, for each of thousands, would take debug builds minutes.
        assert(
            unsavedLists.count > 256
                || Set(changedObjects(without: rejects)).isSubset(of: candidates),
            "the index of unsaved objects misses some of its entity")
        return candidates
    }

    private final func changedObjects(
        without rejects: (NSManagedObject) -> Bool
    ) -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        func add(_ object: NSManagedObject) {
            if !object.isDeleted, !rejects(object) { objects.append(object) }
        }
        changes.inserted.forEachUnretained { if $0.flags.contains(.inserted) { add($0) } }
        changes.updated.forEachUnretained { if $0.isUpdated { add($0) } }
        return inOrder(objects)
    }

    /// Those of the entity of a fetch, however many there are of others.
    private final func changedObjects(_ prepared: FetchPreparation) -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        requirePendingIndex().forEach(
            of: prepared.runtime, prepared.description.includesSubentities, unsavedLists,
            inserted: {
                if $0.flags.contains(.inserted), !$0.isDeleted { objects.append($0) }
            },
            updated: { if $0.isUpdated, !$0.isDeleted { objects.append($0) } })
        return inOrder(objects)
    }

    /// Objects each once, the inserted ones in the order of their insertion, then the updated ones
    /// by their keys.
    ///
    /// So the result of a fetch without an order does not depend on how they were looked for. An
    /// object whose changes were dropped, and that was changed again, is noted twice.
    private final func inOrder(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        func place(_ object: NSManagedObject) -> UInt64 {
            object.key.rawValue ^ ObjectKey.temporaryBit
        }
        let isAscending = zip(objects, objects.dropFirst()).allSatisfy { place($0) < place($1) }
        if isAscending { return objects }
        var last: NSManagedObject?
        return objects.sorted { place($0) < place($1) }.filter { object in
            defer { last = object }
            return object !== last
        }
    }
}
