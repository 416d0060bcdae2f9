// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store

/// The conflicts of one save: finds out what they are about and asks the merge policy.
final class ConflictResolution {
    private let context: NSManagedObjectContext
    private let target: SaveTarget
    /// The last known versions of objects that are to be written anew.
    private(set) var recreated: [ObjectKey: UInt32] = [:]
    private var rounds = 0
    private var lastCollisions: Set<CollisionGroups.Identity> = []

    /// Others may commit again between two attempts; after this many rounds the save gives up.
    private static let roundLimit = 16

    init(_ context: NSManagedObjectContext, _ target: SaveTarget) {
        self.context = context
        self.target = target
    }

    // Any: the type allows values of other classes, but the setter refuses them.
    private var policy: NSMergePolicy { context.mergePolicy as? NSMergePolicy ?? .error }

    /// Resolves conflicts with changed and deleted objects, or throws.
    func resolve(_ objects: ContiguousArray<NSManagedObject>) throws {
        try context.moveForMerge()
        context.changeFormer(objects.filter(\.isInserted))
        try context.holdingSnapshot {
            let conflicts = versionConflicts(objects)
            try countRound(conflicts)
            try policy.resolve(mergeConflicts: conflicts)
            for conflict in conflicts {
                VersionMerge(conflict)?.settle()
                // Not any more, where others have written it anew since the last round.
                recreated[conflict.sourceObject.key] =
                    conflict.wantsRecreation
                    ? UInt32(truncatingIfNeeded: conflict.oldVersionNumber) : nil
            }
            repairInverses()
        }
    }

    /// Makes both sides of relationships agree after the policy has run.
    private func repairInverses() {
        var repair = InverseRepair(context, target.tag, recreated: Set(recreated.keys))
        repair.run()
    }

    private func countRound(_ conflicts: [NSObject]) throws {
        rounds += 1
        if rounds > ConflictResolution.roundLimit {
            throw ConflictError.make(.persistentStoreSaveConflicts, conflicts)
        }
    }

    /// Whether anything reads the values that conflicts carry.
    ///
    /// A program's own policy does, or who catches an error that lists them; the other policies
    /// look at the objects themselves.
    private var showsValues: Bool {
        let policy = policy
        return type(of: policy) != NSMergePolicy.self || policy.mergeType == .errorMergePolicyType
            || rounds >= ConflictResolution.roundLimit
    }

    private func versionConflicts(
        _ objects: ContiguousArray<NSManagedObject>
    ) -> [NSMergeConflict] {
        guard showsValues else {
            return objects.map { object in
                NSMergeConflict(
                    withoutValues: object, newVersion: version(context.newestRecord(of: object)),
                    oldVersion: knownVersion(of: object))
            }
        }
        let own =
            target.changeLog?.ownChanges(
                of: Set(objects.map { target.inner($0.key) }),
                through: target.snapshot?.transactionID ?? 0) ?? []
        return objects.map { object in
            let newest = context.newestRecord(of: object)
            let stored = newest.map { record in
                object.snapshot { object.value($0, in: record) }
            }
            let isOwn = own.contains(target.inner(object.key))
            return NSMergeConflict(
                source: object, newVersion: version(newest), oldVersion: knownVersion(of: object),
                cachedSnapshot: isOwn ? stored : object.snapshot(object.storedValue),
                persistedSnapshot: isOwn ? nil : stored)
        }
    }

    /// The version of a record; 0 of one that is gone.
    private func version(_ record: RecordView?) -> Int { record.map { Int($0.version) } ?? 0 }

    /// The version of the record that an object's changes are on top of.
    private func knownVersion(of object: NSManagedObject) -> Int {
        let base = object.lacksBase ? nil : object.currentRecord()
        return Int(base?.version ?? object.extras?.formerVersion ?? 0)
    }

    /// Deletes one of two objects that claim the same entry, or throws.
    func resolve(_ displaced: DisplacedEntry) throws {
        try context.moveForMerge()
        try countRound([])
        guard let object = context.registry[displaced.key] else { return }
        switch policy.mergeType {
        case .errorMergePolicyType:
            let holder = context.objectID(for: displaced.holder)?.uriRepresentation()
            throw CoreDataError.make(
                .managedObjectMerge,
                "\(object.objectID) claims an entry that another commit has meanwhile saved for "
                    + "\(holder?.absoluteString ?? "another object"); refresh and save again, or "
                    + "choose another merge policy",
                [NSAffectedObjectsErrorKey: [object]])
        case .mergeByPropertyStoreTrumpMergePolicyType, .rollbackMergePolicyType:
            context.delete(object)
        case .mergeByPropertyObjectTrumpMergePolicyType, .overwriteMergePolicyType:
            guard let holder = context.object(for: displaced.holder) else { return }
            context.delete(holder)
        }
    }

    /// Resolves collisions of uniqueness constraints, or throws.
    func resolve(_ collisions: [UniquenessCollision], _ writer: SaveWriter) throws {
        try context.moveForMerge()
        let groups = CollisionGroups(collisions, writer)
        // A policy that returns without having changed anything has not resolved anything.
        guard groups.identities != lastCollisions else {
            let conflicts = groups.conflicts(showingValues: true)
            throw ConflictError.make(.managedObjectConstraintMerge, conflicts)
        }
        let conflicts = groups.conflicts(showingValues: showsValues)
        lastCollisions = groups.identities
        try countRound(conflicts)
        try resolve(conflicts)
        context.holdingSnapshot { repairInverses() }
    }

    /// Has the policy resolve collisions; new instances take their places also where it throws.
    private func resolve(_ conflicts: [NSConstraintConflict]) throws {
        defer { context.replaceByHeirs(conflicts) }
        try policy.resolve(mergeConflicts: conflicts)
    }
}
