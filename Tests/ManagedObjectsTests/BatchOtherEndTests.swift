// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// What batch requests change at the other ends of relationships: contexts and the history follow.
@Suite(.inBothPlaces) struct BatchOtherEndTests {
    private func delete(
        _ objects: [NSManagedObject], _ context: NSManagedObjectContext
    ) throws {
        let request = NSBatchDeleteRequest(objectIDs: objects.map(\.objectID))
        request.resultType = .resultTypeObjectIDs
        let result = try #require(try context.execute(request) as? NSBatchDeleteResult)
        merge(NSDeletedObjectsKey, result.result, context)
    }

    private func move(
        _ format: String, _ entity: String, _ values: [String: Any],
        _ context: NSManagedObjectContext
    ) throws {
        let request = NSBatchUpdateRequest(entityName: entity)
        request.predicate = NSPredicate(format: format)
        request.propertiesToUpdate = values
        request.resultType = .updatedObjectIDsResultType
        let result = try #require(try context.execute(request) as? NSBatchUpdateResult)
        merge(NSUpdatedObjectsKey, result.result, context)
    }

    private func merge(_ key: String, _ ids: Any?, _ context: NSManagedObjectContext) {
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [key: ids ?? []], into: [context])
    }

    @Test func members_that_were_read_lose_deleted_objects() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("one", "abc")
        let playlist = stack.context.make("Playlist", ["name": "p"])
        playlist.setValue(NSOrderedSet(array: album.ordered("tracks")), forKey: "tracks")
        playlist.setValue(Set(album.ordered("tracks")), forKey: "likes")
        try stack.context.save()
        #expect(album.letters() == "abc" && playlist.letters() == "abc")
        #expect(playlist.names("likes") == ["a", "b", "c"])
        try delete([album.track("b")], stack.context)
        #expect(album.letters() == "ac" && playlist.letters() == "ac")
        #expect(playlist.names("likes") == ["a", "c"])
        #expect(!stack.context.hasChanges)
    }

    @Test func a_destination_that_was_read_is_gone() throws {
        let stack = try Stack(PeopleModel.make())
        let department = stack.context.make("Department", ["name": "d"])
        let ann = stack.context.make("Person", ["name": "Ann", "department": department])
        try stack.context.save()
        #expect(ann.one("department")?.text("name") == "d")
        try delete([department], stack.context)
        #expect(ann.one("department") == nil && !stack.context.hasChanges)
    }

    @Test func unsaved_changes_of_the_other_end_stay() throws {
        let stack = try Stack(PeopleModel.make())
        let department = stack.context.make("Department", ["name": "d"])
        let people = ["Ann", "Bob"].map {
            stack.context.make("Person", ["name": $0, "department": department])
        }
        try stack.context.save()
        #expect(department.names("employees") == ["Ann", "Bob"])
        department.setValue("changed", forKey: "name")
        stack.context.make("Person", ["name": "Cyd", "department": department])
        try delete([people[0]], stack.context)
        #expect(department.names("employees") == ["Bob", "Cyd"])
        try stack.context.save()
        #expect(try stack.context.names("Department", "employees.@count == 2") == ["changed"])
    }

    @Test func members_follow_a_batch_update() throws {
        let stack = try Stack(PeopleModel.make())
        let departments = ["d", "e"].map { stack.context.make("Department", ["name": $0]) }
        for name in ["Ann", "Bob"] {
            stack.context.make("Person", ["name": name, "department": departments[0]])
        }
        try stack.context.save()
        #expect(departments.map { $0.names("employees") } == [["Ann", "Bob"], []])
        try move(
            "name == 'Ann'", "Person", ["department": departments[1].objectID], stack.context)
        #expect(departments.map { $0.names("employees") } == [["Bob"], ["Ann"]])
        try move(
            "name == 'Bob'", "Person", ["department": NSExpression(forConstantValue: nil)],
            stack.context)
        #expect(departments.map { $0.names("employees") } == [[], ["Ann"]])
        let constant = NSExpression(forConstantValue: departments[0].objectID)
        try move("name == 'Bob'", "Person", ["department": constant], stack.context)
        #expect(departments.map { $0.names("employees") } == [["Bob"], ["Ann"]])
        #expect(
            code {
                let computed = NSExpression(format: "department")
                try move("name == 'Bob'", "Person", ["department": computed], stack.context)
            } == 134070)
    }

    @Test func an_owner_that_was_changed_meets_a_conflict() throws {
        let stack = try Stack(PeopleModel.make())
        let department = stack.context.make("Department", ["name": "d"])
        let ann = stack.context.make("Person", ["name": "Ann", "department": department])
        try stack.context.save()
        department.setValue("changed", forKey: "name")
        try stack.context.execute(NSBatchDeleteRequest(objectIDs: [ann.objectID]))
        #expect(code { try stack.context.save() } == 133020)
    }

    @Test func the_history_names_both_ends() throws {
        let stack = try Stack.withHistory()
        let context = stack.context
        let people = ["Ann", "Bob"].map { context.make("Person", ["name": $0]) }
        for (number, name) in ["a", "b", "c"].enumerated() {
            context.make("Film", ["title": name, "director": people[number % 2]])
        }
        try context.save()
        try move("title == 'a'", "Film", ["director": people[1].objectID], context)
        let films = NSFetchRequest<any NSFetchRequestResult>(entityName: "Film")
        films.predicate = NSPredicate(format: "title == 'b'")
        try context.execute(NSBatchDeleteRequest(fetchRequest: films))
        try context.execute(NSBatchDeleteRequest(objectIDs: [people[1].objectID]))
        let start = NSPersistentHistoryChangeRequest.fetchHistory(
            after: try stack.history(.fetchHistory(after: nil as NSPersistentHistoryToken?))[0])
        #expect(
            try stack.history(start).map(\.story) == [
                "2 -: *Film/p1.director *Person/p1.films *Person/p2.films",
                "3 -: *Person/p2.films -Film/p2",
                "4 -: *Film/p1.director -Person/p2",
            ])
    }

    @Test func an_object_at_both_ends_is_told_once() throws {
        let model = PeopleModel.make()
        let person = try #require(model.entitiesByName["Person"])
        let boss = Build.relationship("chief", of: person, to: person, max: 1)
        Build.inverse(Build.relationship("team", of: person, to: person, max: 0), boss)
        let stack = try Stack(model)
        try stack.reopen([NSPersistentHistoryTrackingKey])
        let ann = stack.context.make("Person", ["name": "Ann"])
        let bob = stack.context.make("Person", ["name": "Bob", "chief": ann])
        try stack.context.save()
        try move("TRUEPREDICATE", "Person", ["chief": bob.objectID], stack.context)
        #expect(try stack.story().last == "2 -: *Person/p1.chief.team *Person/p2.chief.team")
        #expect(bob.names("team") == ["Ann", "Bob"] && ann.names("team") == [])
    }
}
