// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Live sets, primitive values, faults and IDs of relationships.
@Suite struct CollectionAccessTests {
    private static func names(_ set: NSSet) -> String {
        set.compactMap { ($0 as? NSManagedObject)?.text("name") }.sorted().joined()
    }

    @Test func mutableSetMaintainsInverses() throws {
        let stack = try Stack(MusicModel.make())
        let list = stack.context.make("Playlist")
        let tracks = stack.tracks("abc")
        let set = list.mutableSetValue(forKey: "likes")
        set.addObjects(from: tracks)
        #expect(tracks.allSatisfy { $0.many("likedBy") == [list] })
        #expect(list.hasChanges && tracks[0].hasChanges)
        set.remove(tracks[1])
        #expect(tracks[1].many("likedBy").isEmpty)
        #expect(set.count == 2 && set.contains(tracks[0]) && !set.contains(tracks[1]))
        #expect(Self.names(set) == "ac")
        try stack.context.save()
        tracks[1].setValue(Set([list]), forKey: "likedBy")
        #expect(Self.names(set) == "abc")
        set.minus([tracks[0]])
        set.intersect([tracks[1], tracks[0]])
        #expect(list.many("likes") == [tracks[1]])
        set.setSet([tracks[2]])
        #expect(list.names("likes") == ["c"])
        #expect(tracks[1].many("likedBy").isEmpty)
        set.removeAllObjects()
        #expect(set.allObjects.isEmpty)
        stack.context.rollback()
        #expect(Self.names(set) == "ac")
        #expect((set.copy() as? NSSet)?.count == 2)
    }

    @Test func counts_make_no_objects() throws {
        let stack = try Stack(MusicModel.make())
        let list = stack.context.make("Playlist")
        list.mutableSetValue(forKey: "likes").addObjects(from: stack.tracks("abc"))
        try stack.context.save()
        let fresh = stack.container.newBackgroundContext()
        fresh.retainsRegisteredObjects = true
        let theirs = try fresh.existingObject(with: list.objectID)
        #expect(theirs.value(forKeyPath: "likes.@count") as? Int == 3)
        #expect(theirs.mutableSetValue(forKey: "likes").count == 3)
        #expect(fresh.registeredObjects == [theirs])
    }

    @Test func a_live_set_counts_unsaved_changes() throws {
        let stack = try Stack(MusicModel.make())
        let list = stack.context.make("Playlist")
        let (tracks, set) = (stack.tracks("abcd"), list.mutableSetValue(forKey: "likes"))
        func counts() -> [Int?] { [set.count, list.value(forKeyPath: "likes.@count") as? Int] }
        #expect(counts() == [0, 0])
        set.addObjects(from: Array(tracks[..<3]))
        #expect(counts() == [3, 3])
        try stack.context.save()
        set.remove(tracks[0])
        #expect(counts() == [2, 2])
        set.add(tracks[3])
        #expect(counts() == [3, 3])
        tracks[1].setValue(Set<NSManagedObject>(), forKey: "likedBy")
        #expect(counts() == [2, 2])
        tracks[0].setValue(Set([list]), forKey: "likedBy")
        set.add(tracks[0])
        #expect(counts() == [3, 3])
        list.setValue(Set<NSManagedObject>(), forKey: "likes")
        #expect(counts() == [0, 0])
        stack.context.rollback()
        #expect(counts() == [3, 3])
    }

    @Test func mutableSetOfAnOrderedRelationship() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "abc")
        let set = album.mutableSetValue(forKey: "tracks")
        set.remove(try album.track("a"))
        set.add(stack.tracks("d")[0])
        #expect(album.letters() == "bcd")
    }

    @Test func primitiveSetsTouchNothingElse() throws {
        let stack = try Stack(MusicModel.make())
        let list = stack.context.make("Playlist")
        let tracks = stack.tracks("ab")
        try stack.context.save()
        list.setPrimitiveValue(Set([tracks[0]]), forKey: "likes")
        #expect(list.primitiveValue(forKey: "likes") as? Set<NSManagedObject> == [tracks[0]])
        #expect(list.many("likes") == [tracks[0]])
        #expect(tracks[0].many("likedBy").isEmpty)
        #expect(!list.hasChanges && !tracks[0].hasChanges)
        list.setPrimitiveValue(Set(tracks), forKey: "likes")
        #expect(list.many("likes") == Set(tracks))
        #expect(!list.hasChanges && tracks[1].many("likedBy").isEmpty)
        let album = try stack.album("x", "cd")
        let ordered = try #require(album.primitiveValue(forKey: "tracks") as? NSOrderedSet)
        #expect(ordered.letters == "cd")
        let track = try album.track("c")
        #expect(track.primitiveValue(forKey: "album") as? NSManagedObject === album)
        track.setPrimitiveValue(nil, forKey: "album")
        #expect(track.one("album") == nil && album.letters() == "cd")
    }

    @Test func collectionsAreLazy() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "abc")
        stack.context.reset()
        let context = stack.context
        let again = try #require(try context.named("x", "Album"))
        #expect(again.hasFault(forRelationshipNamed: "tracks"))
        let tracks = again.ordered("tracks")
        #expect(!again.hasFault(forRelationshipNamed: "tracks"))
        #expect(tracks.count == 3 && tracks.allSatisfy { $0.isFault })
        #expect(tracks[0].hasFault(forRelationshipNamed: "album"))
        #expect(tracks[0].text("name") == "a")
        #expect(!tracks[0].isFault && tracks[1].isFault)
        #expect(!tracks[0].hasFault(forRelationshipNamed: "album"))
        #expect(album.managedObjectContext == nil)
    }

    @Test func identifiersWithoutObjects() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "abc")
        let ids = album.ordered("tracks").map(\.objectID)
        let track = try album.track("b")
        #expect(track.objectIDs(forRelationshipNamed: "album") == [album.objectID])
        let fresh = stack.container.newBackgroundContext()
        let same = fresh.object(with: album.objectID)
        #expect(same.objectIDs(forRelationshipNamed: "tracks") == ids)
        #expect(fresh.registeredObjects == [same])
        track.setValue(nil, forKey: "album")
        #expect(track.objectIDs(forRelationshipNamed: "album") == [])
        let new = stack.tracks("d")[0]
        new.setValue(album, forKey: "album")
        #expect(album.objectIDs(forRelationshipNamed: "tracks").last == new.objectID)
        #expect(!new.hasFault(forRelationshipNamed: "album"))
        #expect(!new.hasFault(forRelationshipNamed: "playlists"))
    }

    @Test func transientRelationshipsFollowToPermanentKeys() throws {
        let stack = try Stack(MusicModel.make())
        let list = stack.context.make("Playlist")
        let tracks = stack.tracks("abc")
        list.setValue(tracks[1], forKey: "playing")
        list.setValue(NSOrderedSet(array: tracks.reversed()), forKey: "queue")
        try stack.context.save()
        #expect(list.one("playing") === tracks[1])
        #expect(list.letters("queue") == "cba")
        let more = stack.tracks("d")[0]
        list.setValue(more, forKey: "playing")
        list.mutableOrderedSetValue(forKey: "queue").insert(more, at: 0)
        try stack.context.save()
        #expect(list.one("playing") === more)
        #expect(list.letters("queue") == "dcba")
        #expect(
            stack.container.newBackgroundContext().object(with: list.objectID)
                .one("playing") == nil)
    }
}
