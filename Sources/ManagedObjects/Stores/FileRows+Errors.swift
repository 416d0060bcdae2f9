// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Errors of a further file's context in the program's words.
extension FileRows {
    /// An error with the objects that the program knows.
    final func outerError(_ error: any Error) -> any Error {
        guard let error = error as? CocoaError else { return error }
        var info = error.userInfo
        if let conflicts = info[NSPersistentStoreSaveConflictsErrorKey] as? [NSObject] {
            info[NSPersistentStoreSaveConflictsErrorKey] = conflicts.map(outerConflict)
        }
        if let objects = info[NSAffectedObjectsErrorKey] as? [NSManagedObject] {
            info[NSAffectedObjectsErrorKey] = objects.map { outerObject($0) ?? $0 }
        }
        if let object = info[NSValidationObjectErrorKey] as? NSManagedObject {
            info[NSValidationObjectErrorKey] = outerObject(object) ?? object
        }
        return CocoaError(error.code, userInfo: info)
    }

    private func outerObject(_ twin: NSManagedObject) -> NSManagedObject? {
        keys.outer(twin.key).flatMap { context.known($0) }
    }

    private func outerConflict(_ conflict: NSObject) -> NSObject {
        guard let conflict = conflict as? NSMergeConflict,
            let object = outerObject(conflict.sourceObject)
        else { return conflict }
        return NSMergeConflict(
            source: object, newVersion: conflict.newVersionNumber,
            oldVersion: conflict.oldVersionNumber, cachedSnapshot: conflict.cachedSnapshot,
            persistedSnapshot: conflict.persistedSnapshot)
    }
}
