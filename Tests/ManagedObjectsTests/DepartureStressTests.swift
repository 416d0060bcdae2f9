// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing
import _TestSupport

@testable import ManagedObjects

/// References that wait for any thread to release them.
// Sendable because the lock guards the list, and only the thread that took a reference uses it.
private final class Bin: Sendable {
    private let references = Mutex<[SoleReference]>([])
    private let isClosed = Atomic(false)

    func add(_ objects: some Sequence<NSManagedObject>) {
        let new = objects.map { SoleReference($0) }
        references.withLock { $0 += new }
    }

    func close() { isClosed.store(true, ordering: .releasing) }

    /// Threads that release what comes in until the bin is closed and empty.
    func empty(by count: Int) -> [OtherThread] {
        (0..<count).map { _ in
            OtherThread {
                while true {
                    let isClosed = self.isClosed.load(ordering: .acquiring)
                    if let next = self.references.withLock({ $0.popLast() }) {
                        next.object = nil
                    } else if isClosed {
                        return
                    } else {
                        sched_yield()
                    }
                }
            }
        }
    }
}

/// The IDs that threads were told.
private final class FoundIDs: Sendable {
    private let ids = Mutex<[NSManagedObjectID]>([])

    func add(_ id: NSManagedObjectID) { ids.withLock { $0.append(id) } }
    var all: [NSManagedObjectID] { ids.withLock { $0 } }
}

/// Objects that go on several threads at once while their context is used.
@Suite(.serialized) struct DepartureStressTests {
    private func filled(_ count: Int) throws -> (Stack, NSManagedObjectContext) {
        let stack = try Stack(DepartureModel.make())
        let context = stack.container.newBackgroundContext()
        try context.performAndWait {
            for number in 0..<count {
                context.make("Item", ["name": "\(number)", "number": number])
            }
            try context.save()
        }
        return (stack, context)
    }

    @Test func a_context_finds_one_living_object_for_each_row() throws {
        let (_, context) = try filled(200)
        let bin = Bin()
        let threads = bin.empty(by: 3)
        var random = SeededGenerator(seed: 1)
        for round in 0..<400 {
            try context.performAndWait {
                let items = try context.all("Item")
                let ids = items.map(\.objectID)
                #expect(items.count == 200 && Set(items).count == 200)
                #expect(items.allSatisfy { $0.text("name") == "\($0.number("number"))" })
                bin.add(items.filter { _ in Bool.random(using: &random) })
                _ = consume items
                for id in ids.shuffled(using: &random).prefix(50) {
                    let item = context.object(with: id)
                    #expect(item.managedObjectContext === context && item.objectID == id)
                    #expect(item.text("name") == "\(item.number("number"))")
                }
                if round % 37 == 0 { context.reset() }
            }
        }
        bin.close()
        for thread in threads { thread.join() }
        context.performAndWait {
            #expect(context.registeredObjects.isEmpty && context.registry.count == 0)
        }
    }

    @Test func saves_of_objects_that_go_elsewhere_lose_nothing() throws {
        let (stack, context) = try filled(50)
        let bin = Bin()
        let threads = bin.empty(by: 3)
        for _ in 0..<100 {
            try context.performAndWait {
                let items = try context.all("Item")
                for item in items { item.setValue(item.number("number") + 1, forKey: "number") }
                bin.add(items)
                _ = consume items
                try context.save()
            }
        }
        bin.close()
        for thread in threads { thread.join() }
        let fresh = stack.container.newBackgroundContext()
        let numbers = try fresh.all("Item").map { $0.number("number") }.sorted()
        #expect(numbers == Array(100..<150))
    }

    @Test func contexts_go_while_their_objects_go() throws {
        let (stack, _) = try filled(20)
        let bin = Bin()
        let threads = bin.empty(by: 3)
        for _ in 0..<400 {
            let context = stack.container.newBackgroundContext()
            try context.performAndWait { bin.add(try context.all("Item")) }
        }
        bin.close()
        for thread in threads { thread.join() }
        #expect(try stack.context.count("Item") == 20)
    }

    @Test func an_object_without_context_has_one_id_for_all_threads() throws {
        let model = DepartureModel.make()
        let entity = try #require(model.entitiesByName["Item"])
        for _ in 0..<200 {
            let object = UncheckedTransfer(DepartingItem(entity: entity, insertInto: nil))
            let found = FoundIDs()
            let threads = (0..<3).map { _ in
                OtherThread {
                    let id = object.value.objectID
                    found.add(id)
                }
            }
            for thread in threads { thread.join() }
            let ids = found.all
            #expect(ids.count == 3 && Set(ids.map { ObjectIdentifier($0) }).count == 1)
        }
    }

    @Test func anybody_may_ask_for_the_context_and_the_id() throws {
        let (stack, _) = try filled(0)
        for round in 0..<200 {
            var context: NSManagedObjectContext? = stack.container.newBackgroundContext()
            let item = context?.performAndWait {
                context.map { SoleReference($0.make("Item", ["number": round])) }
            }
            let held = try #require(item)
            let object = try #require(held.object)
            let reference = UncheckedTransfer(object)
            let askers = (0..<2).map { _ in
                OtherThread {
                    for _ in 0..<50 {
                        let context = reference.value.managedObjectContext
                        #expect(context == nil || context?.concurrencyType != nil)
                        #expect(reference.value.objectID.entity.name == "Item")
                    }
                }
            }
            try context?.performAndWait { try context?.save() }
            context = nil
            for asker in askers { asker.join() }
            #expect(reference.value.managedObjectContext == nil)
        }
        #expect(try stack.context.count("Item") == 200)
    }
}
