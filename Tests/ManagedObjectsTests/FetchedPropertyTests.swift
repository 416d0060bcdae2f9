// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Properties whose values are fetched when they are read.
@Suite struct FetchedPropertyTests {
    /// People with `peers`, who are as old and of the same department, and `tagged`.
    private static func model(
        _ adjust: (NSFetchedPropertyDescription) -> Void = { _ in }
    ) -> NSManagedObjectModel {
        let model = PeopleModel.make()
        guard let person = model.entitiesByName["Person"] else { return model }
        let peers = NSFetchedPropertyDescription()
        peers.name = "peers"
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
        request.predicate = NSPredicate(
            format: "age == $FETCH_SOURCE.age AND SELF != $FETCH_SOURCE "
                + "AND department == $FETCH_SOURCE.department")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        peers.fetchRequest = request
        adjust(peers)
        let tagged = NSFetchedPropertyDescription()
        tagged.name = "tagged"
        tagged.userInfo = ["name": "t"]
        let tags = NSFetchRequest<any NSFetchRequestResult>()
        tags.entity = model.entitiesByName["Tag"]
        tags.predicate = NSCompoundPredicate(orPredicateWithSubpredicates: [
            NSPredicate(format: "name == $FETCHED_PROPERTY.name"),
            NSPredicate(format: "name == $FETCHED_PROPERTY.userInfo.name"),
        ])
        tagged.fetchRequest = tags
        person.properties += [peers, tagged]
        return model
    }

    private func people() throws -> (Stack, [NSManagedObject]) {
        let stack = try Stack(Self.model())
        let people = [("Ann", 30), ("Bob", 30), ("Cid", 30), ("Dan", 40)].map {
            stack.context.make("Person", ["name": $0.0, "age": $0.1])
        }
        try stack.context.save()
        return (stack, people)
    }

    private func names(_ object: NSManagedObject, _ key: String = "peers") -> [String] {
        (object.value(forKey: key) as? [NSManagedObject] ?? []).map { $0.text("name") }
    }

    @Test func variables_stand_for_the_object_and_its_property() throws {
        let (stack, people) = try people()
        #expect(names(people[0]) == ["Bob", "Cid"])
        #expect(names(people[3]) == [])
        for name in ["t", "tagged", "x"] { stack.context.make("Tag", ["name": name]) }
        #expect(names(people[0], "tagged").sorted() == ["t", "tagged"])
        let new = stack.context.make("Person", ["name": "Eve", "age": 40])
        #expect(names(new) == ["Dan"])
    }

    @Test func a_value_stays_until_the_object_is_refreshed() throws {
        let (stack, people) = try people()
        #expect(names(people[0]) == ["Bob", "Cid"])
        people[3].setValue(30, forKey: "age")
        #expect(names(people[0]) == ["Bob", "Cid"])
        stack.context.refresh(people[0], mergeChanges: true)
        #expect(names(people[0]) == ["Bob", "Cid", "Dan"])
        people[1].setValue(1, forKey: "age")
        stack.context.refresh(people[0], mergeChanges: false)
        #expect(people[0].isFault)
        #expect(names(people[0]) == ["Cid", "Dan"])
        #expect(!people[0].isFault && !people[0].hasChanges)
    }

    @Test func values_of_relationships_are_compared() throws {
        let (stack, people) = try people()
        let department = stack.context.make("Department", ["name": "d"])
        for index in [0, 2] { people[index].setValue(department, forKey: "department") }
        #expect(names(people[0]) == ["Cid"])
        #expect(names(people[1]) == [])
        try stack.context.save()
        stack.context.refreshAllObjects()
        #expect(names(people[2]) == ["Ann"])
    }

    @Test func the_user_info_may_change_while_the_model_is_in_use() throws {
        let (stack, people) = try people()
        for name in ["t", "u"] { stack.context.make("Tag", ["name": name]) }
        #expect(names(people[0], "tagged") == ["t"])
        let tagged = stack.model.entitiesByName["Person"]?.propertiesByName["tagged"]
        tagged?.userInfo?["name"] = "u"
        stack.context.refresh(people[0], mergeChanges: false)
        #expect(names(people[0], "tagged") == ["u"])
    }

    @Test func a_save_keeps_what_was_found() throws {
        let (stack, people) = try people()
        let eve = stack.context.make("Person", ["name": "Eve", "age": 40])
        let found = people[3].value(forKey: "peers") as? [NSManagedObject]
        #expect(found == [eve] && eve.objectID.isTemporaryID)
        try stack.context.save()
        let kept = people[3].value(forKey: "peers") as? [NSManagedObject]
        #expect(kept == [eve] && !eve.objectID.isTemporaryID)
    }

    @Test func a_child_finds_what_its_parent_has_not_saved() throws {
        let (stack, people) = try people()
        stack.context.make("Person", ["name": "Eve", "age": 40])
        let child = Stack.child(of: stack.context)
        child.performAndWait {
            let dan = child.object(with: people[3].objectID)
            #expect(names(dan) == ["Eve"])
            child.make("Person", ["name": "Fay", "age": 40])
            #expect(names(dan) == ["Eve"])
            child.refresh(dan, mergeChanges: true)
            #expect(names(dan) == ["Eve", "Fay"])
        }
    }

    @Test func two_that_find_each_other_go() throws {
        let (stack, people) = try people()
        weak var found: NSManagedObject?
        do {
            let other = try #require(
                (people[0].value(forKey: "peers") as? [NSManagedObject])?.first)
            #expect(names(other).contains("Ann"))
        }
        stack.context.reset()
        do {
            let again = try #require(try stack.context.named("Bob", "Person"))
            found = again
            #expect(names(again) == ["Ann", "Cid"])
        }
        #expect(found == nil)
    }

    @Test func other_result_types_and_key_paths() throws {
        let model = Self.model { $0.fetchRequest?.resultType = .managedObjectIDResultType }
        let stack = try Stack(model)
        let ann = stack.context.make("Person", ["name": "Ann", "age": 3])
        let bob = stack.context.make("Person", ["name": "Bob", "age": 3])
        try stack.context.save()
        #expect(ann.value(forKey: "peers") as? [NSManagedObjectID] == [bob.objectID])
        let (other, people) = try people()
        #expect(people[0].value(forKeyPath: "peers.@count") as? Int == 2)
        #expect(try other.context.count("Person") == 4)
    }

    @Test func descriptions_are_properties_and_are_copied() throws {
        let model = Self.model()
        let person = try #require(model.entitiesByName["Person"])
        #expect(person.propertiesByName["peers"] is NSFetchedPropertyDescription)
        #expect(person.attributesByName["peers"] == nil)
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        let tagged = try #require(
            copy.entitiesByName["Person"]?.propertiesByName["tagged"]
                as? NSFetchedPropertyDescription)
        #expect(tagged.fetchRequest?.entity === copy.entitiesByName["Tag"])
        #expect(tagged.fetchRequest?.entity !== model.entitiesByName["Tag"])
        let plain = PeopleModel.make()
        #expect(model.entityVersionHashesByName == plain.entityVersionHashesByName)
    }

    @Test func a_model_with_a_request_for_its_own_entity_goes() throws {
        weak var kept: NSEntityDescription?
        do {
            let model = Self.model()
            let person = try #require(model.entitiesByName["Person"])
            let peers = person.propertiesByName["peers"] as? NSFetchedPropertyDescription
            peers?.fetchRequest?.entity = person
            kept = person
            #expect(peers?.fetchRequest?.entity === kept)
        }
        #expect(kept == nil)
    }

    @Test func a_missing_request_is_refused() async {
        await #expect(processExitsWith: .failure) {
            _ = try Stack(FetchedPropertyTests.model { $0.fetchRequest = nil })
        }
    }

    @Test func a_request_for_an_unknown_entity_is_refused() async {
        await #expect(processExitsWith: .failure) {
            _ = try Stack(
                FetchedPropertyTests.model {
                    $0.fetchRequest = NSFetchRequest<any NSFetchRequestResult>(
                        entityName: "Nobody")
                })
        }
    }

    @Test func a_failing_fetch_finds_nothing_and_leaves_its_error() throws {
        let stack = try Stack(
            Self.model { $0.fetchRequest?.predicate = NSPredicate(format: "shoe == 43") })
        let ann = stack.context.make("Person", ["name": "Ann"])
        #expect((ann.value(forKey: "peers") as? [Any])?.isEmpty == true)
        #expect((stack.context.lastReadError as? CocoaError)?.errorCode == 134070)
    }

    @Test func it_cannot_be_set() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(FetchedPropertyTests.model())
            stack.context.make("Person", ["peers": []])
        }
    }
}
