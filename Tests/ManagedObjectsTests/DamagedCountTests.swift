// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _TestSupport

@testable import ManagedObjects

final class CountedItem: NSManagedObject {
    static let key = PropertyKey("number")
    var number: Int64 { Int64.__lode_read(self, CountedItem.key) }
}

/// A file that says of an entity that it has more or fewer objects than there are.
///
/// Counts may be wrong then, as nothing is read for them; fetches are not.
@Suite struct DamagedCountTests {
    static let counts: [UInt64] = [
        0, 1, 40, 99, 101, 200, 5_000, 1 << 31, 1 << 40, 1 << 60, 1 << 63, .max,
    ]

    /// A stack with a hundred items, whose file gives another number of them.
    private func damaged(_ count: UInt64, isIndexed: Bool = false) throws -> Stack {
        let item = Build.entity(
            "CountedItem",
            [
                Build.attribute("name"),
                Build.attribute("number", .integer64AttributeType, default: 0),
            ], class: CountedItem.self)
        if isIndexed { Build.index(item, "number") }
        let stack = try Stack(Build.model(item))
        for number in 0..<100 {
            stack.context.make("CountedItem", ["name": "\(number)", "number": number])
        }
        try stack.context.save()
        try stack.replace { bytes in
            #expect(setEntryCount(of: "o.1", to: count, in: &bytes) > 0)
        }
        return stack
    }

    private func numbers(
        _ stack: Stack, _ adjust: (NSFetchRequest<NSManagedObject>) -> Void = { _ in }
    ) throws -> [Int] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "CountedItem")
        adjust(request)
        let context = stack.container.newBackgroundContext()
        return try context.performAndWait {
            try context.fetch(request).map { $0.number("number") }
        }
    }

    @Test(arguments: counts) func fetchesGiveAllObjects(count: UInt64) throws {
        let stack = try damaged(count)
        #expect(try numbers(stack) == Array(0..<100))
        #expect(try numbers(stack) { $0.fetchBatchSize = 7 } == Array(0..<100))
        #expect(try numbers(stack) { $0.includesSubentities = false } == Array(0..<100))
        #expect(try numbers(stack) { $0.returnsObjectsAsFaults = false } == Array(0..<100))
        #expect(try numbers(stack) { $0.fetchLimit = 3 } == [0, 1, 2])
        #expect(
            try numbers(stack) { ($0.fetchOffset, $0.fetchLimit) = (97, 10) } == [97, 98, 99])
        #expect(try numbers(stack) { $0.fetchOffset = 98 } == [98, 99])
        #expect(
            try numbers(stack) {
                $0.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
            } == (0..<100).reversed())
        #expect(
            try numbers(stack) {
                $0.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
                $0.fetchLimit = 2
            } == [99, 98])
        #expect(
            try numbers(stack) { $0.predicate = NSPredicate(format: "number > 97") } == [98, 99])
        let typed = try stack.context.fetch(NSFetchRequest<CountedItem>(entityName: "CountedItem"))
        #expect(typed.map(\.number) == Array(0..<100))
    }

    /// Once more with all objects at hand, and with some.
    @Test(arguments: counts) func fetchesGiveObjectsThatAreAtHand(count: UInt64) throws {
        let stack = try damaged(count)
        let request = NSFetchRequest<CountedItem>(entityName: "CountedItem")
        request.predicate = NSPredicate(format: "number > 50")
        let some = try stack.context.fetch(request)
        request.predicate = nil
        let all = try stack.context.fetch(request)
        #expect(all.count == 100 && some.count == 49)
        #expect(some.allSatisfy { all.contains($0) })
        #expect(try stack.context.fetch(request) == all)
    }

    @Test(arguments: counts) func anIndexedFetchGivesAllMatches(count: UInt64) throws {
        let stack = try damaged(count, isIndexed: true)
        try stack.replace { bytes in
            #expect(setEntryCount(of: "x.1", to: count, in: &bytes) >= 0)
        }
        #expect(
            try numbers(stack) {
                $0.predicate = NSPredicate(format: "number > 96")
                $0.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
            } == [97, 98, 99])
        #expect(
            try numbers(stack) {
                $0.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
            } == Array(0..<100))
        #expect(
            try numbers(stack) { $0.predicate = NSPredicate(format: "number == 7") } == [7])
    }

    @Test func aCountIsWhatTheFileSays() throws {
        for count in [0, 40, 99, 101, 200] as [UInt64] {
            let stack = try damaged(count)
            #expect(try stack.context.count("CountedItem") == Int(count))
        }
        // No file has as many entries as bytes.
        for count in [1 << 40, 1 << 63, .max] as [UInt64] {
            let stack = try damaged(count)
            let size = try Data(contentsOf: stack.url).count
            #expect(try (100...size).contains(stack.context.count("CountedItem")))
        }
    }

    @Test(arguments: counts) func batchRequestsChangeAllObjects(count: UInt64) throws {
        let stack = try damaged(count)
        let update = NSBatchUpdateRequest(entityName: "CountedItem")
        update.predicate = NSPredicate(format: "number >= 90")
        update.propertiesToUpdate = ["name": "last"]
        update.resultType = .updatedObjectsCountResultType
        let updated = try stack.context.execute(update) as? NSBatchUpdateResult
        #expect(updated?.result as? Int == 10)
        let few = NSFetchRequest<any NSFetchRequestResult>(entityName: "CountedItem")
        few.predicate = NSPredicate(format: "number < 10")
        let deletion = NSBatchDeleteRequest(fetchRequest: few)
        deletion.resultType = .resultTypeCount
        let deleted = try stack.context.execute(deletion) as? NSBatchDeleteResult
        #expect(deleted?.result as? Int == 10)
        #expect(try numbers(stack) == Array(10..<100))
        #expect(
            try numbers(stack) { $0.predicate = NSPredicate(format: "name == 'last'") }
                == Array(90..<100))
        let all = NSFetchRequest<any NSFetchRequestResult>(entityName: "CountedItem")
        _ = try stack.context.execute(NSBatchDeleteRequest(fetchRequest: all))
        #expect(try numbers(stack) == [])
        stack.context.make("CountedItem", ["number": 5])
        try stack.context.save()
        #expect(try numbers(stack) == [5])
        #expect(try stack.context.count("CountedItem") == 1)
    }

    @Test(arguments: counts) func savesChangeAllObjects(count: UInt64) throws {
        let stack = try damaged(count)
        let context = stack.context
        for object in try context.all("CountedItem") where object.number("number") % 2 == 0 {
            context.delete(object)
        }
        context.make("CountedItem", ["number": 100])
        #expect(try context.all("CountedItem").count == 51)
        try context.save()
        #expect(try numbers(stack).sorted() == (0...100).filter { $0 % 2 == 1 || $0 == 100 })
        for object in try context.all("CountedItem") { context.delete(object) }
        try context.save()
        #expect(try numbers(stack) == [])
    }

    @Test(arguments: counts) func aCheckNamesTheTable(count: UInt64) throws {
        let stack = try damaged(count)
        for check in ["pages", "records"] {
            let error = #expect(throws: CocoaError.self) {
                try stack.reopen { $0.setOption(check as NSString, forKey: LodeVerifyOption) }
            }
            #expect("\(String(describing: error))".contains("100 entries instead of"))
        }
    }
}

extension Stack {
    /// Closes the file, changes its bytes, and opens it without checks.
    func replace(_ change: (inout [UInt8]) -> Void) throws {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        var bytes = [UInt8](try Data(contentsOf: url))
        change(&bytes)
        try Data(bytes).write(to: url)
        try reopen()
    }
}
