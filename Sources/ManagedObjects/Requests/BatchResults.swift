// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a batch insertion returns.
public enum NSBatchInsertRequestResultType: UInt, Sendable {
    /// A `Bool`: true, as a failure throws.
    case statusOnly = 0
    /// The IDs of the new objects.
    case objectIDs = 1
    /// The number of new objects, as an `Int`.
    case count = 2
}

/// What a batch update returns.
public enum NSBatchUpdateRequestResultType: UInt, Sendable {
    /// A `Bool`: true, as a failure throws.
    case statusOnlyResultType = 0
    /// The IDs of the updated objects.
    case updatedObjectIDsResultType = 1
    /// The number of updated objects, as an `Int`.
    case updatedObjectsCountResultType = 2
}

/// What a batch deletion returns.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
    /// A `Bool`: true, as a failure throws.
    case resultTypeStatusOnly = 0
    /// The IDs of the deleted objects, with those that delete rules took along.
    case resultTypeObjectIDs = 1
    /// The number of deleted objects, as an `Int`.
    case resultTypeCount = 2
}

/// The outcome of a batch insertion.
open class NSBatchInsertResult: NSPersistentStoreResult {
    /// A `Bool`, an `Int` or `[NSManagedObjectID]`, as ``resultType`` says.
    public let result: Any?
    /// What ``result`` is.
    public let resultType: NSBatchInsertRequestResultType

    init(_ result: Any, _ type: NSBatchInsertRequestResultType) {
        self.result = result
        resultType = type
        super.init()
    }
}

/// The outcome of a batch update.
open class NSBatchUpdateResult: NSPersistentStoreResult {
    /// A `Bool`, an `Int` or `[NSManagedObjectID]`, as ``resultType`` says.
    public let result: Any?
    /// What ``result`` is.
    public let resultType: NSBatchUpdateRequestResultType

    init(_ result: Any, _ type: NSBatchUpdateRequestResultType) {
        self.result = result
        resultType = type
        super.init()
    }
}

/// The outcome of a batch deletion.
open class NSBatchDeleteResult: NSPersistentStoreResult {
    /// A `Bool`, an `Int` or `[NSManagedObjectID]`, as ``resultType`` says.
    public let result: Any?
    /// What ``result`` is.
    public let resultType: NSBatchDeleteRequestResultType

    init(_ result: Any, _ type: NSBatchDeleteRequestResultType) {
        self.result = result
        resultType = type
        super.init()
    }
}
