// SPDX-License-Identifier: Apache-2.0

import Schema

/// The source of a child's objects: its parent.
///
/// A child's objects keep copies of what the parent answered, so that the parent's later changes
/// do not show through. The parent is asked on its own queue, and asks its own parent if it has
/// one.
final class ParentSource {
    let parent: NSManagedObjectContext
    // SAFETY: the child owns this object.
    private unowned let child: NSManagedObjectContext
    /// Shared with all contexts down from the same root.
    let lineage: Lineage
    private let reader: Int
    /// The generation of permanent keys that the child has adopted last.
    private(set) var adopted: Int
    /// The permanent keys that were adopted last, for answers that were on their way meanwhile.
    private(set) var recent: [ObjectKey: ObjectKey] = [:]
    /// Whether changes are on their way into the parent, under the keys that the child has now.
    private var isPushing = false

    init(_ parent: NSManagedObjectContext, of child: NSManagedObjectContext) {
        self.parent = parent
        self.child = child
        lineage = parent.source?.lineage ?? parent.requireLineage()
        (reader, adopted) = lineage.join()
    }

    deinit { lineage.leave(reader) }

    /// Whether the root has given permanent keys that are to be adopted.
    ///
    /// Not while changes are on their way: the root may forget what has become of their keys once
    /// all of its descendants have adopted it.
    @inline(__always)
    var isBehind: Bool { lineage.generation != adopted && !isPushing }

    /// The permanent keys given since the last time, by the temporary ones.
    func takePermanentKeys() -> [ObjectKey: ObjectKey] {
        let (keys, generation) = lineage.keys(after: adopted, for: reader)
        adopted = generation
        recent = keys
        return keys
    }
}

extension ParentSource: ObjectSource {
    func values(of key: ObjectKey, _ runtime: EntityRuntime) throws -> InheritedValues? {
        try parent.enterQueue { try parent.valuesForChild(key, runtime) }
    }

    func members(
        of key: ObjectKey, _ relationship: RelationshipRuntime, _ runtime: EntityRuntime
    ) throws -> ContiguousArray<ObjectKey> {
        try parent.enterQueue { try parent.membersForChild(key, relationship, runtime) }
    }

    func matches(_ fetch: SourceFetch) throws -> FoundObjects {
        let wanted = fetch.prepared
        let found = try parent.enterQueue {
            parent.processPendingChanges()
            return try parent.find(wanted, includesPendingChanges: fetch.includesPendingChanges)
                .objects.map { ($0.key, $0.runtime) }
        }
        child.adoptIfNeeded()
        // Or objects of a store that has gone would stand for those of the next one.
        child.noticeRemovalsIfAny()
        return (found.map { child.relative($0, $1) }, nil)
    }

    func count(_ fetch: SourceFetch) throws -> Int {
        let wanted = fetch.prepared
        return try parent.enterQueue {
            parent.processPendingChanges()
            return try parent.countMatches(
                wanted, includesPendingChanges: fetch.includesPendingChanges)
        }
    }

    /// Gives objects that the parent knows the permanent keys that the parent gives them.
    func reserve(_ objects: [NSManagedObject]) throws {
        guard !objects.isEmpty else { return }
        let twins = objects.map { ($0.key, $0.runtime) }
        let keys = try parent.enterQueue {
            let objects = twins.map { parent.relative($0, $1) }
            try parent.obtainPermanentIDs(for: objects)
            return objects.map(\.storedKey)
        }
        for (object, key) in zip(objects, keys) where !key.isTemporary {
            child.reserve(key, for: object)
        }
    }

    /// Moves the changes into the parent, in memory; nothing can fail any more.
    ///
    /// Inserted objects keep their temporary IDs.
    func save(_ group: SavedObjects, locked: [NSManagedObject]) -> SavedObjects {
        let wasPushing = isPushing
        isPushing = true
        defer { isPushing = wasPushing }
        // A merge in between could take away what was found.
        return parent.holdingQueue { push(group) }
    }

    private func push(_ group: SavedObjects) -> SavedObjects {
        let updated = group.updated.map { ($0.key, $0.runtime) }
        // The parent's objects are kept until they are changed, or they would fire anew.
        let (lost, kept) = parent.enterQueue { parent.lostObjects(among: updated) }
        defer { withExtendedLifetime(kept) {} }
        let push = PushedChanges(group, lost: lost)
        // Before the parent announces them: what its observers change here is a new change.
        child.changes = ChangeSet()
        child.saving.attachments.removeAll()
        for object in group.inserted { child.becomeInherited(object) }
        for object in group.updated { child.becomeInherited(object) }
        for object in group.deleted { child.forget(object) }
        parent.enterQueue { CurrentContext.run(parent) { parent.receive(push) } }
        return group
    }
}
