// SPDX-License-Identifier: Apache-2.0

import Foundation

/// Objects of a save with the same values of a uniqueness constraint.
///
/// Snapshots have the form of those of ``NSMergeConflict``.
open class NSConstraintConflict: NSObject {
    /// The names of the constrained properties.
    public let constraint: [String]
    /// The values that collide, by name.
    public let constraintValues: [String: Any]
    /// The stored object that has the values; nil when only new values of this context collide.
    ///
    /// Until a policy has returned, it is the object that will be saved if it survives.
    public let databaseObject: NSManagedObject?
    /// The values of ``databaseObject`` in the store.
    public let databaseSnapshot: [String: Any]?
    /// The inserted and updated objects that collide.
    public let conflictingObjects: [NSManagedObject]
    /// The values of ``conflictingObjects``.
    public let conflictingSnapshots: [[AnyHashable: Any]]
    /// Whether the context knew ``databaseObject`` before the save.
    final var knewDatabaseObject = true
    /// The new instance that takes the place of ``databaseObject`` once the policy has returned.
    final var heir: NSManagedObject?

    /// Makes a conflict.
    public init(
        constraint: [String], database: NSManagedObject?, databaseSnapshot: [AnyHashable: Any]?,
        conflicting: [NSManagedObject], conflictingSnapshots: [Any]
    ) {
        self.constraint = constraint
        databaseObject = database
        var snapshot: [String: Any] = [:]
        for (key, value) in databaseSnapshot ?? [:] { snapshot["\(key)"] = value }
        self.databaseSnapshot = databaseSnapshot == nil ? nil : snapshot
        conflictingObjects = conflicting
        self.conflictingSnapshots = conflictingSnapshots.map { $0 as? [AnyHashable: Any] ?? [:] }
        var values: [String: Any] = [:]
        for name in constraint {
            values[name] = self.conflictingSnapshots.first?[name] ?? snapshot[name]
        }
        constraintValues = values
        super.init()
    }

    /// A conflict that nobody looks at but policies which ask the objects for their values.
    init(withoutValues constraint: [String], _ database: NSManagedObject?, _ new: [NSManagedObject])
    {
        self.constraint = constraint
        databaseObject = database
        conflictingObjects = new
        (databaseSnapshot, conflictingSnapshots, constraintValues) = (nil, [], [:])
        super.init()
    }

    /// The constraint, the values and the objects.
    open override var description: String {
        let values = constraint.map { "\($0) = \(constraintValues[$0] ?? NSNull())" }
        let objects = ([databaseObject].compactMap { $0 } + conflictingObjects).map {
            "\($0.runtime.entity.name) \($0.objectID.uriRepresentation())"
        }
        return "\(Self.self) (\(values.joined(separator: ", "))): "
            + objects.joined(separator: ", ")
    }
}
