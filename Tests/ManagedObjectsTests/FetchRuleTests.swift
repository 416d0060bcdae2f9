// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// What fetches return at their limits, and what they refuse.
@Suite struct FetchRuleTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws {
        let model = PeopleModel.make()
        let mood = Build.attribute("mood")
        mood.isTransient = true
        model.entitiesByName["Person"]?.properties.append(mood)
        stack = try Stack(model)
        for (name, age) in [("c", 1), ("a", 2), ("b", 2)] {
            stack.context.make("Person", ["name": name, "age": age])
        }
        try stack.context.save()
    }

    private func request<Result>(
        _ type: Result.Type, by keys: String...
    ) -> NSFetchRequest<Result> {
        let request = NSFetchRequest<Result>(entityName: "Person")
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        return request
    }

    private func names(_ request: NSFetchRequest<NSManagedObject>) throws -> [String] {
        try context.fetch(request).map { $0.text("name") }
    }

    @Test func offsets_and_limits_at_the_end() throws {
        let all = request(NSManagedObject.self, by: "name")
        all.fetchOffset = 2
        #expect(try names(all) == ["c"])
        all.fetchOffset = 3
        #expect(try names(all) == [])
        all.fetchOffset = 30
        all.fetchLimit = 2
        #expect(try names(all) == [] && context.count(for: all) == 0)
        all.fetchOffset = 1
        #expect(try names(all) == ["b", "c"])
        context.make("Person", ["name": "aa"])
        #expect(try names(all) == ["aa", "b"])
        all.fetchLimit = 0
        #expect(try names(all) == ["aa", "b", "c"])
    }

    @Test func hints_change_nothing() throws {
        let all = request(NSManagedObject.self, by: "name")
        all.fetchBatchSize = 1
        all.relationshipKeyPathsForPrefetching = ["department", "department.employees"]
        all.includesPropertyValues = false
        all.returnsObjectsAsFaults = false
        all.propertiesToFetch = ["name"]
        let found = try context.fetch(all)
        #expect(found.map { $0.text("name") } == ["a", "b", "c"])
        #expect(found.map { $0.number("age") } == [2, 2, 1])
    }

    @Test func a_copy_is_a_request_of_its_own() throws {
        let all = request(NSManagedObject.self, by: "name")
        all.predicate = NSPredicate(format: "age == 2")
        all.fetchLimit = 5
        let copy = try #require(all.copy() as? NSFetchRequest<NSManagedObject>)
        copy.predicate = nil
        copy.fetchLimit = 1
        #expect(try names(all) == ["a", "b"] && names(copy) == ["a"])
        #expect(copy.entityName == "Person" && copy !== all)
    }

    @Test func identifiers_keep_the_order() throws {
        let ids = request(NSManagedObjectID.self, by: "age", "name")
        ids.resultType = .managedObjectIDResultType
        ids.includesPropertyValues = false
        let found = try context.fetch(ids)
        #expect(found.map { context.object(with: $0).text("name") } == ["c", "a", "b"])
        let new = context.make("Person", ["name": "0", "age": 0])
        #expect(try context.fetch(ids).first == new.objectID)
        #expect(new.objectID.isTemporaryID)
    }

    @Test func counts_see_unsaved_changes_and_dictionaries_do_not() throws {
        context.make("Person", ["name": "new"])
        let count = request(NSNumber.self)
        count.resultType = .countResultType
        #expect(try context.fetch(count) == [4])
        let rows = request(NSDictionary.self)
        rows.resultType = .dictionaryResultType
        #expect(try context.fetch(rows).count == 3)
        count.includesPendingChanges = false
        #expect(try context.fetch(count) == [3])
    }

    @Test(arguments: ["mood", "tags.name", "shoe", ""]) func keys_that_cannot_be_sorted_by(
        key: String
    ) throws {
        let wrong = request(NSManagedObject.self, by: key)
        #expect(code { _ = try context.fetch(wrong) } == 134070)
        context.make("Person", ["name": "new"])
        #expect(code { _ = try context.fetch(wrong) } == 134070)
    }

    @Test func a_path_may_lead_through_several_to_many_relationships() throws {
        let tag = context.make("Tag", ["name": "t"])
        for name in ["a", "b"] {
            try #require(try context.named(name, "Person")).setValue(Set([tag]), forKey: "tags")
        }
        #expect(try context.names("Person", "ANY tags.people.name == 'b'") == ["a", "b"])
        try context.save()
        #expect(try context.names("Person", "ANY tags.people.name == 'b'") == ["a", "b"])
        #expect(try context.names("Person", "ANY tags.people.name == 'c'") == [])
    }

    @Test func results_do_not_follow_the_store() throws {
        let found = try context.fetch(request(NSManagedObject.self, by: "name"))
        context.delete(found[0])
        context.make("Person", ["name": "d"])
        try context.save()
        #expect(found.count == 3)
    }

    @Test func a_coordinator_without_stores_has_nothing_to_fetch() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ItemModel.make())
        let empty = NSManagedObjectContext(.privateQueue)
        empty.persistentStoreCoordinator = coordinator
        empty.performAndWait {
            #expect(code { _ = try empty.all("Item") } == 134070)
            #expect(code { _ = try empty.count("Item") } == 134070)
        }
    }

    @Test func a_column_has_a_type_by_either_name() throws {
        let oldest = NSExpressionDescription()
        oldest.name = "oldest"
        oldest.expression = NSExpression(
            forFunction: "max:", arguments: [NSExpression(forKeyPath: "age")])
        oldest.resultType = .decimal
        #expect(oldest.expressionResultType == .decimalAttributeType)
        let rows = request(NSDictionary.self)
        rows.resultType = .dictionaryResultType
        rows.propertiesToFetch = [oldest]
        #expect(try context.fetch(rows).first?["oldest"] as? NSDecimalNumber == 2)
    }
}
