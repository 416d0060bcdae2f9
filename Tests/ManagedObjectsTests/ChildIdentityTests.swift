// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import ManagedObjects
import Testing

/// An item that tells when an object of it is about to be made.
final class GatedItem: NSManagedObject {
    // Unsafe: set and used by the one test that makes such items.
    nonisolated(unsafe) static var gate: (() -> Void)?

    required init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        let gate = GatedItem.gate
        GatedItem.gate = nil
        gate?()
        super.init(entity: entity, insertInto: context)
    }
}

/// A child has one object of each ID, whenever the root gives permanent ones.
@Suite(.inBothPlaces) struct ChildIdentityTests {
    private func family(
        _ model: NSManagedObjectModel = PeopleModel.make()
    ) throws -> (stack: Stack, root: NSManagedObjectContext, child: NSManagedObjectContext) {
        let stack = try Stack(model)
        let root = stack.container.newBackgroundContext()
        return (stack, root, Stack.child(of: root))
    }

    @Test func a_save_between_the_look_and_the_fault_makes_no_second_object() throws {
        let model = Build.model(
            Build.entity("Item", [Build.attribute("name")], class: GatedItem.self))
        let (_, root, child) = try family(model)
        let saved = DispatchSemaphore(value: 0)
        let temporary = root.performAndWait { root.make("Item", ["name": "a"]).objectID }
        GatedItem.gate = {
            root.perform {
                #expect(throws: Never.self) { try root.save() }
                saved.signal()
            }
            saved.wait()
        }
        let item = child.performAndWait { child.object(with: temporary) }
        #expect(GatedItem.gate == nil && item.isFault)
        let permanent = root.performAndWait { root.object(with: temporary).objectID }
        #expect(!permanent.isTemporaryID)
        #expect(child.object(with: permanent) === item)
        #expect(try child.all("Item") == [item])
        #expect(item.objectID == permanent && item.text("name") == "a")
        #expect(child.registeredObjects == [item])
    }

    @Test func an_old_id_finds_the_saved_object() throws {
        let (_, root, child) = try family()
        let ann = root.make("Person", ["name": "Ann"])
        // The child's own ID object, which does not learn of the save.
        let temporary = child.object(with: ann.objectID).objectID
        try root.save()
        let theirs = child.object(with: temporary)
        #expect(theirs.text("name") == "Ann")
        #expect(child.object(with: ann.objectID) === theirs)
        #expect(try child.all("Person") == [theirs])
    }

    @Test func members_are_found_after_the_roots_save() throws {
        let (_, root, child) = try family()
        var ann: NSManagedObject? = root.make("Person", ["name": "Ann"])
        ann?.setValue(Set([root.make("Tag", ["name": "t"])]), forKey: "tags")
        let theirs = try child.existingObject(with: try #require(ann).objectID)
        #expect(theirs.text("name") == "Ann")
        ann = nil
        try root.save()
        #expect(root.registeredObjects.isEmpty)
        #expect(theirs.names("tags") == ["t"])
        #expect(theirs.many("tags") == Set(try child.all("Tag")))
    }

    @Test func an_early_permanent_id_leads_to_the_one_object() throws {
        let (_, root, child) = try family()
        let ann = root.make("Person", ["name": "Ann"])
        let known = try #require(try child.named("Ann", "Person"))
        try root.obtainPermanentIDs(for: [ann])
        #expect(!ann.objectID.isTemporaryID)
        #expect(child.object(with: ann.objectID) === known)
        #expect(child.registeredObject(for: ann.objectID) === known)
        try root.save()
        #expect(child.object(with: ann.objectID) === known)
        #expect(known.objectID == ann.objectID)
        #expect(child.registeredObjects == [known])
    }

    @Test func a_fault_made_by_an_early_permanent_id_is_the_object_that_fetches_find() throws {
        let (_, root, child) = try family()
        let ann = root.make("Person", ["name": "Ann"])
        let bob = root.make("Person", ["name": "Bob", "spouse": ann])
        try root.obtainPermanentIDs(for: [ann])
        let theirs = child.object(with: ann.objectID)
        #expect(theirs.objectID == ann.objectID && theirs.isFault)
        #expect(try child.named("Ann", "Person") === theirs)
        let spouse = child.object(with: bob.objectID)
        #expect(spouse.one("spouse") === theirs)
        theirs.setValue(30, forKey: "age")
        try child.save()
        #expect(ann.number("age") == 30)
        try root.save()
        #expect(child.object(with: ann.objectID) === theirs && !theirs.objectID.isTemporaryID)
        #expect(theirs.one("spouse") === spouse && spouse.text("name") == "Bob")
        #expect(child.registeredObjects == [theirs, spouse])
    }

    @Test func a_reservation_ends_with_the_save_where_nobody_listens() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item", ["name": "a"])
        try stack.context.obtainPermanentIDs(for: [item])
        try stack.context.save()
        let late = Stack.child(of: stack.context)
        #expect(late.object(with: item.objectID).text("name") == "a")
        #expect(late.object(with: item.objectID).objectID == item.objectID)
    }

    /// Each descendant takes over the permanent keys when it is used: at each save, at some, or
    /// once after all; what it has read before leads to the saved objects all the same.
    @Test func descendants_that_are_used_at_different_times_find_what_was_saved() throws {
        let (_, root, often) = try family()
        let (seldom, idle) = (Stack.child(of: root), Stack.child(of: root))
        let below = Stack.child(of: idle)
        let all = [often, seldom, idle, below]
        let ann = root.make("Person", ["name": "Ann"])
        var read: [[NSManagedObject]] = all.map { _ in [] }
        for number in 0..<24 {
            let tag = root.make("Tag", ["name": "\(number)"])
            let person = root.make(
                "Person", ["name": "p\(number)", "parent": ann, "favourite": tag])
            person.setValue(Set([tag]), forKey: "tags")
            person.setValue(Set([tag]), forKey: "watched")
            for (place, context) in all.enumerated() {
                let isUsed = place == 0 || (place == 1 && number % 5 == 2) || number == 3
                guard isUsed else { continue }
                for former in read[place] {
                    #expect(former.names("tags") == [String(former.text("name").dropFirst())])
                }
                let theirs = try #require(try context.named("p\(number)", "Person"))
                #expect(theirs.names("tags") == ["\(number)"])
                #expect(theirs.one("parent")?.objectID.isTemporaryID == (number == 0))
                read[place].append(theirs)
            }
            if number % 2 == 0 { try root.save() }
        }
        try root.save()
        #expect(read.map(\.count) == [24, 6, 1, 1])
        for (place, context) in all.enumerated() {
            let tags = try context.all("Tag")
            for former in read[place] {
                #expect(try context.named(former.text("name"), "Person") === former)
                #expect(former.names("tags") == [String(former.text("name").dropFirst())])
                #expect(former.many("tags").isSubset(of: Set(tags)))
                #expect(former.many("watched") == former.many("tags"))
                #expect(former.many("watched") == Set([former.one("favourite")].compactMap { $0 }))
                #expect(try former.one("parent") === context.named("Ann", "Person"))
            }
        }
    }

    @Test func an_attribute_that_is_an_id_follows_the_save() throws {
        let model = Build.model(
            Build.entity(
                "Thing",
                [Build.attribute("name"), Build.attribute("link", .objectIDAttributeType)]))
        let (_, root, child) = try family(model)
        let first = root.make("Thing", ["name": "a"])
        let second = root.make("Thing", ["name": "b", "link": first.objectID])
        let theirs = child.object(with: second.objectID)
        #expect((theirs.value(forKey: "link") as? NSManagedObjectID)?.isTemporaryID == true)
        try root.save()
        #expect(try child.all("Thing").count == 2)
        root.make("Thing", ["name": "c"])
        try root.save()
        #expect(try child.all("Thing").count == 3)
        #expect(theirs.value(forKey: "link") as? NSManagedObjectID == first.objectID)
        #expect(!first.objectID.isTemporaryID)
    }
}
