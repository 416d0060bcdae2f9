// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ManagedObjects

/// Another commit follows a context's own before the context's snapshot has moved there.
@Suite struct OvertakenSaveTests {
    private let stack: Stack
    private let mine: NSManagedObjectContext
    private let theirs: NSManagedObjectContext

    init() throws {
        let item = Build.entity(
            "Item",
            [
                Build.attribute("name"), Build.attribute("data", .binaryDataAttributeType),
                Build.attribute("number", .integer64AttributeType, default: 0),
            ])
        stack = try Stack(Build.model(item))
        mine = stack.container.newBackgroundContext()
        theirs = stack.container.newBackgroundContext()
    }

    /// Saves, and has another context save between the commit and the steps after it.
    private func save(_ meanwhile: () throws -> Void) throws {
        mine.processPendingChanges()
        let target = try SaveTarget(mainOf: mine)
        let writer = try SaveWriter(mine, target)
        let transactionID = try mine.write(writer, to: target)
        try meanwhile()
        _ = writer.finish(transactionID)
    }

    private func change(_ name: String, _ key: String, to value: Any?) throws {
        let item = try #require(try theirs.named(name, "Item"))
        item.setValue(value, forKey: key)
        try theirs.save()
    }

    @Test(arguments: [false, true]) func an_inserted_object_that_is_changed(reads: Bool) throws {
        if reads { _ = try mine.count("Item") }
        let item = mine.make("Item", ["name": "a", "number": 1])
        try save { try change("a", "number", to: 2) }
        #expect(item.number("number") == 1 && !item.isFault)
        item.setValue("b", forKey: "name")
        #expect(code { try mine.save() } == 133020)
        mine.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        try mine.save()
        #expect(item.text("name") == "b" && item.number("number") == 2)
    }

    @Test func an_updated_object_that_is_changed() throws {
        let item = mine.make("Item", ["name": "a", "number": 1])
        try mine.save()
        item.setValue("b", forKey: "name")
        try save { try change("b", "number", to: 2) }
        #expect(item.text("name") == "b" && item.number("number") == 1)
        item.setValue(3, forKey: "number")
        #expect(code { try mine.save() } == 133020)
        mine.refresh(item, mergeChanges: false)
        #expect(item.number("number") == 2)
    }

    @Test func an_object_that_is_deleted() throws {
        let item = mine.make("Item", ["name": "a", "number": 1])
        try save {
            theirs.delete(try #require(try theirs.named("a", "Item")))
            try theirs.save()
        }
        #expect(item.number("number") == 1)
        item.setValue(3, forKey: "number")
        #expect(code { try mine.save() } == 133020)
    }

    @Test func another_process_is_found_as_well() throws {
        let second = try stack.secondContainer().newBackgroundContext()
        let item = mine.make("Item", ["name": "a", "number": 1])
        try save {
            try #require(try second.named("a", "Item")).setValue(2, forKey: "number")
            try second.save()
        }
        item.setValue(3, forKey: "number")
        #expect(code { try mine.save() } == 133020)
    }

    @Test func objects_that_nobody_changed_meet_no_conflict() throws {
        let items = ["a", "b", "c"].map { mine.make("Item", ["name": $0, "number": 1]) }
        try save { try change("b", "number", to: 2) }
        items[0].setValue(4, forKey: "number")
        items[2].setValue(4, forKey: "number")
        try mine.save()
        // Equal values are not written, so there is no newer version to compare with.
        items[0].setValue(4, forKey: "number")
        items[2].setValue(5, forKey: "number")
        try save { try change("b", "number", to: 3) }
        items[0].setValue(6, forKey: "number")
        try mine.save()
        items[1].setValue(7, forKey: "number")
        #expect(code { try mine.save() } == 133020)
    }

    @Test func an_object_set_to_equal_values_is_compared_with_its_old_version() throws {
        let items = ["a", "b"].map { mine.make("Item", ["name": $0, "number": 1]) }
        try mine.save()
        items[0].setValue(1, forKey: "number")
        items[1].setValue(2, forKey: "number")
        try save { try change("a", "number", to: 9) }
        items[0].setValue("c", forKey: "name")
        #expect(code { try mine.save() } == 133020)
    }

    @Test func large_values_are_those_that_were_saved() throws {
        let (own, other) = (Data(repeating: 1, count: 5_000), Data(repeating: 2, count: 6_000))
        let item = mine.make("Item", ["name": "a", "data": own])
        try save { try change("a", "data", to: other) }
        #expect(item.value(forKey: "data") as? Data == own)
        mine.refresh(item, mergeChanges: false)
        #expect(item.value(forKey: "data") as? Data == other)
        item.setValue("b", forKey: "name")
        try save { try change("b", "data", to: own) }
        #expect(item.value(forKey: "data") as? Data == other)
    }
}
