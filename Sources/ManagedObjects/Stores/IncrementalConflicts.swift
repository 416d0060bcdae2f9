// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema

/// The conflicts of a save into an incremental store: objects that another context of the
/// coordinator saved since this one read them.
///
/// The store itself has to find changes that were not made through the coordinator.
struct IncrementalConflicts {
    private let context: NSManagedObjectContext
    private let further: FurtherStore
    private let currentVersion: (NSManagedObject) throws -> UInt64?

    init(
        _ context: NSManagedObjectContext, _ further: FurtherStore,
        currentVersion: @escaping (NSManagedObject) throws -> UInt64?
    ) {
        self.context = context
        self.further = further
        self.currentVersion = currentVersion
    }

    /// What is left to save once the merge policy has decided, or an error.
    func resolve(_ group: SavedObjects) throws -> SavedObjects {
        let conflicts = try conflicts(Array(group.updated) + Array(group.deleted))
        guard !conflicts.isEmpty else { return group }
        let policy = context.mergePolicy as? NSMergePolicy ?? .error
        guard policy.mergeType != .errorMergePolicyType else {
            throw ConflictError.make(.managedObjectMerge, conflicts)
        }
        var dropped: Set<NSManagedObject> = []
        for conflict in conflicts where !settle(conflict, policy.mergeType) {
            dropped.insert(conflict.sourceObject)
        }
        var rest = group
        rest.updated.removeAll { dropped.contains($0) }
        rest.deleted.removeAll { dropped.contains($0) }
        return rest
    }

    private func conflicts(_ objects: [NSManagedObject]) throws -> [NSMergeConflict] {
        let me = ObjectIdentifier(context)
        let savers = further.lastSavers.withLock { $0 }
        let others = objects.filter { object in savers[object.key].map { $0 != me } ?? false }
        return try others.compactMap { object in
            guard let base = object.extras?.ownedRecord?.view else { return nil }
            let current = try currentVersion(object)
            if let current, UInt32(truncatingIfNeeded: current) == base.version { return nil }
            return NSMergeConflict(
                source: object, newVersion: current.map { Int(truncatingIfNeeded: $0) } ?? 0,
                oldVersion: Int(base.version),
                cachedSnapshot: object.snapshot(object.storedValue), persistedSnapshot: nil)
        }
    }

    /// Decides about one object; false if it is not to be saved.
    private func settle(_ conflict: NSMergeConflict, _ type: NSMergePolicyType) -> Bool {
        let object = conflict.sourceObject
        let objectWins =
            type == .overwriteMergePolicyType || type == .mergeByPropertyObjectTrumpMergePolicyType
        if conflict.newVersionNumber == 0 {
            // A store cannot be asked to insert under a name that it has given up.
            let isDeleted = object.flags.contains(.deleted)
            if !isDeleted { context.forget(object) }
            return isDeleted
        }
        if object.flags.contains(.deleted) {
            if !objectWins { context.discardChanges(of: object) }
            return objectWins
        }
        guard type != .rollbackMergePolicyType else {
            context.discardChanges(of: object)
            context.turnIntoFault(object)
            return false
        }
        let base = object.runtime.layout.fields.indices.map { object.storedValue($0) }
        let draft = object.requireDraft()
        if type == .overwriteMergePolicyType {
            for position in base.indices { draft[position] = draft[position] ?? base[position] }
        }
        context.takeNewValues(of: object)
        guard type == .mergeByPropertyStoreTrumpMergePolicyType else { return true }
        // What the object was told of its new values may have fetched.
        object.noteUnindexed()
        for position in base.indices where object.storedValue(position) != base[position] {
            draft[position] = nil
        }
        return true
    }
}
