// SPDX-License-Identifier: Apache-2.0

import Foundation

/// One thing that happened to the objects of a context, by their IDs.
public struct NSManagedObjectContextChange: Sendable {
    /// What happened.
    public enum Kind: Sendable {
        /// Changes were processed, before any save.
        case changed
        /// The context saved.
        case saved
        /// The context merged what others saved.
        case merged
        /// The context forgot all its objects.
        case reset
    }

    /// What happened.
    public let kind: Kind
    /// The inserted objects; of a merge, all that the save inserted.
    public var inserted: Set<NSManagedObjectID> = []
    /// The updated objects.
    public var updated: Set<NSManagedObjectID> = []
    /// The deleted objects.
    public var deleted: Set<NSManagedObjectID> = []
    /// The realised objects that took new values from below.
    public var refreshed: Set<NSManagedObjectID> = []
    /// How many changes before this one were dropped, because the reader was too far behind.
    public var missedCount = 0
}

/// The changes of a context as they happen, as an asynchronous sequence.
///
/// It begins when it is made and ends with its context. A reader that falls behind by more than the
/// buffer holds misses the changes after that; ``NSManagedObjectContextChange/missedCount`` of the
/// next change says how many. Each sequence has one reader.
public struct NSManagedObjectContextChanges: AsyncSequence, Sendable {
    private let stream: AsyncStream<NSManagedObjectContextChange>

    init(_ stream: AsyncStream<NSManagedObjectContextChange>) { self.stream = stream }

    /// Reads the changes in order.
    public func makeAsyncIterator() -> AsyncStream<NSManagedObjectContextChange>.Iterator {
        stream.makeAsyncIterator()
    }
}

extension NSManagedObjectContext {
    /// The changes of this context from now on: the notifications' contents as object IDs.
    ///
    /// Call it on the context's queue and read the result anywhere.
    ///
    /// - Parameter bufferingLimit: How many changes wait for a slow reader.
    public final func changeSequence(
        bufferingLimit: Int = 256
    ) -> NSManagedObjectContextChanges {
        checkQueue()
        let readers = followers.changeObservers ?? ChangeReaders()
        followers.changeObservers = readers
        return NSManagedObjectContextChanges(readers.add(bufferingLimit: bufferingLimit))
    }
}

/// A change that tells its reader how many were dropped before it.
protocol MissedCounting: Sendable {
    var missedCount: Int { get set }
}

extension NSManagedObjectContextChange: MissedCounting {}

/// The readers of the changes of a context or a controller; used on the context's queue.
final class ChangeReaders<Change: MissedCounting> {
    private var readers: [(AsyncStream<Change>.Continuation, missed: Int)] = []

    deinit { for (reader, _) in readers { reader.finish() } }

    var isEmpty: Bool { readers.isEmpty }

    /// Adds a reader.
    ///
    /// - Parameter bufferingLimit: How many changes wait for it if it is slow.
    func add(bufferingLimit: Int) -> AsyncStream<Change> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Change.self, bufferingPolicy: .bufferingOldest(Swift.max(1, bufferingLimit)))
        readers.append((continuation, 0))
        return stream
    }

    func send(_ change: Change) {
        var change = change
        for index in readers.indices.reversed() {
            change.missedCount = readers[index].missed
            switch readers[index].0.yield(change) {
            case .enqueued: readers[index].missed = 0
            case .dropped: readers[index].missed += 1
            case .terminated: readers.remove(at: index)
            @unknown default: break
            }
        }
    }
}

extension ChangeReaders<NSManagedObjectContextChange> {
    /// Sends a change, which is filled only if there are readers.
    func send(
        _ kind: NSManagedObjectContextChange.Kind,
        fill: (inout NSManagedObjectContextChange) -> Void = { _ in }
    ) {
        guard !isEmpty else { return }
        var change = NSManagedObjectContextChange(kind: kind)
        fill(&change)
        send(change)
    }
}
