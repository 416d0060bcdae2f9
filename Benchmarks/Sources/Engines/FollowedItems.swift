// SPDX-License-Identifier: Apache-2.0

import BenchmarkKit
import CoreData

/// Items in groups, all of them in one context, which fetched results controllers follow.
public final class FollowedItems {
    /// What events cost, in seconds; medians.
    public struct Cost: Sendable {
        /// A save, with the processing of its changes.
        public var save = Samples()
        /// The processing of the changes alone, where the controllers do their work.
        public var processing = Samples()
    }

    private typealias Controller = NSFetchedResultsController<RankedItem>
    private let container: NSPersistentContainer
    private let context: NSManagedObjectContext
    private var items: [RankedItem] = []
    private var generator = SeededGenerator(seed: 0x5EED)
    private let groupCount: Int

    /// Makes a file of items; number `n` is in group `n % groupCount`.
    public init(path: String, itemCount: Int, groupCount: Int) throws {
        self.groupCount = groupCount
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: path))
        // The disk's share would drown what is measured.
        description.setOption("none" as NSString, forKey: LodeDurabilityOption)
        container = try NSPersistentContainer(RankedItem.makeModel(), at: [description])
        context = container.newBackgroundContext()
        try context.performAndWait { try fill(itemCount) }
    }

    private func fill(_ itemCount: Int) throws {
        var number = 0
        let request = NSBatchInsertRequest(entityName: "RankedItem") { (object: NSManagedObject) in
            guard number < itemCount else { return true }
            let item = unsafeDowncast(object, to: RankedItem.self)
            item.group = Int32(number % self.groupCount)
            item.rank = Int64(number) * 2
            number += 1
            return false
        }
        try context.execute(request)
        items = try context.fetch(NSFetchRequest<RankedItem>(entityName: "RankedItem"))
    }

    /// Lets go of the items and closes the file.
    public func close() throws {
        context.performAndWait {
            items = []
            context.reset()
        }
        try container.close()
    }

    /// Measures events with a controller on each group, or one on everything, or none.
    ///
    /// - Parameters:
    ///   - isGrouped: Whether there is one controller a group; nil for no controller.
    ///   - changeCount: How many items an event changes; every other one moves.
    ///   - eventCount: How many events are measured.
    /// - Throws: ``BenchmarkError`` when controllers that an event does not concern are told of
    ///   it, or others are not.
    public func measure(
        isGrouped: Bool?, changeCount: Int, eventCount: Int
    ) throws -> Cost {
        try context.performAndWait {
            let follower = Follower()
            let groups: [Int?] = isGrouped.map { $0 ? (0..<groupCount).map { $0 } : [nil] } ?? []
            let controllers = try groups.map { try controller($0, follower) }
            var cost = Cost()
            for _ in 0..<eventCount {
                let concerned = change(changeCount, isGrouped: isGrouped)
                (follower.eventCount, follower.changeCount) = (0, 0)
                let processing = Stopwatch.time { context.processPendingChanges() }.seconds
                let save = try Stopwatch.time { try context.save() }.seconds
                cost.processing.add(processing)
                cost.save.add(processing + save)
                guard follower.eventCount == concerned,
                    follower.changeCount == (concerned == 0 ? 0 : changeCount)
                else {
                    throw BenchmarkError(
                        "\(follower.eventCount) controllers told \(follower.changeCount) changes, "
                            + "not \(concerned) of them \(changeCount)")
                }
            }
            for controller in controllers { controller.delegate = nil }
            return cost
        }
    }

    /// Changes different items; returns how many controllers that concerns.
    private func change(_ count: Int, isGrouped: Bool?) -> Int {
        var chosen: Set<Int> = []
        while chosen.count < count { chosen.insert(Int(generator.next() % UInt64(items.count))) }
        for (index, number) in chosen.enumerated() {
            if index % 2 == 0 {
                // Ranks of items are even at first: no two are the same.
                items[number].rank = Int64(generator.next() % UInt64(2 * items.count)) | 1
            } else {
                items[number].note += 1
            }
        }
        return switch isGrouped {
        case nil: 0
        case false?: 1
        case true?: Set(chosen.map { $0 % groupCount }).count
        }
    }

    /// Counts what a result needs that moves to a section of its own, with all others, and back:
    /// what grew with the square of their number would show.
    func measureMoves(_ counting: inout Counting) throws {
        try context.performAndWait {
            let follower = Follower()
            let controller = try controller(nil, follower, by: "note", inSections: true)
            try counting.count("move a result", 2 * items.count) {
                for (index, item) in items.enumerated() { item.note = Int32(index) }
                context.processPendingChanges()
                guard controller.sections?.count == items.count else {
                    throw BenchmarkError("there are not as many sections as results")
                }
                for item in items { item.note = 0 }
                context.processPendingChanges()
            }
            guard controller.sections?.count == 1, follower.eventCount == 2 else {
                throw BenchmarkError("the results did not move back")
            }
            controller.delegate = nil
        }
    }

    private func controller(
        _ group: Int?, _ follower: Follower, by key: String = "rank", inSections: Bool = false
    ) throws -> Controller {
        let request = NSFetchRequest<RankedItem>(entityName: "RankedItem")
        request.predicate = group.map { NSPredicate(format: "group == %d", $0) }
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        let controller = Controller(
            fetchRequest: request, managedObjectContext: context,
            sectionNameKeyPath: inSections ? key : nil, cacheName: nil)
        controller.delegate = follower
        try controller.performFetch()
        return controller
    }
}

/// Counts what controllers tell.
private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
    var eventCount = 0
    var changeCount = 0

    func controller(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
        didChange anObject: Any, at indexPath: IndexPath?, for type: NSFetchedResultsChangeType,
        newIndexPath: IndexPath?
    ) {
        changeCount += 1
    }

    func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
        eventCount += 1
    }
}
