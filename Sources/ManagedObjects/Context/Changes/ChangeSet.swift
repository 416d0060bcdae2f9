// SPDX-License-Identifier: Apache-2.0

/// The objects with changes, which a context keeps alive.
///
/// Lists only grow until the save; an object's flags say whether its entry still counts. So noting
/// a change is one append.
struct ChangeSet {
    var inserted: ContiguousArray<NSManagedObject> = []
    var updated: ContiguousArray<NSManagedObject> = []
    var deleted: ContiguousArray<NSManagedObject> = []
    /// The position in `inserted` from which objects belong to the current event.
    var eventStart = 0
    /// The objects changed in the current event, but not inserted in it.
    var eventUpdated: ContiguousArray<NSManagedObject> = []
    /// The set of inserted objects that was posted last, for a save right behind the event.
    var postedInserted: Set<NSManagedObject>?
    /// The set of updated objects that was posted last, if no earlier event updated others.
    var postedUpdated: Set<NSManagedObject>?
    /// The position in `deleted` from which objects belong to the current event.
    var eventDeletedStart = 0
    /// How many of `deleted` the delete rules were applied to, of the first ones; `nil` to look at
    /// all of them.
    var propagatedCount: Int?
    var eventRefreshed: ContiguousArray<NSManagedObject> = []
    /// The objects whose deletion, processed in an earlier event, was taken back in this one.
    var eventRevived: ContiguousArray<NSManagedObject> = []
    /// The objects inserted in an earlier event and never saved that were deleted in this one.
    var eventForgotten: ContiguousArray<NSManagedObject> = []
    /// The objects both inserted and deleted in this event, as far as anything observes it.
    var eventPassing: ContiguousArray<NSManagedObject> = []
    /// Where the first entries of `inserted` and of `deleted` may be that do not count any more;
    /// nowhere if all do.
    var lapsed = (inserted: Int.max, deleted: Int.max)
    /// Whether changes of objects with entries in `updated` were dropped: those that are changed
    /// again have another entry.
    var hasDropped = false
    /// Whether deletions were taken back in this event: their entries in `deleted` do not count.
    private var hasRevived = false
    /// Which deletions are of this event, once that was asked.
    private var eventDeletions = EventDeletions()
    /// Whether one side of a relationship was set alone.
    var hasLoosePointers = false
    /// Objects whose records turned out to be gone when something else was about to lead to them.
    var lostDestinations: [NSManagedObject] = []
    /// Inserted objects with the keys of records whose deletion was saved and undone.
    var former: [NSManagedObject] = []
    /// Objects that an undo has inserted again under keys that they had, to which others may lead.
    var returned: [NSManagedObject] = []
    /// The state in which the records of the `former` were looked for last.
    var formerStamp: UInt32?
    /// Whether a layer above has an index of these changes.
    var isIndexed = false
    /// New and changed objects of indexed classes that the index has not looked at yet.
    var unindexed: ContiguousArray<NSManagedObject> = []
    /// What fetches ask of inserted and updated objects, while the lists of these only grow.
    var pendingIndex: PendingIndex?

    var liveInserted: some Sequence<NSManagedObject> {
        inserted.lazy.filter { $0.flags.contains(.inserted) }
    }

    /// Leaves one entry of each updated object, for what is done once with each.
    ///
    /// - Complexity: O(updated objects) where changes were dropped, else O(1)
    mutating func dropRepeatedUpdates() {
        guard hasDropped else { return }
        hasDropped = false
        var known = Set<ObjectIdentifier>(minimumCapacity: updated.count)
        updated.removeAll { !known.insert(ObjectIdentifier($0)).inserted }
        pendingIndex = nil
    }

    var liveUpdated: some Sequence<NSManagedObject> {
        updated.lazy.filter { $0.isUpdated }
    }

    var liveDeleted: some Sequence<NSManagedObject> {
        deleted.lazy.filter { $0.flags.contains(.deleted) }
    }

    var isEmpty: Bool {
        !liveInserted.contains { _ in true } && !liveUpdated.contains { _ in true }
            && !liveDeleted.contains { _ in true }
    }

    /// Notes from where on entries of `inserted` and of `deleted` may not count any more.
    mutating func mayHaveLapsed(inserted: Int = 0, deleted: Int = 0) {
        lapsed = (min(lapsed.inserted, inserted), min(lapsed.deleted, deleted))
    }

    /// Notes that the deletion of an object was taken back.
    ///
    /// Its entry stays until the event ends, so that taking back many costs no more than one pass;
    /// an object that is deleted again has two until then.
    mutating func noteRevival(of object: NSManagedObject) {
        hasRevived = true
        pendingIndex = nil
        if !eventDeletions.contains(object, in: deleted, from: eventDeletedStart) {
            eventRevived.append(object)
        }
    }

    /// Leaves one entry of each object whose deletion counts: the last one.
    private mutating func dropRevived() {
        hasRevived = false
        eventDeletions = EventDeletions()
        var known = Set<ObjectIdentifier>(minimumCapacity: deleted.count)
        let kept = deleted.reversed().filter {
            $0.flags.contains(.deleted) && known.insert(ObjectIdentifier($0)).inserted
        }
        deleted = ContiguousArray(kept.reversed())
        propagatedCount = nil
        pendingIndex = nil
    }

    /// Leaves the entries of `inserted` and `deleted` that count.
    ///
    /// - Complexity: O(entries behind the first that may not count)
    mutating func dropLapsed() {
        if hasRevived { dropRevived() }
        if inserted.dropLapsed(from: lapsed.inserted, .inserted) != nil { pendingIndex = nil }
        if let first = deleted.dropLapsed(from: lapsed.deleted, .deleted) {
            propagatedCount = propagatedCount.map { min($0, first) }
            pendingIndex = nil
        }
        lapsed = (.max, .max)
    }

    /// Whether an object may have changes.
    var hasEntries: Bool { !inserted.isEmpty || !updated.isEmpty || !deleted.isEmpty }

    var hasEvent: Bool {
        eventStart < inserted.count || !eventUpdated.isEmpty || eventDeletedStart < deleted.count
            || !eventRefreshed.isEmpty || !eventRevived.isEmpty || !eventForgotten.isEmpty
    }
}

extension ContiguousArray<NSManagedObject> {
    /// Removes the objects behind a position that lack a flag.
    ///
    /// - Returns: Where the first of them was.
    fileprivate mutating func dropLapsed(
        from start: Int, _ flag: ObjectFlags
    ) -> Int? {
        guard let first = dropFirst(start).firstIndex(where: { !$0.flags.contains(flag) }) else {
            return nil
        }
        self[first...].removeAll { !$0.flags.contains(flag) }
        return first
    }
}

extension Set<NSManagedObject> {
    /// The objects of a sequence whose count is known only roughly: a set that grows hashes all
    /// that it has again.
    init(_ objects: some Sequence<NSManagedObject>, ofAtMost count: Int) {
        self.init(minimumCapacity: count)
        for object in objects { insert(object) }
    }
}
