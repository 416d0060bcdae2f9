// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Testing

@testable import ManagedObjects

/// Objects whose last reference is released on a thread that is in no block of their context.
@Suite struct DepartureTests {
    private func filled(_ names: String = "ab") throws -> (Stack, NSManagedObjectContext) {
        let stack = try Stack(DepartureModel.make())
        let context = stack.container.newBackgroundContext()
        try context.performAndWait {
            for (number, name) in names.enumerated() {
                context.make("Item", ["name": "\(name)", "number": number])
            }
            try context.save()
        }
        return (stack, context)
    }

    /// The item of a name, whose values were read, and its ID.
    private func take(
        _ name: String, _ context: NSManagedObjectContext
    ) throws -> (SoleReference, NSManagedObjectID) {
        try context.performAndWait {
            let item = try #require(try context.named(name, "Item") as? DepartingItem)
            _ = item.text("name")
            return (SoleReference(item), item.objectID)
        }
    }

    @Test func an_object_released_elsewhere_is_not_found_again() throws {
        let (_, context) = try filled()
        let (held, id) = try take("a", context)
        held.releaseElsewhere()
        try context.performAndWait {
            #expect(context.registeredObject(for: id) == nil)
            #expect(context.registeredObjects.isEmpty && context.registry.count == 0)
            let item = context.object(with: id)
            #expect(item.isFault && item.text("name") == "a" && item.number("number") == 0)
            let found = try context.named("a", "Item")
            #expect(found === item)
            #expect(context.registeredObjects == [item])
        }
    }

    @Test func a_fetch_makes_a_new_object_in_place_of_one_released_elsewhere() throws {
        let (_, context) = try filled()
        let (held, id) = try take("a", context)
        // In a block, so that nothing is drained before the fetch meets the object.
        try context.performAndWait {
            held.releaseElsewhere()
            #expect(!context.departures.isEmpty && context.registry.count == 1)
            let items = try context.all("Item")
            #expect(items.map { $0.text("name") }.sorted() == ["a", "b"])
            #expect(context.departures.isEmpty && context.registry.count == 2)
            #expect(items.contains { $0.objectID == id })
            #expect(context.registeredObjects == Set(items))
        }
    }

    @Test func a_look_up_during_the_deinit_makes_an_object_that_stays() throws {
        let (_, context) = try filled()
        let (held, id) = try take("a", context)
        let exit = held.releaseElsewhereSlowly()
        let item = context.performAndWait {
            #expect(context.registeredObject(for: id) == nil)
            return UncheckedTransfer(context.object(with: id))
        }.value
        exit.finish()
        context.performAndWait {
            #expect(context.registeredObject(for: id) === item)
            #expect(context.registeredObjects == [item] && context.registry.count == 1)
            #expect(item.text("name") == "a")
        }
    }

    @Test func a_post_that_comes_after_the_new_object_leaves_it_alone() throws {
        let (_, context) = try filled()
        let (held, id) = try take("a", context)
        context.performAndWait {
            held.releaseElsewhere()
            #expect(!context.departures.isEmpty)
            let item = context.object(with: id)
            #expect(context.departures.isEmpty)
            context.processPendingChanges()
            #expect(context.registeredObject(for: id) === item)
            #expect(context.registry.count == 1)
        }
    }

    @Test func a_walk_over_rows_forgets_what_was_released_elsewhere() throws {
        let (_, context) = try filled(String(repeating: "x", count: 100))
        try context.performAndWait {
            let items = try context.all("Item")
            let ids = items.map(\.objectID)
            let held = items.map { SoleReference($0) }
            #expect(context.registry.count == 100)
            _ = consume items
            for one in held { one.releaseElsewhere() }
            #expect(context.registry.count == 100)
            for id in ids { #expect(context.object(with: id).text("name") == "x") }
            #expect(context.registeredObjects.isEmpty && context.registry.count == 0)
        }
    }

    @Test func a_reset_while_objects_go_elsewhere() throws {
        let (_, context) = try filled("abc")
        let (gone, _) = try take("a", context)
        let (going, _) = try take("b", context)
        let (kept, _) = try take("c", context)
        let exit = going.releaseElsewhereSlowly()
        context.performAndWait {
            gone.releaseElsewhere()
            context.reset()
            #expect(context.registeredObjects.isEmpty && context.registry.count == 0)
        }
        exit.finish()
        #expect(kept.object?.managedObjectContext == nil)
        try context.performAndWait {
            let names = try context.names("Item", "TRUEPREDICATE")
            #expect(names == ["a", "b", "c"])
            #expect(context.registeredObjects.isEmpty)
        }
    }

    @Test func a_context_goes_while_its_objects_go_elsewhere() throws {
        let stack: Stack
        var context: NSManagedObjectContext?
        (stack, context) = try filled("abc")
        weak let reference = context
        let (gone, _) = try take("a", try #require(context))
        let (going, _) = try take("b", try #require(context))
        let (kept, _) = try take("c", try #require(context))
        let exit = going.releaseElsewhereSlowly()
        gone.releaseElsewhere()
        context = nil
        #expect(reference == nil)
        #expect(kept.object?.managedObjectContext == nil)
        exit.finish()
        #expect(try stack.context.count("Item") == 3)
    }

    @Test func an_object_may_be_the_last_that_holds_its_context() throws {
        let stack: Stack
        var context: NSManagedObjectContext?
        (stack, context) = try filled()
        weak let reference = context
        let (held, _) = try take("a", try #require(context))
        (held.object as? DepartingItem)?.kept = context
        context = nil
        #expect(reference != nil)
        held.object = nil
        #expect(reference == nil)
        #expect(try stack.context.count("Item") == 2)
    }

    @Test func an_object_is_not_found_from_its_own_deinit() throws {
        let (_, context) = try filled()
        let (held, id) = try take("a", context)
        context.performAndWait {
            var found: [NSManagedObject?] = []
            (held.object as? DepartingItem)?.onExit = {
                found.append(context.registeredObject(for: id))
                found.append(context.object(with: id))
            }
            held.object = nil
            #expect(found.count == 2 && found[0] == nil && found[1]?.text("name") == "a")
            #expect(context.registeredObject(for: id) === found[1])
            #expect(context.registry.count == 1)
        }
    }

    @Test func objects_of_the_thread_that_uses_a_context_outside_blocks_go_at_once() throws {
        let (_, context) = try filled()
        var item = try context.named("a", "Item")
        #expect(context.registry.count == 1 && item != nil)
        item = nil
        #expect(context.registry.count == 0 && context.departures.isEmpty)
    }

    @Test func a_store_is_told_once_of_an_object_released_elsewhere() throws {
        TableStore.register()
        let folder = try StoreFolder()
        let context = try folder.open([("books.table", nil)])
        let table = try #require(try folder.store("books.table") as? TableStore)
        let held = try context.performAndWait {
            let author = context.make("Author", ["name": "Austen"])
            try context.save()
            return SoleReference(author)
        }
        let id = try #require(held.object?.objectID)
        #expect(table.registered == 1)
        held.releaseElsewhere()
        #expect(table.registered == 1)
        context.performAndWait { #expect(table.registered == 0) }
        context.performAndWait {
            let author = context.object(with: id)
            #expect(table.registered == 1)
            let next = SoleReference(author)
            _ = consume author
            next.releaseElsewhere()
            let again = context.object(with: id)
            #expect(table.registered == 1 && again.text("name") == "Austen")
        }
        context.performAndWait { #expect(table.registered == 0) }
    }

    @Test func any_thread_may_ask_for_the_id() throws {
        let (_, context) = try filled()
        let (new, next) = try context.performAndWait {
            let items = ["c", "d"].map { context.make("Item", ["name": $0]) }
            try context.obtainPermanentIDs(for: [items[1]])
            return (SoleReference(items[0]), SoleReference(items[1]))
        }
        let (early, reserved) = (new.idElsewhere(), next.idElsewhere())
        let own = context.performAndWait { [new, next].map { $0.object?.objectID } }
        #expect(early == own[0] && early?.isTemporaryID == true)
        #expect(reserved == own[1] && reserved?.isTemporaryID == false)
        #expect(new.contextElsewhere() === context)
        try context.performAndWait { try context.save() }
        let late = new.idElsewhere()
        #expect(late?.isTemporaryID == false && next.idElsewhere() == reserved)
        #expect(late == context.performAndWait { new.object?.objectID })
        #expect(late?.persistentStore === context.persistentStore)
    }

    @Test func an_asynchronous_function_may_hold_an_object_between_blocks() async throws {
        let (_, context) = try filled("a")
        // Unsafe: `perform` is what makes the use of the context safe.
        nonisolated(unsafe) let moc = context
        for round in 0..<200 {
            let item = try await moc.perform { UncheckedTransfer(try moc.named("a", "Item")) }
            await moc.perform {
                #expect(item.value?.number("number") == round)
                item.value?.setValue(round + 1, forKey: "number")
            }
            try await moc.perform { try moc.save() }
        }
        let last = try await moc.perform { try moc.named("a", "Item")?.number("number") }
        #expect(last == 200)
    }
}
