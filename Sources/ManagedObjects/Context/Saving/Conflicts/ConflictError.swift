// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Makes the errors of saves with unresolved conflicts.
enum ConflictError {
    /// An error that lists the conflicts and their objects.
    static func make(_ code: CocoaError.Code, _ conflicts: [NSObject]) -> CocoaError {
        let first = conflicts.first.map { "\($0)" } ?? "none"
        let count = conflicts.count == 1 ? "a conflict" : "\(conflicts.count) conflicts, the first"
        let advice =
            code == .managedObjectConstraintMerge
            ? "change the values" : "refresh the objects and save again"
        let objects = conflicts.flatMap { conflict in
            switch conflict {
            case let conflict as NSMergeConflict: [conflict.sourceObject]
            case let conflict as NSConstraintConflict: conflict.conflictingObjects
            default: []
            }
        }
        return CoreDataError.make(
            code, "the save has \(count): \(first); \(advice), or choose another merge policy",
            [
                NSPersistentStoreSaveConflictsErrorKey: conflicts,
                NSAffectedObjectsErrorKey: objects,
            ])
    }
}
