// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What a request to the history returns, with Core Data's raw values.
public enum NSPersistentHistoryResultType: Int, Sendable {
    /// A `Bool`: true, as a failure throws.
    case statusOnly = 0
    /// The IDs of the changed objects, each once, as `[NSManagedObjectID]`; where the request
    /// fetches changes of components, those of the game objects.
    case objectIDs = 1
    /// An `Int`: the number of transactions, or of changes where the request fetches changes.
    case count = 2
    /// Transactions without their changes, as `[NSPersistentHistoryTransaction]`.
    case transactionsOnly = 3
    /// Changes, as `[NSPersistentHistoryChange]`; where the request fetches those of components, as
    /// `[NSPersistentHistoryComponentChange]`.
    case changesOnly = 4
    /// Transactions with their changes, as `[NSPersistentHistoryTransaction]`.
    case transactionsAndChanges = 5
}

/// The outcome of a request to the history.
public final class NSPersistentHistoryResult: NSPersistentStoreResult {
    /// What ``resultType`` says.
    public let result: Any?
    /// What ``result`` is.
    public let resultType: NSPersistentHistoryResultType

    init(_ result: Any, _ type: NSPersistentHistoryResultType) {
        self.result = result
        resultType = type
        super.init()
    }
}
