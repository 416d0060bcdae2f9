// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Batch requests of child contexts, and with large values.
@Suite struct BatchPlaceTests {
    @Test func a_child_sends_its_requests_to_the_store() throws {
        let stack = try Stack(ItemModel.make())
        let parent = stack.context
        let kept = parent.make("Item", ["name": "kept", "number": 1])
        try parent.save()
        parent.make("Item", ["name": "unsaved", "number": 1])
        kept.setValue("changed", forKey: "name")
        let child = Stack.child(of: parent)
        try child.performAndWait {
            let insert = NSBatchInsertRequest(
                entityName: "Item", objects: [["name": "a", "number": 1]])
            insert.resultType = .objectIDs
            let made = try #require(
                (try child.execute(insert) as? NSBatchInsertResult)?.result
                    as? [NSManagedObjectID])
            #expect(made.count == 1 && !made[0].isTemporaryID)
            let update = NSBatchUpdateRequest(entityName: "Item")
            update.propertiesToUpdate = ["number": 2]
            update.resultType = .updatedObjectsCountResultType
            #expect((try child.execute(update) as? NSBatchUpdateResult)?.result as? Int == 2)
            let delete = NSBatchDeleteRequest(objectIDs: made)
            delete.resultType = .resultTypeCount
            #expect((try child.execute(delete) as? NSBatchDeleteResult)?.result as? Int == 1)
        }
        // What the parent has not saved is as it was; its change meets a newer version.
        #expect(parent.insertedObjects.count == 1 && kept.text("name") == "changed")
        #expect(code { try parent.save() } == 133020)
        parent.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        try parent.save()
        #expect(try parent.names("Item", "number == 2") == ["changed"])
        #expect(try parent.names("Item", "number == 1") == ["unsaved"])
    }

    private func things() throws -> Stack {
        let value = Build.attribute("value", .binaryDataAttributeType)
        value.allowsExternalBinaryDataStorage = true
        return try Stack(Build.model(Build.entity("Thing", [Build.attribute("name"), value])))
    }

    private func data(_ count: Int, _ seed: UInt8 = 1) -> Data {
        Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ Int(seed)) })
    }

    @Test(arguments: [10, 5_000, 1_048_576]) func large_values_go_in_and_out(size: Int) throws {
        let stack = try things()
        let insert = NSBatchInsertRequest(
            entityName: "Thing",
            objects: [
                ["name": "a", "value": data(size)], ["name": "b", "value": data(size, 7)],
                ["name": "c"],
            ])
        try stack.context.execute(insert)
        var things = try stack.context.all("Thing")
        #expect(
            things.map { $0.value(forKey: "value") as? Data } == [data(size), data(size, 7), nil])
        let update = NSBatchUpdateRequest(entityName: "Thing")
        update.predicate = NSPredicate(format: "name != 'a'")
        update.propertiesToUpdate = ["value": data(size, 9)]
        try stack.context.execute(update)
        stack.context.refreshAllObjects()
        #expect(
            things.map { $0.value(forKey: "value") as? Data } == [
                data(size), data(size, 9), data(size, 9),
            ])
        update.predicate = NSPredicate(format: "name == 'c'")
        update.propertiesToUpdate = ["value": NSNull()]
        try stack.context.execute(update)
        update.predicate = NSPredicate(format: "name == 'b'")
        update.propertiesToUpdate = ["name": "a longer name than before"]
        try stack.context.execute(update)
        try stack.reopen()
        things = try stack.context.all("Thing")
        #expect(
            things.map { $0.value(forKey: "value") as? Data } == [data(size), data(size, 9), nil])
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Thing")
        let delete = NSBatchDeleteRequest(fetchRequest: fetch)
        delete.resultType = .resultTypeCount
        let result = try stack.context.execute(delete) as? NSBatchDeleteResult
        #expect(result?.result as? Int == 3)
        let next = NSBatchInsertRequest(entityName: "Thing", objects: [["name": "d"]])
        try stack.context.execute(next)
        #expect(try stack.context.all("Thing").map { $0.value(forKey: "value") as? Data } == [nil])
    }

    @Test func result_types_say_what_the_result_is() throws {
        let stack = try Stack(ItemModel.make())
        func insert(_ type: NSBatchInsertRequestResultType) throws -> Any? {
            let request = NSBatchInsertRequest(entityName: "Item", objects: [["name": "a"]])
            request.resultType = type
            return (try stack.context.execute(request) as? NSBatchInsertResult)?.result
        }
        func update(_ type: NSBatchUpdateRequestResultType) throws -> Any? {
            let request = NSBatchUpdateRequest(entityName: "Item")
            request.propertiesToUpdate = ["number": 1]
            request.resultType = type
            return (try stack.context.execute(request) as? NSBatchUpdateResult)?.result
        }
        func delete(_ type: NSBatchDeleteRequestResultType) throws -> Any? {
            let request = NSBatchDeleteRequest(
                fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Item"))
            request.resultType = type
            return (try stack.context.execute(request) as? NSBatchDeleteResult)?.result
        }
        #expect(try insert(.statusOnly) as? Bool == true)
        #expect(try insert(.count) as? Int == 1)
        #expect((try insert(.objectIDs) as? [NSManagedObjectID])?.count == 1)
        #expect(try update(.statusOnlyResultType) as? Bool == true)
        #expect(try update(.updatedObjectsCountResultType) as? Int == 3)
        #expect((try update(.updatedObjectIDsResultType) as? [NSManagedObjectID])?.count == 3)
        #expect((try delete(.resultTypeObjectIDs) as? [NSManagedObjectID])?.count == 3)
        #expect(try delete(.resultTypeCount) as? Int == 0)
        #expect(try delete(.resultTypeStatusOnly) as? Bool == true)
    }
}
