// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Raises its number to three, one step a call.
final class SettlingItem: NSManagedObject {
    var calls = 0

    override func willSave() {
        super.willSave()
        calls += 1
        if number("number") < 3 { setValue(number("number") + 1, forKey: "number") }
    }
}

/// Counts its saves in another object.
final class CountingItem: NSManagedObject {
    var events: [String] = []

    override func willSave() {
        events.append("willSave")
        guard let log = one("log"), log.number("count") < 1 else { return }
        log.setValue(1, forKey: "count")
    }

    override func validateForInsert() throws {
        events.append("validateForInsert")
        try super.validateForInsert()
    }

    override func validateForUpdate() throws {
        events.append("validateForUpdate")
        try super.validateForUpdate()
    }

    override func didSave() { events.append("didSave") }
}

/// The steps of a save: hooks until nothing changes any more, all failures at once, all or nothing.
@Suite struct SavePipelineTests {
    private func settlingModel() -> NSManagedObjectModel {
        Build.model(
            Build.entity(
                "Item",
                [
                    Build.attribute("name", isOptional: false),
                    Build.attribute("number", .integer64AttributeType, default: 0),
                ], class: SettlingItem.self))
    }

    private func countingModel() -> NSManagedObjectModel {
        let item = Build.entity(
            "Item", [Build.attribute("name", isOptional: false)], class: CountingItem.self)
        let log = Build.entity(
            "Log", [Build.attribute("count", .integer64AttributeType, default: 0)])
        Build.inverse(
            Build.relationship("log", of: item, to: log, max: 1),
            Build.relationship("items", of: log, to: item, max: 0))
        return Build.model(item, log)
    }

    @Test func willSave_runs_until_nothing_changes() throws {
        let stack = try Stack(settlingModel())
        let item = try #require(stack.context.make("Item", ["name": "a"]) as? SettlingItem)
        try stack.context.save()
        #expect(item.number("number") == 3)
        #expect(item.calls == 4)
        #expect(!stack.context.hasChanges)
        #expect(try stack.reading { try $0.all("Item").first?.number("number") } == 3)
    }

    @Test func willSave_may_change_objects_that_were_clean() throws {
        let stack = try Stack(countingModel())
        let log = stack.context.make("Log")
        try stack.context.save()
        let item = try #require(
            stack.context.make("Item", ["name": "a", "log": log]) as? CountingItem)
        try stack.context.save()
        #expect(try stack.reading { try $0.all("Log").first?.number("count") } == 1)
        #expect(item.events.first == "willSave" && item.events.last == "didSave")
        #expect(item.events.count { $0 == "validateForInsert" } == 1)
    }

    @Test func a_single_failure_is_thrown_as_itself() throws {
        let stack = try Stack(countingModel())
        let bad = stack.context.make("Item")
        stack.context.make("Item", ["name": "good"])
        let error = try #require(throws: CocoaError.self) { try stack.context.save() }
        #expect(error.errorCode == 1570)
        #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === bad)
        #expect(error.userInfo[NSDetailedErrorsKey] == nil)
    }

    @Test func all_failures_are_collected() throws {
        let stack = try Stack(countingModel())
        let kept = stack.context.make("Item", ["name": "kept"])
        try stack.context.save()
        let bad = [stack.context.make("Item"), kept, stack.context.make("Item")]
        kept.setValue(nil, forKey: "name")
        let error = try #require(throws: CocoaError.self) { try stack.context.save() }
        #expect(error.errorCode == 1560)
        let details = error.userInfo[NSDetailedErrorsKey] as? [CocoaError] ?? []
        #expect(details.map(\.errorCode) == [1570, 1570, 1570])
        let objects = details.compactMap {
            $0.userInfo[NSValidationObjectErrorKey] as? NSManagedObject
        }
        #expect(Set(objects) == Set(bad))
    }

    @Test func a_failed_save_leaves_everything_pending() throws {
        let stack = try Stack(countingModel())
        let updated = stack.context.make("Item", ["name": "updated"])
        let deleted = stack.context.make("Item", ["name": "deleted"])
        try stack.context.save()
        let saved = SetRecorder(.NSManagedObjectContextDidSave, stack.context)
        updated.setValue("changed", forKey: "name")
        stack.context.delete(deleted)
        let inserted = stack.context.make("Item", ["name": "inserted"])
        let bad = stack.context.make("Item")
        for _ in 0..<2 {
            #expect(code { try stack.context.save() } == 1570)
            #expect(stack.context.insertedObjects == [inserted, bad])
            #expect(stack.context.updatedObjects == [updated])
            #expect(stack.context.deletedObjects == [deleted])
            #expect(updated.text("name") == "changed" && inserted.objectID.isTemporaryID)
        }
        #expect(saved.sets.isEmpty)
        let fresh = stack.container.newBackgroundContext()
        #expect(try fresh.names("Item", "TRUEPREDICATE") == ["deleted", "updated"])
        bad.setValue("good", forKey: "name")
        try stack.context.save()
        #expect(
            saved.sets == [
                ["inserted": [inserted, bad], "updated": [updated], "deleted": [deleted]]
            ])
        #expect(
            try stack.container.newBackgroundContext().names("Item", "TRUEPREDICATE")
                == ["changed", "good", "inserted"])
    }

    @Test func the_store_trump_policy_keeps_the_stores_value() throws {
        let pair = try ConflictPair(["a"], policy: NSMergeByPropertyStoreTrumpMergePolicy)
        pair.theirs("a").setValue("store", forKey: "name")
        try pair.other.save()
        pair.mine("a").setValue("object", forKey: "name")
        try pair.context.save()
        #expect(pair.mine("a").text("name") == "store")
        #expect(try pair.stored("a") == ["store 1"])
    }

    @Test func the_object_trump_policy_keeps_the_objects_value() throws {
        let pair = try ConflictPair(["a"], policy: NSMergeByPropertyObjectTrumpMergePolicy)
        pair.theirs("a").setValue("store", forKey: "name")
        try pair.other.save()
        pair.mine("a").setValue("object", forKey: "name")
        try pair.context.save()
        #expect(pair.mine("a").text("name") == "object")
        #expect(try pair.stored("a") == ["object 1"])
    }

    @Test func each_save_of_a_change_raises_the_version_by_one() throws {
        let pair = try ConflictPair(["a"])
        for round in 1...3 {
            pair.theirs("a").setValue(round * 10, forKey: "number")
            try pair.other.save()
        }
        pair.mine("a").setValue("mine", forKey: "name")
        let error = try #require(throws: CocoaError.self) { try pair.context.save() }
        let conflict = (error.userInfo["conflictList"] as? [NSMergeConflict])?.first
        #expect(conflict?.oldVersionNumber == 1 && conflict?.newVersionNumber == 4)
    }

    @Test func objects_touched_through_an_inverse_take_part_in_locking() throws {
        let stack = try Stack(countingModel())
        let log = stack.context.make("Log")
        try stack.context.save()
        _ = log.number("count")
        let other = stack.container.newBackgroundContext()
        other.make("Item", ["name": "a", "log": other.object(with: log.objectID)])
        try other.save()
        log.setValue(5, forKey: "count")
        #expect(code { try stack.context.save() } == 133020)
    }

    @Test func every_new_context_has_the_error_policy() async throws {
        let stack = try Stack(ItemModel.make())
        #expect(stack.context.mergePolicy as AnyObject === NSMergePolicy.error)
        stack.context.mergePolicy = NSOverwriteMergePolicy
        let background = stack.container.newBackgroundContext()
        #expect(background.mergePolicy as AnyObject === NSMergePolicy.error)
        #expect(
            NSManagedObjectContext(.privateQueue).mergePolicy as AnyObject === NSMergePolicy.error)
        let isError = await stack.container.performBackgroundTask { context in
            context.mergePolicy as AnyObject === NSMergePolicy.error
        }
        #expect(isError)
    }

    @Test func a_save_without_changes_only_tells_that_it_was() throws {
        let stack = try Stack(ItemModel.make())
        let will = SetRecorder(.NSManagedObjectContextWillSave, stack.context)
        let did = SetRecorder(.NSManagedObjectContextDidSave, stack.context)
        try stack.context.save()
        #expect(will.sets.isEmpty && did.sets == [[:]])
        stack.context.make("Item")
        try stack.context.save()
        #expect(will.sets.count == 1 && did.sets.count == 2)
    }
}
