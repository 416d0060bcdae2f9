// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema

/// Batches that become objects, and what happens when the store refuses them.
extension BulkLoader {
    /// How often a batch is written anew because others keep saving the same objects.
    private static let conflictLimit = 16

    /// Writes a batch in one save.
    ///
    /// What others have saved meanwhile is met by another attempt, which looks everything up again.
    /// Rows whose objects the save refuses are rejected, and the others are written without them.
    func write(_ batch: [PendingRow], _ table: TableIndex, _ phase: LoadStep.Phase) throws {
        var batch = batch
        let reportBefore = report
        var conflicts = 0
        while true {
            tables[table].beginBatch()
            let objects = try load(batch, table, phase)
            do {
                if context.hasChanges { try context.save() }
                if case .entity(let entity) = plan.tables[table].target, phase == .objects {
                    keepIDs(of: objects, table, entity)
                }
                return
            } catch {
                let isConflict = error.isConflict
                if isConflict { conflicts += 1 }
                // A row is to blame only for what another look at the store does not change.
                let refused = isConflict && conflicts == 1 ? [:] : refusals(error, objects)
                guard !refused.isEmpty || isConflict && conflicts < Self.conflictLimit else {
                    throw error
                }
                let name = plan.tables[table].name
                for (row, reason) in refused {
                    batch[row].rejection = rejection(batch[row], name, reason)
                }
                context.reset()
                tables[table].takeBackBatch()
                report = reportBefore
            }
        }
    }

    private func load(
        _ batch: [PendingRow], _ table: TableIndex, _ phase: LoadStep.Phase
    ) throws -> [NSManagedObject?] {
        switch (plan.tables[table].target, phase) {
        case (.ignored, _): break
        case (.entity(let entity), .objects): return try loadObjects(batch, table, entity)
        case (.entity(let entity), .references): try loadReferences(batch, table, entity)
        case (.links(let link), _): try loadLinks(batch, link)
        }
        return []
    }

    /// Why the save has refused the objects of rows, by their places in the batch.
    private func refusals(_ error: any Error, _ objects: [NSManagedObject?]) -> [Int: String] {
        var reasons: [Int: String] = [:]
        guard let conflicts = (error as? CocoaError)?.persistentStoreSaveConflicts else {
            for (row, object) in objects.enumerated() {
                guard let object, let problem = problem(of: object) else { continue }
                reasons[row] = (problem as? CocoaError)?.message ?? "\(problem)"
            }
            return reasons
        }
        for case let conflict as NSConstraintConflict in conflicts {
            let members = Set(conflict.conflictingObjects.map(ObjectIdentifier.init))
            let rows = objects.indices.filter { row in
                objects[row].map { members.contains(ObjectIdentifier($0)) } ?? false
            }
            // Of rows that only collide with each other the first one stays.
            for row in conflict.databaseObject == nil ? rows.dropFirst() : rows[...] {
                reasons[row] = RejectionReason.taken(conflict)
            }
        }
        return reasons
    }

    /// What the object's validation throws.
    private func problem(of object: NSManagedObject) -> (any Error)? {
        guard object.hasChanges else { return nil }
        do {
            try object.isInserted ? object.validateForInsert() : object.validateForUpdate()
            return nil
        } catch {
            return error
        }
    }
}

extension Error {
    /// Whether a save met what others have saved, or a value that must not come twice.
    fileprivate var isConflict: Bool {
        let code = (self as? CocoaError)?.code
        return code == .managedObjectMerge || code == .managedObjectConstraintMerge
    }
}
