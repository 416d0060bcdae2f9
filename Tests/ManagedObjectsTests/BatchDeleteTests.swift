// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Batch deletions: what goes, delete rules in the store, merging.
@Suite(.inBothPlaces) struct BatchDeleteTests {
    private func request(
        _ entity: String, _ format: String? = nil
    ) -> NSBatchDeleteRequest {
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
        fetch.predicate = format.map { NSPredicate(format: $0) }
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeObjectIDs
        return request
    }

    private func ids(
        _ request: NSBatchDeleteRequest, _ context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID] {
        let result = try #require(try context.execute(request) as? NSBatchDeleteResult)
        return try #require(result.result as? [NSManagedObjectID])
    }

    @Test(arguments: [nil, "number >= 0"]) func all_go_and_contexts_follow(
        format: String?
    ) throws {
        let stack = try Stack(ItemModel.make(isUnique: true))
        let items = (0..<500).map { stack.context.make("Item", ["name": "\($0)", "number": $0]) }
        try stack.context.save()
        #expect(try stack.context.count("Item") == 500)
        let gone = try ids(request("Item", format), stack.context)
        #expect(gone == items.map(\.objectID))
        #expect(items[7].text("name") == "7" && !items[7].isDeleted)
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectsKey: gone], into: [stack.context])
        #expect(items[7].managedObjectContext == nil)
        #expect(try stack.context.count("Item") == 0)
        stack.context.make("Item", ["name": "7"])
        try stack.context.save()
        #expect(try stack.context.names("Item", "name == '7'") == ["7"])
    }

    @Test func limits_orders_and_counts() throws {
        let stack = try Stack(ItemModel.make())
        for number in 0..<10 {
            stack.context.make("Item", ["name": "\(number)", "number": number])
        }
        try stack.context.save()
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
        fetch.sortDescriptors = [NSSortDescriptor(key: "number", ascending: false)]
        fetch.fetchLimit = 3
        fetch.fetchOffset = 1
        let some = NSBatchDeleteRequest(fetchRequest: fetch)
        #expect(some.resultType == .resultTypeStatusOnly && some.requestType.rawValue == 7)
        var result = try stack.context.execute(some) as? NSBatchDeleteResult
        #expect(result?.result as? Bool == true)
        #expect(
            try stack.context.names("Item", "TRUEPREDICATE") == ["0", "1", "2", "3", "4", "5", "9"])
        let all = request("Item")
        all.resultType = .resultTypeCount
        result = try stack.context.execute(all) as? NSBatchDeleteResult
        #expect(result?.result as? Int == 7)
        result = try stack.context.execute(all) as? NSBatchDeleteResult
        #expect(result?.result as? Int == 0)
    }

    @Test func unsaved_objects_stay() throws {
        let stack = try Stack(ItemModel.make())
        stack.context.make("Item", ["name": "saved"])
        try stack.context.save()
        stack.context.make("Item", ["name": "pending"])
        #expect(try ids(request("Item"), stack.context).count == 1)
        try stack.context.save()
        #expect(try stack.context.names("Item", "TRUEPREDICATE") == ["pending"])
    }

    @Test func listed_objects_of_one_hierarchy() throws {
        let stack = try Stack(PeopleModel.make())
        let ann = stack.context.make("Person", ["name": "Ann"])
        let tag = stack.context.make("Tag", ["name": "t"])
        let unsaved = stack.context.make("Person", ["name": "new"])
        stack.context.delete(unsaved)
        try stack.context.save()
        let both = NSBatchDeleteRequest(objectIDs: [ann.objectID, tag.objectID])
        #expect(code { try stack.context.execute(both) } == 134070)
        #expect(try stack.context.count("Person") == 1)
        let one = NSBatchDeleteRequest(objectIDs: [ann.objectID])
        one.resultType = .resultTypeObjectIDs
        #expect(try ids(one, stack.context) == [ann.objectID])
        #expect(try stack.context.count("Person") == 0)
        #expect(try stack.context.count("Tag") == 1)
        #expect(try ids(one, stack.context) == [])
        _ = try stack.context.execute(NSBatchDeleteRequest(objectIDs: []))
    }

    @Test func nullify_and_links_of_every_kind() throws {
        let stack = try Stack(PeopleModel.make())
        let moc = stack.context
        let department = moc.make("Department", ["name": "d"])
        let ann = moc.make("Person", ["name": "Ann", "department": department])
        let bob = moc.make("Person", ["name": "Bob", "department": department])
        let passport = moc.make("Passport", ["name": "p", "holder": ann])
        let tag = moc.make("Tag", ["name": "t"])
        ann.setValue(Set([tag]), forKey: "tags")
        bob.setValue(Set([tag]), forKey: "tags")
        ann.setValue(Set([bob]), forKey: "friends")
        bob.setValue(ann, forKey: "parent")
        bob.setValue(ann, forKey: "spouse")
        try moc.save()
        let gone = try ids(request("Person", "name == 'Ann'"), moc)
        #expect(gone == [ann.objectID])
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectsKey: gone], into: [moc])
        moc.refreshAllObjects()
        #expect(department.names("employees") == ["Bob"] && tag.names("people") == ["Bob"])
        #expect(passport.one("holder") == nil && bob.one("parent") == nil)
        #expect(bob.one("spouse") == nil && bob.many("friends").isEmpty)
        bob.setValue("Bobby", forKey: "name")
        try moc.save()
        #expect(try ids(request("Department"), moc) == [department.objectID])
        moc.refreshAllObjects()
        #expect(bob.one("department") == nil)
    }

    @Test func cascades_take_along() throws {
        let stack = try Stack(PeopleModel.make(employeesRule: .cascadeDeleteRule))
        let moc = stack.context
        let department = moc.make("Department", ["name": "d"])
        let ann = moc.make("Person", ["name": "Ann", "department": department])
        let passport = moc.make("Passport", ["name": "p", "holder": ann])
        moc.make("Person", ["name": "Bob"])
        try moc.save()
        let gone = Set(try ids(request("Department"), moc))
        #expect(gone == [department.objectID, ann.objectID])
        moc.refreshAllObjects()
        #expect(passport.one("holder") == nil)
        #expect(try moc.names("Person", "TRUEPREDICATE") == ["Bob"])
    }

    @Test func a_mandatory_inverse_fails_and_deletes_nothing() throws {
        let stack = try Stack(PeopleModel.make(isDepartmentOptional: false))
        let moc = stack.context
        let department = moc.make("Department", ["name": "d"])
        let empty = moc.make("Department", ["name": "empty"])
        moc.make("Person", ["name": "Ann", "department": department])
        try moc.save()
        #expect(code { try moc.execute(request("Department")) } == 1570)
        #expect(try moc.count("Department") == 2)
        #expect(department.names("employees") == ["Ann"])
        #expect(try ids(request("Department", "name == 'empty'"), moc) == [empty.objectID])
    }
}
