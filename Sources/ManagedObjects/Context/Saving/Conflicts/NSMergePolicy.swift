// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema

/// The kinds of merge policy.
public enum NSMergePolicyType: UInt, Sendable {
    /// A conflict fails the save.
    case errorMergePolicyType = 0
    /// Property by property; the store wins where both sides changed one.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Property by property; the object wins where both sides changed one.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// The object's values replace the store's.
    case overwriteMergePolicyType = 3
    /// The object's changes are dropped.
    case rollbackMergePolicyType = 4
}

/// How a save resolves conflicts with what others saved in between.
///
/// ```swift
/// context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
/// try context.save()  // what was changed here stands; the rest comes from the store
/// ```
///
/// | policy | changed on both sides | changed in the store only | deleted elsewhere |
/// |---|---|---|---|
/// | ``error`` | 133020 | 133020 | 133020 |
/// | ``mergeByPropertyStoreTrump`` | the store's value | the store's value | the object goes too |
/// | ``mergeByPropertyObjectTrump`` | the object's value | the store's value | written anew |
/// | ``overwrite`` | the object's value | the object's value | written anew |
/// | ``rollback`` | the store's value | the store's value | the object goes too |
///
/// Changes made only in the object are kept, except by ``rollback``, which drops all of the
/// object's changes. To-many relationships are merged as additions and removals. If the context
/// deleted an object that was changed elsewhere, ``mergeByPropertyObjectTrump`` and ``overwrite``
/// keep the deletion, and the other two take it back. An object deleted on both sides is no
/// conflict: the save goes on.
///
/// *Subclasses* override ``resolve(optimisticLockingConflicts:)`` and
/// ``resolve(constraintConflicts:)``, call super, and adjust the objects; the save throws what they
/// throw. An object that a subclass leaves unchanged overwrites the stored one. After super has
/// resolved a collision of a new object with a stored one, set values on the
/// ``NSConstraintConflict/databaseObject``: it is what is saved, and the new one is dropped.
// SAFETY: it has no state but its immutable kind. A subclass answers for its own.
open class NSMergePolicy: NSObject, @unchecked Sendable {
    /// What the policy does unless a subclass changes it.
    public let mergeType: NSMergePolicyType

    /// Makes a policy of a kind.
    public init(merge ty: NSMergePolicyType) {
        mergeType = ty
        super.init()
    }

    /// A conflict fails the save.
    public class var error: NSMergePolicy { Shared.error }
    /// Objects go back to what is stored.
    public class var rollback: NSMergePolicy { Shared.rollback }
    /// Objects replace what is stored.
    public class var overwrite: NSMergePolicy { Shared.overwrite }
    /// Property by property; the object wins.
    public class var mergeByPropertyObjectTrump: NSMergePolicy { Shared.objectTrump }
    /// Property by property; the store wins.
    public class var mergeByPropertyStoreTrump: NSMergePolicy { Shared.storeTrump }

    private enum Shared {
        static let error = NSMergePolicy(merge: .errorMergePolicyType)
        static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)
        static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
        static let objectTrump = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        static let storeTrump = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
    }

    /// Resolves the conflicts of a save: those of versions first, then those of constraints.
    ///
    /// - Parameter list: ``NSMergeConflict``s and ``NSConstraintConflict``s.
    open func resolve(mergeConflicts list: [Any]) throws {
        let versions = list.compactMap { $0 as? NSMergeConflict }
        if !versions.isEmpty { try resolve(optimisticLockingConflicts: versions) }
        let constraints = list.compactMap { $0 as? NSConstraintConflict }
        if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
    }

    /// Resolves conflicts with objects that another context or process changed or deleted.
    ///
    /// - Throws: 133020 with the list under `NSPersistentStoreSaveConflictsErrorKey` if the kind is
    ///   the error policy.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        guard mergeType != .errorMergePolicyType else {
            throw ConflictError.make(.managedObjectMerge, list)
        }
        VersionMerge.apply(mergeType, to: list)
    }

    /// Resolves collisions of uniqueness constraints.
    ///
    /// Under ``mergeByPropertyStoreTrump`` and ``rollback`` the stored object stays as it is, new
    /// duplicates are discarded, and changed objects get their stored values back: the constrained
    /// ones, or all with ``rollback``. Under ``overwrite`` the stored object takes all values of
    /// the new one, under ``mergeByPropertyObjectTrump`` those that are not the model's defaults;
    /// where a saved object was changed to the values of another one, that other one is deleted.
    ///
    /// The row of the stored object survives, so references to it stay valid. In this context,
    /// references to the removed object are redirected to the survivor, which also gets the members
    /// of its to-many relationships. If the context did not know the stored object before the save,
    /// the new instance becomes that object once the policy has returned; otherwise the new
    /// instance leaves the context.
    ///
    /// - Throws: 133021 with the list under `NSPersistentStoreSaveConflictsErrorKey` if the kind is
    ///   the error policy.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        guard mergeType != .errorMergePolicyType else {
            throw ConflictError.make(.managedObjectConstraintMerge, list)
        }
        var replacements: [ObjectKey: ObjectKey?] = [:]
        var context: NSManagedObjectContext?
        for conflict in list {
            guard var merge = ConstraintMerge(conflict) else { continue }
            context = merge.context
            merge.apply(mergeType)
            replacements.merge(merge.replacements) { _, new in new }
        }
        guard !replacements.isEmpty else { return }
        context?.replacePointers(replacements)
    }
}

/// A conflict fails the save; the policy of every new context.
public let NSErrorMergePolicy: any Sendable & AnyObject = NSMergePolicy.error
/// Property by property; the store wins.
public let NSMergeByPropertyStoreTrumpMergePolicy: any Sendable & AnyObject =
    NSMergePolicy.mergeByPropertyStoreTrump
/// Property by property; the object wins.
public let NSMergeByPropertyObjectTrumpMergePolicy: any Sendable & AnyObject =
    NSMergePolicy.mergeByPropertyObjectTrump
/// Objects replace what is stored.
public let NSOverwriteMergePolicy: any Sendable & AnyObject = NSMergePolicy.overwrite
/// Objects go back to what is stored.
public let NSRollbackMergePolicy: any Sendable & AnyObject = NSMergePolicy.rollback
