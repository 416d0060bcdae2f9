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
    private(set) var digests: [Int: Int] = [:]
    /// What the current batch has added, to be taken back if it is written again.
    private var newKeys: [LookupKey] = []
    private var metDigests: [Int] = []
    private var countsBefore = (statuses: 0, objectIDs: 0)

    /// Whether the batch has any rows.
    var hasRows: Bool { rows.map { $0.count > 0 } ?? !pending.isEmpty }

    /// Whether there were objects without a key before, by the digests of their values.
    mutating func expect(_ digests: [Int: Int]) { self.digests = digests }

    /// Takes an object of a digest that was not met yet; false if there is none.
    mutating func take(digest: Int) -> Bool {
        guard let count = digests[digest], count > 0 else { return false }
        digests[digest] = count - 1
        metDigests.append(digest)
        return true
    }

    /// Remembers a key, if those of the table are to be remembered.
    mutating func track(_ key: LookupKey) {
        changeKeys { keys, newKeys in
            if keys.insert(key).inserted { newKeys.append(key) }
        }
    }

    /// Changes the keys of the table that are remembered, if they are.
    private mutating func changeKeys(
        _ body: (inout Set<LookupKey>, inout [LookupKey]) -> Void
    ) {
        guard case .tracked(var keys) = duplicates else { return }
        // Out of the enumeration while it changes, so that it is not copied.
        duplicates = .none
        body(&keys, &newKeys)
        duplicates = .tracked(keys)
    }

    /// Begins to note what a batch adds.
    mutating func beginBatch() {
        newKeys.removeAll(keepingCapacity: true)
        metDigests.removeAll(keepingCapacity: true)
        countsBefore = (statuses.count, objectIDs.count)
    }

    /// Makes everything as it was when the batch began.
    mutating func takeBackBatch() {
        statuses.removeLast(statuses.count - countsBefore.statuses)
        objectIDs.removeLast(objectIDs.count - countsBefore.objectIDs)
        for digest in metDigests { digests[digest, default: 0] += 1 }
        changeKeys { keys, newKeys in keys.subtract(newKeys) }
    }
}
