// SPDX-License-Identifier: Apache-2.0

import Schema

/// Saves that are merged in another order than they were committed.
extension NSManagedObjectContext {
    /// The changes of a save as they are in the newest state by now.
    ///
    /// Threads that save at the same time tell of it in any order, notifications may wait, and a
    /// save of this context may have come in between. So what the save has deleted may have been
    /// written anew since, and what it has written may be gone.
    final func asStored(_ changes: SavedChanges) -> SavedChanges {
        var result = SavedChanges()
        for key in changes.inserted {
            if isObserved, isThere(key) == false {
                result.deleted.append(key)
            } else if isReadAlready(key) {
                result.updated.append(key)
            } else {
                result.inserted.append(key)
            }
        }
        for key in changes.updated {
            // A changed object is left to the merge of the deletion, or to the merge policy.
            if concerns(key), known(key)?.hasChanges != true, isThere(key) == false {
                result.deleted.append(key)
            } else {
                result.updated.append(key)
            }
        }
        for key in changes.deleted {
            if concerns(key), isThere(key) == true {
                result.updated.append(key)
            } else {
                result.deleted.append(key)
            }
        }
        return result
    }

    /// Whether a context has values of a new object that may be other ones by now.
    ///
    /// A child may have read it before the save of its parent. A batch insertion names as inserted
    /// what it has updated by a uniqueness constraint, too.
    private final func isReadAlready(_ key: ObjectKey) -> Bool {
        guard let object = known(key), !object.isFault, !object.isInserted else { return false }
        return source != nil || isOutdated(object)
    }

    /// Whether a merge does anything about an object.
    private final func concerns(_ key: ObjectKey) -> Bool {
        known(key).map { !$0.isInserted } ?? isObserved
    }

    /// Whether what lies beneath has an object; `nil` where it is not known, or a service would
    /// have to be asked.
    final func isThere(_ key: ObjectKey) -> Bool? {
        guard !key.isTemporary, let runtime = runtime(of: key) else { return nil }
        do {
            if let source { return try source.values(of: key, runtime) != nil }
            guard key.isElsewhere else {
                return try CoreDataError.mapping { try requireSnapshot().record(for: key) != nil }
            }
            return try (rows(key.tag) as? FileRows).map { try $0.values(of: key, runtime) != nil }
        } catch {
            lastReadError = error
            return nil
        }
    }
}
