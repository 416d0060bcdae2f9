// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Keeps what it computes of its name: the initial when it is asked for, the length at once.
final class TitledThing: NSManagedObject {
    var calls: [String] = []

    var initial: String {
        if let kept = primitiveValue(forKey: "initial") as? String { return kept }
        let made = String(text("name").prefix(1))
        setPrimitiveValue(made, forKey: "initial")
        return made
    }

    override class var keyValueAccessors: [KeyValueAccessor] {
        super.keyValueAccessors + [KeyValueAccessor("initial", \TitledThing.initial)]
    }

    override func awakeFromFetch() {
        super.awakeFromFetch()
        calls.append("fetch")
        setPrimitiveValue(text("name").count, forKey: "length")
    }

    override func willTurnIntoFault() {
        super.willTurnIntoFault()
        calls.append("willFault")
    }

    override func didTurnIntoFault() {
        super.didTurnIntoFault()
        calls.append("didFault")
    }
}

/// What an object has computed of values that others have changed goes with them.
@Suite(.inBothPlaces) struct MergedTransientTests {
    private let stack: Stack
    private let mine: NSManagedObjectContext
    private let theirs: NSManagedObjectContext

    init() throws {
        let initial = Build.attribute("initial")
        let length = Build.attribute("length", .integer64AttributeType)
        for attribute in [initial, length] { attribute.isTransient = true }
        stack = try Stack(
            Build.model(
                Build.entity(
                    "Thing", [Build.attribute("name"), Build.attribute("note"), initial, length],
                    class: TitledThing.self)))
        mine = stack.container.newBackgroundContext()
        theirs = stack.container.newBackgroundContext()
        mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    }

    /// Saved objects with values, and with what they have computed of these.
    private func make(_ names: String...) throws -> [TitledThing] {
        let made = names.map { theirs.make("Thing", ["name": $0]) }
        try theirs.save()
        let things = made.compactMap { mine.object(with: $0.objectID) as? TitledThing }
        for thing in things { #expect(thing.initial == String(thing.text("name").prefix(1))) }
        return things
    }

    private func rename(_ thing: NSManagedObject, _ name: String) throws {
        let twin = theirs.object(with: thing.objectID)
        twin.setValue(name, forKey: "name")
        try theirs.save()
        mine.mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextDidSave, object: theirs,
                userInfo: [NSUpdatedObjectsKey: Set([twin])]))
    }

    @Test func a_merge_makes_a_fault_of_an_object_without_changes() throws {
        let thing = try #require(try make("old").first)
        #expect(thing.number("length") == 3 && thing.calls == ["fetch"])
        try rename(thing, "newer")
        #expect(thing.isFault && thing.calls == ["fetch", "willFault", "didFault"])
        #expect(thing.initial == "n" && thing.number("length") == 5)
        #expect(thing.calls == ["fetch", "willFault", "didFault", "fetch"])
        #expect(!thing.hasChanges && !mine.hasChanges)
    }

    @Test func unsaved_changes_keep_what_goes_with_them() throws {
        let thing = try #require(try make("old").first)
        thing.setValue("mine", forKey: "note")
        try rename(thing, "newer")
        #expect(!thing.isFault && thing.calls == ["fetch"])
        #expect(thing.text("name") == "newer" && thing.text("note") == "mine")
        #expect(thing.initial == "o" && thing.number("length") == 3)
        try mine.save()
        #expect(thing.text("note") == "mine" && thing.text("name") == "newer")
    }

    @Test func merging_a_batch_update_drops_it_too() throws {
        let things = try make("a", "b")
        let update = NSBatchUpdateRequest(entityName: "Thing")
        update.predicate = NSPredicate(format: "name == 'b'")
        update.propertiesToUpdate = ["name": "c"]
        update.resultType = .updatedObjectIDsResultType
        let result = try theirs.execute(update) as? NSBatchUpdateResult
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: result?.result ?? []], into: [mine])
        #expect(things.map(\.initial) == ["a", "c"])
        #expect(things.map(\.calls.count) == [1, 4])
    }

    @Test func a_child_that_merges_drops_it_too() throws {
        let thing = try #require(try make("old").first)
        let child = Stack.child(of: mine)
        child.automaticallyMergesChangesFromParent = true
        let twin = try #require(child.object(with: thing.objectID) as? TitledThing)
        #expect(twin.initial == "o")
        thing.setValue("newer", forKey: "name")
        thing.setPrimitiveValue(nil, forKey: "initial")
        try mine.save()
        child.performAndWait { #expect(twin.initial == "n" && twin.number("length") == 5) }
    }

    @Test func sections_by_a_computed_key_follow_a_merge() throws {
        let things = try make("a1", "a2", "b1", "c1")
        let controller = mine.controller("Thing", by: ["name"], sections: "initial")
        let recorder = ResultsRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        #expect(controller.lines == ["a: a1 a2", "b: b1", "c: c1"])
        try rename(things[0], "d1")
        #expect(controller.lines == ["a: a2", "b: b1", "c: c1", "d: d1"])
        try rename(things[2], "c2")
        #expect(controller.lines == ["a: a2", "c: c1 c2", "d: d1"])
        try rename(things[2], "c0")
        #expect(controller.lines == ["a: a2", "c: c0 c1", "d: d1"])
    }
}
