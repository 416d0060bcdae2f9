// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Limits and offsets at and beyond the ends of their range.
@Suite struct FetchLimitTests {
    private static let limits = [
        Int.max, Int.max - 1, 1 << 62, 1 << 56, (1 << 56) - 1, 0, -1, Int.min,
    ]

    private func request(
        _ limit: Int, _ offset: Int, isSorted: Bool
    ) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        (request.fetchLimit, request.fetchOffset) = (limit, offset)
        if isSorted { request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)] }
        return request
    }

    private func check(_ context: NSManagedObjectContext) throws {
        for isSorted in [true, false] {
            for limit in FetchLimitTests.limits {
                for (offset, count) in [
                    (0, 3), (1, 2), (-1, 3), (Int.min, 3), (3, 0), (Int.max, 0),
                ] {
                    let request = request(limit, offset, isSorted: isSorted)
                    #expect(
                        try context.fetch(request).count == count, "limit \(limit) \(offset)")
                    #expect(try context.count(for: request) == count, "limit \(limit) \(offset)")
                }
            }
            for offset in [-5, 0, 1, Int.max] {
                let wanted = offset > 2 ? [] : Array([1, 2, 3].dropFirst(max(0, offset)).prefix(2))
                let found = try context.fetch(request(2, offset, isSorted: true))
                #expect(found.map { $0.number("number") } == wanted)
            }
        }
    }

    private func dictionaries(_ context: NSManagedObjectContext) throws {
        for limit in FetchLimitTests.limits {
            for (offset, count) in [(0, 3), (1, 2), (-1, 3), (Int.min, 3), (Int.max, 0)] {
                for isDistinct in [false, true] {
                    let request = NSFetchRequest<NSDictionary>(entityName: "Item")
                    request.resultType = .dictionaryResultType
                    request.propertiesToFetch = ["number"]
                    request.returnsDistinctResults = isDistinct
                    (request.fetchLimit, request.fetchOffset) = (limit, offset)
                    #expect(try context.fetch(request).count == count)
                }
            }
        }
    }

    @Test func fetches_counts_and_dictionaries() throws {
        let stack = try Stack(ItemModel.make())
        for number in [3, 1, 2] { stack.context.make("Item", ["number": number]) }
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = stack.context
        for isSaved in [false, true] {
            if isSaved {
                try stack.context.save()
                try dictionaries(stack.context)
            }
            try check(stack.context)
            try check(child)
        }
    }

    @Test func results_controllers_and_batches() throws {
        let stack = try Stack(ItemModel.make())
        for number in [3, 1, 2] { stack.context.make("Item", ["number": number]) }
        try stack.context.save()
        for (limit, offset, count) in [(Int.max, 1, 2), (Int.max, -4, 3), (-2, 0, 3), (2, -1, 2)] {
            let controller = NSFetchedResultsController(
                fetchRequest: request(limit, offset, isSorted: true),
                managedObjectContext: stack.context, sectionNameKeyPath: "number", cacheName: nil)
            try controller.performFetch()
            #expect(controller.fetchedObjects?.count == count)
            #expect(controller.sections?.count == count)
        }
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
        (fetch.fetchLimit, fetch.fetchOffset) = (.max, -3)
        fetch.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        _ = try stack.context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        #expect(try stack.context.count("Item") == 0)
    }
}
