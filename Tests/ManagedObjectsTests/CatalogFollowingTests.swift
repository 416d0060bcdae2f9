// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Stacks that have a file open while another one changes its indexes or its history.
@Suite struct CatalogFollowingTests {
    private static func model(isIndexed: Bool) -> NSManagedObjectModel {
        let mark = Build.entity(
            "Mark", [Build.attribute("name"), Build.attribute("number", .integer64AttributeType)])
        if isIndexed { Build.index(mark, "number") }
        return Build.model(mark)
    }

    /// Another stack on the file of a stack.
    private static func other(
        _ stack: Stack, _ model: NSManagedObjectModel, _ options: [String] = []
    ) throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Other", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: stack.url)
        description.setOption("none" as NSString, forKey: LodeDurabilityOption)
        for option in options { description.setOption(NSNumber(value: true), forKey: option) }
        container.persistentStoreDescriptions = [description]
        if let error = load(container) { throw error }
        return container
    }

    private static func add(_ numbers: [Int], to context: NSManagedObjectContext) throws {
        for number in numbers { context.make("Mark", ["name": "m\(number)", "number": number]) }
        try context.save()
    }

    private static func plan(_ context: NSManagedObjectContext) throws -> String {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Mark")
        request.predicate = NSPredicate(format: "number > 10")
        return try context.explain(request)
    }

    @Test func saves_fill_an_index_that_another_stack_added() throws {
        let stack = try Stack(Self.model(isIndexed: false))
        try Self.add([5, 20], to: stack.context)
        let other = try Self.other(stack, Self.model(isIndexed: true)).viewContext
        try Self.add([30], to: stack.context)
        try #require(try stack.context.named("m20", "Mark")).setValue(8, forKey: "number")
        try stack.context.save()
        #expect(try Self.plan(other).contains("number"))
        #expect(try other.names("Mark", "number > 10") == ["m30"])
        #expect(try other.names("Mark", "number < 10") == ["m20", "m5"])
        #expect(try stack.context.names("Mark", "number > 10") == ["m30"])
    }

    @Test func fetches_do_without_an_index_that_another_stack_dropped() throws {
        let stack = try Stack(Self.model(isIndexed: true))
        try Self.add([5, 20], to: stack.context)
        let pinned = stack.container.newBackgroundContext()
        try pinned.setQueryGenerationFrom(.current)
        #expect(try pinned.names("Mark", "number > 10") == ["m20"])
        let other = try Self.other(stack, Self.model(isIndexed: false)).viewContext
        try Self.add([30], to: other)
        #expect(try stack.context.names("Mark", "number > 10") == ["m20", "m30"])
        #expect(try pinned.names("Mark", "number > 10") == ["m20"])
        try Self.add([40], to: stack.context)
        #expect(try other.names("Mark", "number > 10") == ["m20", "m30", "m40"])
    }

    @Test func saves_without_a_history_that_another_stack_began_throw() throws {
        let stack = try Stack(Self.model(isIndexed: false))
        try Self.add([1], to: stack.context)
        let other = try Self.other(
            stack, Self.model(isIndexed: false), [NSPersistentHistoryTrackingKey])
        #expect(code { try Self.add([2], to: stack.context) } == 134030)
        try Self.add([3], to: other.viewContext)
        stack.context.rollback()
        #expect(try stack.context.names("Mark", "TRUEPREDICATE") == ["m1", "m3"])
        let result =
            try other.viewContext.execute(
                NSPersistentHistoryChangeRequest.fetchHistory(
                    after: nil as NSPersistentHistoryToken?))
            as? NSPersistentHistoryResult
        let transactions = result?.result as? [NSPersistentHistoryTransaction]
        #expect(transactions?.map(\.transactionNumber) == [1])
    }
}
