// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Batch insertions: rows in every form, defaults, constraints, merging.
@Suite struct BatchInsertTests {
    private func insert(
        _ request: NSBatchInsertRequest, _ context: NSManagedObjectContext,
        _ type: NSBatchInsertRequestResultType = .objectIDs
    ) throws -> Any? {
        request.resultType = type
        let result = try #require(try context.execute(request) as? NSBatchInsertResult)
        #expect(result.resultType == type)
        return result.result
    }

    @Test func dictionaries_take_defaults_and_ignore_unknown_keys() throws {
        let stack = try Stack(PeopleModel.make())
        let request = NSBatchInsertRequest(
            entityName: "Person",
            objects: [
                ["name": "Ann", "age": 30], ["name": "Bob", "shoe": 43, "department": "x"],
                [:], ["name": NSNull()],
            ])
        #expect(request.resultType == .statusOnly && request.requestType.rawValue == 5)
        let ids = try #require(try insert(request, stack.context) as? [NSManagedObjectID])
        #expect(ids.count == 4 && !ids.contains { $0.isTemporaryID })
        let people = ids.map { stack.context.object(with: $0) }
        #expect(people.map { $0.text("name") } == ["Ann", "Bob", "-", "-"])
        #expect(people.map { $0.number("age") } == [30, 18, 18, 18])
        #expect(people[1].one("department") == nil)
        try stack.reopen()
        #expect(try stack.context.count("Person") == 4)
    }

    @Test func handlers_stop_at_true_without_that_row() throws {
        let stack = try Stack(ItemModel.make())
        var row = 0
        let dictionaries = NSBatchInsertRequest(entityName: "Item") { (item: NSMutableDictionary) in
            row += 1
            item["name"] = "d\(row)"
            if row == 2 { item["number"] = 7 }
            return row == 4
        }
        #expect(try insert(dictionaries, stack.context, .count) as? Int == 3)
        row = 0
        let objects = NSBatchInsertRequest(entityName: "Item") { (item: NSManagedObject) in
            row += 1
            #expect(item.value(forKey: "name") == nil && item.number("number") == 0)
            item.setValue("o\(row)", forKey: "name")
            if row == 1 { item.setValue(9, forKey: "number") }
            return row == 3
        }
        #expect(try insert(objects, stack.context, .statusOnly) as? Bool == true)
        let all = try stack.context.all("Item")
        #expect(all.map { $0.text("name") } == ["d1", "d2", "d3", "o1", "o2"])
        #expect(all.map { $0.number("number") } == [0, 7, 0, 9, 0])
    }

    @Test func nothing_to_insert_is_no_commit() throws {
        let stack = try Stack(ItemModel.make())
        let request = NSBatchInsertRequest(entityName: "Item", objects: [])
        #expect(try insert(request, stack.context, .count) as? Int == 0)
        #expect(try stack.context.count("Item") == 0)
    }

    @Test func a_value_of_the_wrong_class_inserts_nothing() throws {
        let stack = try Stack(ItemModel.make())
        let request = NSBatchInsertRequest(
            entityName: "Item", objects: [["name": "a"], ["number": "many"]])
        #expect(code { try stack.context.execute(request) } == 134070)
        #expect(try stack.context.count("Item") == 0)
    }

    @Test func a_mandatory_relationship_inserts_nothing() throws {
        let stack = try Stack(PeopleModel.make(isDepartmentOptional: false))
        let request = NSBatchInsertRequest(entityName: "Person", objects: [["name": "Ann"]])
        #expect(code { try stack.context.execute(request) } == 1570)
        #expect(try stack.context.count("Person") == 0)
    }

    @Test func the_error_policy_keeps_a_constraint_and_inserts_nothing() throws {
        let stack = try Stack(ItemModel.make(isUnique: true))
        stack.context.make("Item", ["name": "a", "number": 1])
        try stack.context.save()
        for names in [["b", "a"], ["c", "c"]] {
            let request = NSBatchInsertRequest(
                entityName: "Item", objects: names.map { ["name": $0] })
            #expect(code { try stack.context.execute(request) } == 133021)
            #expect(try stack.context.names("Item", "TRUEPREDICATE") == ["a"])
        }
    }

    @Test func trumping_objects_update_what_is_stored() throws {
        let stack = try Stack(ItemModel.make(isUnique: true))
        let stored = stack.context.make("Item", ["name": "a", "number": 1])
        try stack.context.save()
        stack.context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        let request = NSBatchInsertRequest(
            entityName: "Item",
            objects: [
                ["name": "a", "number": 2], ["name": "b", "number": 3],
                ["name": "b", "number": 4], ["name": "a", "number": 5],
            ])
        let ids = try #require(try insert(request, stack.context) as? [NSManagedObjectID])
        #expect(ids.count == 2 && ids.contains(stored.objectID))
        stack.context.refreshAllObjects()
        #expect(try stack.context.named("a", "Item")?.number("number") == 5)
        #expect(try stack.context.named("b", "Item")?.number("number") == 4)
        #expect(try stack.context.count("Item") == 2)
    }

    @Test func a_trumping_store_leaves_rows_out() throws {
        let stack = try Stack(ItemModel.make(isUnique: true))
        stack.context.make("Item", ["name": "a", "number": 1])
        try stack.context.save()
        stack.context.mergePolicy = NSMergeByPropertyStoreTrumpMergePolicy
        let request = NSBatchInsertRequest(
            entityName: "Item",
            objects: [["name": "a", "number": 2], ["name": "b", "number": 3], ["name": "b"]])
        #expect(try insert(request, stack.context, .count) as? Int == 1)
        stack.context.refreshAllObjects()
        #expect(try stack.context.named("a", "Item")?.number("number") == 1)
        #expect(try stack.context.named("b", "Item")?.number("number") == 3)
    }

    @Test func contexts_follow_by_merging() throws {
        let stack = try Stack(ItemModel.make())
        let other = stack.container.newBackgroundContext()
        stack.context.make("Item", ["name": "pending"])
        let request = NSBatchInsertRequest(entityName: "Item", objects: [["name": "a"]])
        let ids = try #require(try insert(request, stack.context) as? [NSManagedObjectID])
        #expect(stack.context.insertedObjects.count == 1)
        #expect(stack.context.registeredObject(for: ids[0]) == nil)
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSInsertedObjectIDsKey: ids], into: [other])
        #expect(try other.names("Item", "TRUEPREDICATE") == ["a"])
        #expect(try other.count("Item") == 1)
    }

    @Test func merging_brings_what_a_batch_has_updated_up_to_date() throws {
        let stack = try Stack(ItemModel.make(isUnique: true))
        let stored = stack.context.make("Item", ["name": "a", "number": 1])
        let own = stack.context.make("Item", ["name": "b", "number": 1])
        try stack.context.save()
        own.setValue(8, forKey: "number")
        let controller = stack.context.controller("Item", by: ["name"])
        let recorder = ResultsRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        let other = stack.container.newBackgroundContext()
        other.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        let rows = ["a", "b", "c"].map { ["name": $0, "number": 2] as [String: Any] }
        let request = NSBatchInsertRequest(entityName: "Item", objects: rows)
        let ids = try #require(try insert(request, other) as? [NSManagedObjectID])
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSInsertedObjectsKey: ids], into: [stack.context])
        #expect(stored.number("number") == 2 && own.number("number") == 8)
        #expect(
            recorder.take() == [
                "will", "update a 0.0 -", "update b 0.1 -", "insert c - 0.2", "did",
            ])
    }

    @Test func a_batch_larger_than_the_map_arrives_whole() throws {
        let stack = try Stack(ItemModel.make())
        let text = String(repeating: "x", count: 900)
        var row = 0
        let request = NSBatchInsertRequest(entityName: "Item") { (item: NSManagedObject) in
            row += 1
            item.setValue("\(row)\(text)", forKey: "name")
            item.setValue(row, forKey: "number")
            return row > 20_000
        }
        _ = try stack.context.count("Item")
        #expect(try insert(request, stack.context, .count) as? Int == 20_000)
        #expect(row == 20_001)
        #expect(try stack.context.count("Item") == 20_000)
        #expect(try stack.context.all("Item").map { $0.number("number") } == Array(1...20_000))
    }
}
