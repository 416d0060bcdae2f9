// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Contexts of many threads at once.
@Suite(.serialized) struct ThreadTests {
    @Test func no_increment_is_lost() async throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "counter", "number": 0])
        try stack.context.save()
        let id = item.objectID
        let container = stack.container
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    let context = container.newBackgroundContext()
                    await context.perform { increment(id, context, times: 100) }
                }
            }
        }
        stack.context.refresh(item, mergeChanges: false)
        #expect(item.number("number") == 400)
    }

    @Test func readers_see_whole_saves() async throws {
        let stack = try Stack(ItemModel.make())
        let items = (0..<2).map { _ in stack.context.make("Item", ["number": 0]) }
        try stack.context.save()
        let ids = items.map(\.objectID)
        let container = stack.container
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                let context = container.newBackgroundContext()
                await context.perform { raise(ids, context) }
            }
            for _ in 0..<3 {
                group.addTask {
                    let context = container.newBackgroundContext()
                    await context.perform { compare(context) }
                }
            }
        }
    }

    @Test func children_of_one_root_work_side_by_side() async throws {
        let stack = try Stack(PeopleModel.make())
        let root = stack.container.newBackgroundContext()
        let tag = try await root.perform {
            let tag = root.make("Tag", ["name": "all"])
            try root.save()
            return tag.objectID
        }
        // Handed over unchecked, as `perform` is what makes the use of one context safe.
        nonisolated(unsafe) let shared = root
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    let child = Stack.child(of: shared)
                    child.automaticallyMergesChangesFromParent = number % 2 == 0
                    await child.perform { grow(child, number, tag) }
                }
            }
            group.addTask {
                let root = shared
                for _ in 0..<40 {
                    await root.perform { #expect(code { try root.save() } == nil) }
                }
            }
        }
        try await root.perform { try root.save() }
        let other = stack.container.newBackgroundContext()
        #expect(try other.count("Person") == 4 * 25)
        #expect(try other.named("all", "Tag")?.many("people").count == 4 * 25)
        #expect(try other.names("Person", "age == 99").count == 4 * 25)
        #expect(try GraphOracle.disagreements(other).isEmpty)
    }
}

/// Inserts people one by one and changes each one again once it is saved.
private func grow(_ context: NSManagedObjectContext, _ number: Int, _ tag: NSManagedObjectID) {
    var former: NSManagedObject?
    for step in 0..<25 {
        let person = context.make("Person", ["name": "\(number) \(step)"])
        person.setValue(Set([context.object(with: tag)]), forKey: "tags")
        #expect(code { try context.save() } == nil)
        person.setValue(99, forKey: "age")
        if let former { person.setValue(former, forKey: "parent") }
        #expect(code { try context.save() } == nil)
        #expect(former == nil || person.one("parent") === former)
        former = person
    }
}

/// Adds one, again after each conflict.
private func increment(_ id: NSManagedObjectID, _ context: NSManagedObjectContext, times: Int) {
    var done = 0
    while done < times {
        let item = context.object(with: id)
        item.setValue(item.number("number") + 1, forKey: "number")
        switch code({ try context.save() }) {
        case nil: done += 1
        case 133020: context.rollback()
        case let other: Issue.record("unexpected \(String(describing: other))")
        }
        context.refresh(item, mergeChanges: false)
    }
}

private func raise(_ ids: [NSManagedObjectID], _ context: NSManagedObjectContext) {
    for number in 1...200 {
        for id in ids { context.object(with: id).setValue(number, forKey: "number") }
        #expect(code { try context.save() } == nil)
    }
}

/// All objects of one fetch that were faults show one state.
private func compare(_ context: NSManagedObjectContext) {
    for _ in 0..<200 {
        context.reset()
        do {
            let numbers = try context.all("Item").map { $0.number("number") }
            #expect(Set(numbers).count <= 2)
            #expect(numbers.count == 2)
        } catch {
            Issue.record("\(error)")
        }
    }
}
