// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Live sets as values: what a program changes and then sets, or passes on.
@Suite struct LiveSetAssignmentTests {
    private func people() throws -> (Stack, NSManagedObject, NSManagedObject, [NSManagedObject]) {
        let stack = try Stack(PeopleModel.make())
        let tags = ["a", "b", "c"].map { stack.context.make("Tag", ["name": $0]) }
        let (ann, ben) = (stack.context.make("Person"), stack.context.make("Person"))
        ann.mutableSetValue(forKey: "tags").addObjects(from: tags)
        try stack.context.save()
        return (stack, ann, ben, tags)
    }

    @Test func a_changed_live_set_is_set_where_it_comes_from() throws {
        let (stack, ann, _, tags) = try people()
        let live = ann.mutableSetValue(forKey: "tags")
        live.remove(tags[1])
        ann.setValue(live, forKey: "tags")
        #expect(ann.many("tags") == [tags[0], tags[2]])
        ann.setValue(live, forKeyPath: "tags")
        ann["tags"] = live
        ann.setValuesForKeys(["tags": live])
        ann.setPrimitiveValue(live, forKey: "tags")
        #expect(ann.many("tags") == [tags[0], tags[2]])
        try stack.context.save()
        try stack.reopenChecked()
        #expect(try stack.context.all("Tag").filter { !$0.many("people").isEmpty }.count == 2)
    }

    @Test func a_live_set_is_set_elsewhere() throws {
        let (stack, ann, ben, tags) = try people()
        ben.setValue(ann.mutableSetValue(forKey: "tags"), forKey: "tags")
        #expect(ben.many("tags") == Set(tags) && ann.many("tags") == Set(tags))
        #expect(tags[0].many("people") == [ann, ben])
        let (team, other) = (stack.context.make("Department"), stack.context.make("Department"))
        team.mutableSetValue(forKey: "employees").add(ann)
        other.setValue(team.mutableSetValue(forKey: "employees"), forKey: "employees")
        #expect(other.many("employees") == [ann] && team.many("employees") == [])
    }

    @Test func a_set_of_foundation_in_a_user_info_is_merged() throws {
        let (stack, ann, _, tags) = try people()
        let context = stack.container.newBackgroundContext()
        let fresh = try context.existingObject(with: ann.objectID)
        _ = fresh.many("tags")
        ann.mutableSetValue(forKey: "tags").remove(tags[0])
        try stack.context.save()
        let changed = NSMutableSet(array: [ann])
        context.mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextDidSave, object: stack.context,
                userInfo: [NSUpdatedObjectsKey: changed]))
        #expect(fresh.names("tags") == ["b", "c"])
    }

    @Test func a_path_leads_to_a_live_set() throws {
        let (stack, ann, ben, tags) = try people()
        ben.setValue(ann, forKey: "parent")
        ben.mutableSetValue(forKeyPath: "parent.tags").remove(tags[0])
        #expect(ann.many("tags") == [tags[1], tags[2]])
        ann.mutableSetValue(forKeyPath: "tags").removeAllObjects()
        #expect(ann.many("tags").isEmpty)
        let music = try Stack(MusicModel.make())
        let album = try music.album("x", "abc")
        let track = try album.track("c")
        track.mutableOrderedSetValue(forKeyPath: "album.tracks")
            .moveObjects(at: IndexSet(integer: 2), to: 0)
        #expect(album.letters() == "cab")
        #expect(album.mutableOrderedSetValue(forKeyPath: "tracks").count == 3)
        withExtendedLifetime(stack) {}
    }
}
