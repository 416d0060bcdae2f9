// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Runs a block at each did-change notification of a context.
// Sendable because the thread that changes the context is the only one that posts.
private final class Observer: @unchecked Sendable {
    private let block: () -> Void
    private var token: (any NSObjectProtocol)?

    init(_ context: NSManagedObjectContext, _ block: @escaping () -> Void) {
        self.block = block
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { [unowned self] _ in self.block() }
    }

    deinit { token.map { NotificationCenter.default.removeObserver($0) } }
}

/// What observers of did-change notifications may do with the context.
@Suite struct ObserverTests {
    @Test func an_observer_fetches() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        var counts: [Int] = []
        let observer = Observer(context) {
            counts.append((try? context.count("Item")) ?? -1)
        }
        context.make("Item")
        context.processPendingChanges()
        context.make("Item")
        try context.save()
        #expect(counts == [1, 2])
        withExtendedLifetime(observer) {}
    }

    @Test func deletions_by_an_observer_cascade_in_the_same_save() throws {
        let stack = try Stack(PeopleModel.make(employeesRule: .cascadeDeleteRule))
        let context = stack.context
        let department = context.make("Department")
        context.make("Person", ["name": "Ann", "department": department])
        try context.save()
        var events = 0
        let observer = Observer(context) {
            events += 1
            context.delete(department)
        }
        context.make("Person", ["name": "Bob"])
        try context.save()
        #expect(events == 2)
        #expect(!context.hasChanges)
        try stack.reopen()
        #expect(try stack.context.names("Person", "TRUEPREDICATE") == ["Bob"])
        withExtendedLifetime(observer) {}
    }

    @Test func insertions_by_an_observer_are_an_event_of_their_own() throws {
        let stack = try Stack(ItemModel.make())
        let context = stack.context
        var events = 0
        let observer = Observer(context) {
            events += 1
            if events < 3 { context.make("Item") }
        }
        context.make("Item")
        try context.save()
        #expect(events == 3)
        #expect(try context.count("Item") == 3)
        withExtendedLifetime(observer) {}
    }
}
