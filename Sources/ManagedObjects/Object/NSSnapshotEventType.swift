// SPDX-License-Identifier: Apache-2.0

/// Why the values of an object were replaced, for ``NSManagedObject/awake(fromSnapshotEvents:)``.
public struct NSSnapshotEventType: OptionSet, Sendable {
    /// Core Data's number.
    public let rawValue: UInt

    /// Makes a set of reasons from Core Data's numbers.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The insertion of the object was undone.
    public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
    /// The deletion of the object was undone, or its insertion redone.
    public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
    /// Changes of the object were undone or redone.
    public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
    /// The context was rolled back.
    public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
    /// The object was refreshed and kept its unsaved changes.
    public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
    /// A merge policy has replaced values during a save.
    public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}
