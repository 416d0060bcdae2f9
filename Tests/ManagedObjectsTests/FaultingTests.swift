// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Counts its life-cycle calls.
final class HookedItem: NSManagedObject {
    var calls: [String] = []
    var willSaveHook: ((HookedItem) -> Void)?

    override func awakeFromInsert() {
        super.awakeFromInsert()
        calls.append("insert")
        setValue("born", forKey: "name")
    }

    override func awakeFromFetch() {
        super.awakeFromFetch()
        calls.append("fetch")
        setValue(value(forKey: "name"), forKey: "cache")
    }

    override func willSave() {
        super.willSave()
        calls.append("willSave")
        willSaveHook?(self)
    }

    override func didSave() {
        super.didSave()
        calls.append("didSave")
    }

    override func prepareForDeletion() {
        super.prepareForDeletion()
        calls.append("prepare")
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

enum HookedModel {
    static func make() -> NSManagedObjectModel {
        let cache = Build.attribute("cache")
        cache.isTransient = true
        return Build.model(
            Build.entity(
                "Item",
                [
                    Build.attribute("name"), cache,
                    Build.attribute("number", .integer64AttributeType),
                ], class: HookedItem.self))
    }
}

@Suite struct LifeCycleTests {
    private func reopened() throws -> (Stack, HookedItem) {
        let stack = try Stack(HookedModel.make())
        stack.context.make("Item")
        try stack.context.save()
        try stack.reopen()
        let item = try #require(try stack.context.all("Item").first as? HookedItem)
        return (stack, item)
    }

    @Test func insertion_save_and_deletion() throws {
        let stack = try Stack(HookedModel.make())
        let item = try #require(stack.context.make("Item") as? HookedItem)
        #expect(item.calls == ["insert"])
        #expect(item.text("name") == "born")
        try stack.context.save()
        #expect(item.calls == ["insert", "willSave", "didSave"])
        item.calls = []
        stack.context.delete(item)
        #expect(item.calls == ["prepare"])
        stack.context.delete(item)
        try stack.context.save()
        #expect(item.calls.prefix(3) == ["prepare", "willSave", "didSave"])
    }

    @Test func a_fault_awakes_once_and_unchanged() throws {
        let (stack, item) = try reopened()
        #expect(item.isFault && item.calls.isEmpty)
        #expect(item.description.contains("<fault>"))
        _ = (item.objectID, item.entity, item.isInserted, item.hash, item.hasChanges)
        #expect(item.isFault)
        #expect(item.text("name") == "born")
        #expect(!item.isFault)
        #expect(item.calls == ["fetch"])
        #expect(item.text("cache") == "born")
        #expect(!item.hasChanges && !stack.context.hasChanges)
        _ = try stack.context.all("Item")
        _ = item.number("number")
        #expect(item.calls == ["fetch"])
    }

    @Test func setting_a_fault_fires_it() throws {
        let (stack, item) = try reopened()
        item.setValue(3, forKey: "number")
        #expect(item.calls == ["fetch"])
        #expect(!item.isFault && item.isUpdated)
        #expect(item.text("name") == "born")
        try stack.context.save()
        #expect(item.number("number") == 3)
        #expect(item.text("cache") == "born")
    }

    @Test func refreshing_to_a_fault_and_back() throws {
        let (stack, item) = try reopened()
        _ = item.text("name")
        item.setValue("edited", forKey: "name")
        stack.context.refresh(item, mergeChanges: false)
        #expect(item.isFault && !item.hasChanges)
        #expect(!stack.context.hasChanges)
        #expect(item.text("name") == "born")
        #expect(item.calls == ["fetch", "willFault", "didFault", "fetch"])
    }

    @Test func refreshing_with_merge_keeps_edits() throws {
        let (stack, item) = try reopened()
        item.setValue("edited", forKey: "name")
        stack.context.refresh(item, mergeChanges: true)
        #expect(item.text("name") == "edited" && item.isUpdated)
        try stack.context.save()
        try stack.reopen()
        #expect(try stack.context.all("Item").first?.text("name") == "edited")
    }

    @Test func will_save_may_change_its_object() throws {
        let stack = try Stack(HookedModel.make())
        let item = try #require(stack.context.make("Item") as? HookedItem)
        item.willSaveHook = { item in
            if item.number("number") < 3 {
                item.setValue(max(item.number("number"), 0) + 1, forKey: "number")
            }
        }
        try stack.context.save()
        #expect(item.number("number") == 3)
        #expect(!stack.context.hasChanges)
        try stack.reopen()
        #expect(try stack.context.all("Item").first?.number("number") == 3)
    }

    @Test func will_save_that_never_stops_changing_traps() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(HookedModel.make())
            let item = stack.context.make("Item") as? HookedItem
            item?.willSaveHook = { $0.setValue($0.number("number") + 1, forKey: "number") }
            try stack.context.save()
        }
    }

    @Test func will_save_may_insert_and_delete_others() throws {
        let stack = try Stack(HookedModel.make())
        let item = try #require(stack.context.make("Item") as? HookedItem)
        let doomed = stack.context.make("Item")
        try stack.context.save()
        var isFirst = true
        item.willSaveHook = { item in
            guard isFirst, let context = item.managedObjectContext else { return }
            isFirst = false
            context.make("Item", ["number": 77])
            context.delete(doomed)
        }
        item.setValue(1, forKey: "number")
        try stack.context.save()
        #expect(!stack.context.hasChanges)
        try stack.reopen()
        #expect(try stack.context.all("Item").map { $0.number("number") }.sorted() == [1, 77])
    }

    @Test func primitive_setters_leave_no_mark() throws {
        let (stack, item) = try reopened()
        item.setPrimitiveValue("quiet", forKey: "name")
        #expect(!item.hasChanges && !stack.context.hasChanges)
        #expect(item.primitiveValue(forKey: "name") as? String == "quiet")
        #expect(item.text("name") == "quiet")
    }
}
