// SPDX-License-Identifier: Apache-2.0

import Foundation

/// What one event did to the results of a controller, in a form that may go to other tasks.
public struct FetchedResultsChange: Sendable {
    /// A section that came or went.
    public struct Section: Sendable, Equatable {
        /// Its name.
        public let name: String
        /// Its index: after the event for an insertion, before it for a deletion.
        public let index: Int
        /// `insert` or `delete`.
        public let type: NSFetchedResultsChangeType
    }

    /// An object that came, went, moved or changed.
    public struct Object: Sendable, Equatable {
        /// Its ID at the event; temporary before the first save.
        public let objectID: NSManagedObjectID
        /// What happened.
        public let type: NSFetchedResultsChangeType
        /// Where it was before the event; nil for an insertion.
        public let indexPath: IndexPath?
        /// Where it is after the event; nil for a deletion and an update.
        public let newIndexPath: IndexPath?
    }

    /// The sections that came or went.
    public let sections: [Section]
    /// The objects that came, went, moved or changed.
    public let objects: [Object]
    /// Whether the controller fetched anew: everything may differ, and the lists are empty.
    public let isFetch: Bool
    /// How many changes before this one were dropped, because the reader was too far behind.
    public internal(set) var missedCount = 0
}

/// The changes of a controller's results as they happen, as an asynchronous sequence.
///
/// It ends with the controller. A reader that falls behind by more than the buffer holds misses the
/// changes after that; ``FetchedResultsChange/missedCount`` of the next change says how many. Each
/// sequence has one reader.
public struct FetchedResultsChanges: AsyncSequence, Sendable {
    private let stream: AsyncStream<FetchedResultsChange>

    init(_ stream: AsyncStream<FetchedResultsChange>) { self.stream = stream }

    /// Reads the changes in order.
    public func makeAsyncIterator() -> AsyncStream<FetchedResultsChange>.Iterator {
        stream.makeAsyncIterator()
    }
}

extension FetchedResultsChange: MissedCounting {}
