// SPDX-License-Identifier: Apache-2.0

import Foundation

/// An object of a save that another commit changed or deleted since its context read it.
///
/// Snapshots hold attributes, and object IDs for to-one relationships, with `NSNull` for nil; never
/// to-many relationships. Two levels of conflict exist. If the other commit was made through the
/// same coordinator, ``cachedSnapshot`` holds its values and ``persistedSnapshot`` is nil. If it
/// was made by another process, ``persistedSnapshot`` holds its values, and ``cachedSnapshot``
/// those that this process knew last.
open class NSMergeConflict: NSObject {
    /// The object that cannot be saved as it is.
    public let sourceObject: NSManagedObject
    /// The object's values in its context.
    public let objectSnapshot: [String: Any]?
    /// The values that the coordinator knows; nil when it knows that the object was deleted.
    public let cachedSnapshot: [String: Any]?
    /// The values in the file, if another process wrote them.
    public let persistedSnapshot: [String: Any]?
    /// The version that is stored; 0 when the object was deleted.
    public let newVersionNumber: Int
    /// The version that the context read.
    public let oldVersionNumber: Int
    /// Whether the object's record, which is gone, is to be written anew.
    final var wantsRecreation = false

    /// Makes a conflict, with the object's present values as ``objectSnapshot``.
    public init(
        source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
        cachedSnapshot cachesnap: [String: Any]?, persistedSnapshot persnap: [String: Any]?
    ) {
        sourceObject = srcObject
        objectSnapshot = srcObject.snapshot { srcObject.knownValue($0) }
        cachedSnapshot = cachesnap
        persistedSnapshot = persnap
        newVersionNumber = newvers
        oldVersionNumber = oldvers
        super.init()
    }

    /// A conflict that nobody looks at but policies which ask the object for its values.
    init(withoutValues object: NSManagedObject, newVersion: Int, oldVersion: Int) {
        sourceObject = object
        (objectSnapshot, cachedSnapshot, persistedSnapshot) = (nil, nil, nil)
        newVersionNumber = newVersion
        oldVersionNumber = oldVersion
        super.init()
    }

    /// The object, its ID and the versions.
    open override var description: String {
        let new = newVersionNumber == 0 ? "deleted" : "\(newVersionNumber)"
        return "\(Self.self) of \(sourceObject.runtime.entity.name) "
            + "\(sourceObject.objectID.uriRepresentation()): version \(oldVersionNumber) was read, "
            + "the store has \(newVersionNumber == 0 ? "it \(new)" : "version \(new)")"
    }
}
