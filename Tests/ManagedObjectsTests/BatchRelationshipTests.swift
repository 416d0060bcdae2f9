// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Batch deletions and the relationships of what they delete: deny, order, mandatory sides.
@Suite(.inBothPlaces) struct BatchRelationshipTests {
    private func delete(
        _ entity: String, _ format: String? = nil, _ context: NSManagedObjectContext
    ) throws -> [NSManagedObjectID] {
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
        fetch.predicate = format.map { NSPredicate(format: $0) }
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeObjectIDs
        let result = try #require(try context.execute(request) as? NSBatchDeleteResult)
        let gone = try #require(result.result as? [NSManagedObjectID])
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectsKey: gone], into: [context])
        context.refreshAllObjects()
        return gone
    }

    @Test func a_deny_rule_nullifies() throws {
        let stack = try Stack(PeopleModel.make(employeesRule: .denyDeleteRule))
        let department = stack.context.make("Department", ["name": "d"])
        let ann = stack.context.make("Person", ["name": "Ann", "department": department])
        try stack.context.save()
        #expect(try delete("Department", nil, stack.context) == [department.objectID])
        #expect(ann.one("department") == nil)
        #expect(try stack.context.count("Person") == 1)
        ann.setValue("Anna", forKey: "name")
        try stack.context.save()
    }

    @Test func a_deny_rule_on_a_mandatory_side_deletes_nothing() throws {
        let stack = try Stack(
            PeopleModel.make(employeesRule: .denyDeleteRule, isDepartmentOptional: false))
        let department = stack.context.make("Department", ["name": "d"])
        stack.context.make("Person", ["name": "Ann", "department": department])
        try stack.context.save()
        #expect(code { _ = try delete("Department", nil, stack.context) } == 1570)
        #expect(department.names("employees") == ["Ann"])
    }

    @Test func orders_keep_what_stays() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("one", "abcdef")
        let playlist = stack.context.make("Playlist", ["name": "p"])
        let tracks = album.ordered("tracks")
        playlist.setValue(NSOrderedSet(array: tracks.reversed()), forKey: "tracks")
        playlist.setValue(Set(tracks), forKey: "likes")
        try stack.context.save()
        #expect(try delete("Track", "name IN {'b', 'e'}", stack.context).count == 2)
        #expect(album.letters() == "acdf" && playlist.letters() == "fdca")
        #expect(playlist.names("likes") == ["a", "c", "d", "f"])
        let more = NSOrderedSet(array: album.ordered("tracks") + stack.tracks("x"))
        album.setValue(more, forKey: "tracks")
        try stack.context.save()
        try stack.reopen()
        let again = try #require(try stack.context.named("one", "Album"))
        #expect(again.letters() == "acdfx")
    }

    @Test func an_ordered_cascade_takes_members_out_of_other_orders() throws {
        let stack = try Stack(MusicModel.make(rule: .cascadeDeleteRule))
        let album = try stack.album("one", "abc")
        let other = try stack.album("two", "xy")
        let playlist = stack.context.make("Playlist", ["name": "p"])
        playlist.setValue(
            NSOrderedSet(array: other.ordered("tracks") + album.ordered("tracks")),
            forKey: "tracks")
        try stack.context.save()
        #expect(try delete("Album", "name == 'one'", stack.context).count == 4)
        #expect(playlist.letters() == "xy" && other.letters() == "xy")
        #expect(try stack.context.names("Track", "TRUEPREDICATE") == ["x", "y"])
    }

    @Test func deleting_playlists_leaves_tracks_without_them() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("one", "ab")
        for name in ["p", "q"] {
            let playlist = stack.context.make("Playlist", ["name": name])
            playlist.setValue(NSOrderedSet(array: album.ordered("tracks")), forKey: "tracks")
        }
        try stack.context.save()
        #expect(try delete("Playlist", "name == 'p'", stack.context).count == 1)
        #expect(try album.track("a").ordered("playlists").map { $0.text("name") } == ["q"])
        #expect(album.letters() == "ab")
    }

    @Test func a_mandatory_to_many_side_keeps_its_last_member() throws {
        let model = PeopleModel.make()
        let employees = model.entitiesByName["Department"]?.relationshipsByName["employees"]
        employees?.isOptional = false
        employees?.minCount = 1
        let stack = try Stack(model)
        let department = stack.context.make("Department", ["name": "d"])
        for name in ["Ann", "Bob"] {
            stack.context.make("Person", ["name": name, "department": department])
        }
        try stack.context.save()
        #expect(code { _ = try delete("Person", nil, stack.context) } == 1570)
        #expect(department.names("employees") == ["Ann", "Bob"])
        #expect(try delete("Person", "name == 'Ann'", stack.context).count == 1)
        #expect(department.names("employees") == ["Bob"])
        #expect(code { _ = try delete("Person", nil, stack.context) } == 1570)
        #expect(try stack.context.count("Person") == 1)
    }

    /// A department of two, of which another context knows the name alone, and what a batch request
    /// has left of it.
    private func departmentOfBob(
        renaming name: String? = nil
    ) throws -> (Stack, NSManagedObjectContext, NSManagedObject) {
        let stack = try Stack(PeopleModel.make())
        let department = stack.context.make("Department", ["name": "d"])
        for name in ["Ann", "Bob"] {
            stack.context.make("Person", ["name": name, "department": department])
        }
        try stack.context.save()
        let mine = NSManagedObjectContext(.mainQueue)
        mine.persistentStoreCoordinator = stack.container.persistentStoreCoordinator
        let known = try #require(try mine.all("Department").first)
        #expect(known.text("name") == "d")
        if let name {
            department.setValue(name, forKey: "name")
            try stack.context.save()
        }
        let gone = try delete("Person", "name == 'Ann'", stack.context)
        known.setValue("mine", forKey: "name")
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSDeletedObjectsKey: gone], into: [mine])
        return (stack, mine, known)
    }

    @Test func an_object_that_lost_what_it_did_not_know_is_saved() throws {
        let (stack, mine, department) = try departmentOfBob()
        try mine.save()
        #expect(department.names("employees") == ["Bob"])
        try stack.reopen()
        let stored = try #require(try stack.context.named("mine", "Department"))
        #expect(stored.names("employees") == ["Bob"])
    }

    @Test func what_others_have_changed_besides_is_still_a_conflict() throws {
        let (_, mine, department) = try departmentOfBob(renaming: "theirs")
        #expect(code { try mine.save() } == 133020)
        mine.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try mine.save()
        #expect(department.text("name") == "theirs")
        #expect(department.names("employees") == ["Bob"])
    }
}
