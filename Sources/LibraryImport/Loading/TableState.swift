// SPDX-License-Identifier: Apache-2.0

import ManagedObjects

/// What the loader knows of one table between batches.
struct TableState {
    /// How to distinguish a key of an earlier batch from one that the store had before.
    enum Duplicates {
        /// The survey found none.
        case none
        /// The entity had no objects, so each that is found came in an earlier batch.
        case found
        /// The keys so far, in an entity with objects, where keys repeat or are too many to
        /// survey.
        case tracked(Set<LookupKey>)
    }

    var pending: [PendingRow] = []
    /// Takes the rows in place of `pending`, where they need not become objects.
    var rows: RowLoader?
    /// The rows seen in the current phase.
    var rowCount = 0
    var duplicates = Duplicates.none
    /// Whether an object of a row may exist before its batch.
    var mayExist = true
    /// The outcome of each row, if the references phase needs it.
    var statuses: [RowStatus] = []
    /// The objects of the rows, if the references phase cannot find them by key.
    var objectIDs: [NSManagedObjectID?] = []
    /// How many objects without a key had the values of a digest and were not met yet.
    var digests: [Int: Int] = [:]

    /// Whether the batch has any rows.
    var hasRows: Bool { rows.map { $0.count > 0 } ?? !pending.isEmpty }
}
