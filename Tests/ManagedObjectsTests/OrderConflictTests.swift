// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// An order changed here and members changed elsewhere meet in a save.
@Suite(.inBothPlaces) struct OrderConflictTests {
    @Test(arguments: MergePolicyTests.Policy.allCases)
    func the_same_member_added_by_both_is_a_member(_ policy: MergePolicyTests.Policy) throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "ab")
        let track = stack.tracks("c")[0]
        try stack.context.save()
        let other = stack.container.newBackgroundContext()
        let theirs = try other.existingObject(with: track.objectID)
        _ = (track.text("name"), theirs.text("name"), theirs.one("album"), track.one("album"))
        stack.context.mergePolicy = policy.policy
        theirs.setValue(try other.existingObject(with: album.objectID), forKey: "album")
        track.setValue(album, forKey: "album")
        try other.save()
        try stack.context.save()
        let fresh = stack.container.newBackgroundContext()
        #expect(try fresh.existingObject(with: album.objectID).letters() == "abc")
        let member = try fresh.existingObject(with: track.objectID)
        #expect(member.one("album")?.objectID == album.objectID)
    }

    private let stack: Stack
    private let mine: NSManagedObjectContext
    private let theirs: NSManagedObjectContext

    init() throws {
        stack = try Stack(MusicModel.make())
        _ = try stack.album("One", "abcd")
        mine = stack.container.newBackgroundContext()
        theirs = stack.container.newBackgroundContext()
    }

    private func album(_ context: NSManagedObjectContext) throws -> NSManagedObject {
        try #require(try context.named("One", "Album"))
    }

    private func reverse(_ album: NSManagedObject) {
        album.setValue(NSOrderedSet(array: album.ordered("tracks").reversed()), forKey: "tracks")
    }

    private func editElsewhere() throws {
        let album = try album(theirs)
        album.mutableOrderedSetValue(forKey: "tracks").add(theirs.make("Track", ["name": "e"]))
        theirs.delete(try album.track("b"))
        try theirs.save()
    }

    @Test(arguments: [
        (NSMergePolicy.mergeByPropertyObjectTrump, "dcae"),
        (NSMergePolicy.mergeByPropertyStoreTrump, "dcae"),
        (NSMergePolicy.overwrite, "dcae"), (NSMergePolicy.rollback, "acde"),
    ])
    func both_are_kept(policy: NSMergePolicy, expected: String) throws {
        mine.mergePolicy = policy
        let own = try album(mine)
        reverse(own)
        own.setValue("Uno", forKey: "name")
        own.setValue("One", forKey: "name")
        try editElsewhere()
        try mine.save()
        #expect(own.letters() == expected)
        #expect(try stack.reading { try self.album($0).letters() } == expected)
        #expect(try stack.reading { try $0.count("Track") } == 4)
    }

    @Test func the_error_policy_reports_it_and_writes_nothing() throws {
        let own = try album(mine)
        reverse(own)
        try editElsewhere()
        #expect(code { try mine.save() } == 133020)
        #expect(own.ordered("tracks").count == 4 && own.hasChanges)
        #expect(try stack.reading { try self.album($0).letters() } == "acde")
        mine.refreshAllObjects()
        #expect(own.letters() == "dcae")
        try mine.save()
        #expect(try stack.reading { try self.album($0).letters() } == "dcae")
    }

    @Test func members_that_were_read_conflict_until_they_are_read_anew() throws {
        let id = try album(mine).objectID
        mine.reset()
        _ = try mine.count("Track")
        let own = mine.object(with: id)
        let read = own.objectIDs(forRelationshipNamed: "tracks")
        #expect(read.count == 4)
        try editElsewhere()
        own.mutableOrderedSetValue(forKey: "tracks").add(mine.make("Track", ["name": "f"]))
        // One of the four was deleted elsewhere.
        #expect(own.objectIDs(forRelationshipNamed: "tracks").dropLast() == read[...])
        #expect(code { try mine.save() } == 133020)
        mine.refresh(own, mergeChanges: true)
        #expect(own.letters() == "acdef")
        try mine.save()
        #expect(try stack.reading { try self.album($0).letters() } == "acdef")
    }

    @Test func a_transient_relationship_survives_a_conflict() throws {
        let list = stack.context.make("Playlist", ["name": "p"])
        try stack.context.save()
        mine.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        let own = try #require(try mine.named("p", "Playlist"))
        let track = try #require(try mine.named("a", "Track"))
        own.setValue(NSOrderedSet(array: [track]), forKey: "queue")
        own.setValue("q", forKey: "name")
        try mine.save()
        #expect(own.letters("queue") == "a")
        stack.context.refresh(list, mergeChanges: false)
        list.setValue("r", forKey: "name")
        try stack.context.save()
        own.setValue("s", forKey: "name")
        try mine.save()
        #expect(own.letters("queue") == "a")
    }
}
