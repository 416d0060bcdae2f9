// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

@Suite(.inBothPlaces) struct OrderedRelationshipTests {
    @Test func orderIsKeptAcrossSavesAndStores() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "dbcae")
        #expect(album.letters() == "dbcae")
        let id = album.objectID.uriRepresentation()
        try stack.reopen()
        let coordinator = stack.container.persistentStoreCoordinator
        let known = try #require(coordinator.managedObjectID(forURIRepresentation: id))
        let again = try stack.context.existingObject(with: known)
        #expect(again.letters() == "dbcae")
        #expect(again.ordered("tracks").allSatisfy { $0.one("album") === again })
        #expect(
            again.objectIDs(forRelationshipNamed: "tracks")
                == again.ordered("tracks").map(\.objectID))
    }

    @Test func inversesAppendAtTheEnd() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "ab")
        let other = try stack.album("y", "pq")
        stack.context.refresh(album, mergeChanges: false)
        let new = stack.tracks("cd")
        for track in new { track.setValue(album, forKey: "album") }
        // Not loaded meanwhile: the inverse alone was noted.
        #expect(album.hasFault(forRelationshipNamed: "tracks"))
        #expect(album.letters() == "abcd")
        new[0].setValue(other, forKey: "album")
        #expect(album.letters() == "abd")
        #expect(other.letters() == "pqc")
        try album.track("a").setValue(nil, forKey: "album")
        try other.track("p").setValue(album, forKey: "album")
        #expect(album.letters() == "bdp")
        try stack.context.save()
        #expect(album.letters() == "bdp")
        #expect(other.letters() == "qc")
        let fresh = stack.container.newBackgroundContext()
        #expect(fresh.object(with: album.objectID).letters() == "bdp")
    }

    @Test func leavingAndComingBackAppends() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "abc")
        let first = try album.track("a")
        stack.context.refresh(album, mergeChanges: false)
        first.setValue(nil, forKey: "album")
        first.setValue(album, forKey: "album")
        #expect(album.letters() == "bca")
        try stack.context.save()
        #expect(album.letters() == "bca")
    }

    @Test func replacingKeepsInverses() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "abc")
        let old = album.ordered("tracks")
        let new = stack.tracks("d")[0]
        album.setValue(NSOrderedSet(array: [new, old[2], old[0]]), forKey: "tracks")
        #expect(album.letters() == "dca")
        #expect(old[1].one("album") == nil)
        #expect(new.one("album") === album)
        #expect((album.changedValues()["tracks"] as? NSOrderedSet)?.letters == "dca")
        stack.context.rollback()
        #expect(album.letters() == "abc")
        #expect(old[1].one("album") === album)
    }

    @Test func unorderedSetsKeepWhatIsThere() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "abc")
        let tracks = album.ordered("tracks")
        album.setValue(Set([tracks[2], tracks[0], stack.tracks("d")[0]]), forKey: "tracks")
        #expect(album.letters() == "acd")
    }

    @Test func orderedOnBothSides() throws {
        let stack = try Stack(MusicModel.make())
        let lists = ["1", "2", "3"].map { stack.context.make("Playlist", ["name": $0]) }
        let tracks = stack.tracks("ab")
        for list in lists.reversed() {
            list.setValue(NSOrderedSet(array: tracks), forKey: "tracks")
        }
        #expect(tracks[0].letters("playlists") == "321")
        try stack.context.save()
        tracks[0].mutableOrderedSetValue(forKey: "playlists").insert(lists[0], at: 0)
        tracks[0].mutableOrderedSetValue(forKey: "playlists").moveObjects(
            at: IndexSet(integer: 2), to: 0)
        #expect(tracks[0].letters("playlists") == "132")
        #expect(lists.map { $0.letters() } == ["ab", "ab", "ab"])
        lists[2].setValue(NSOrderedSet(array: [tracks[1]]), forKey: "tracks")
        try stack.context.save()
        let fresh = stack.container.newBackgroundContext()
        #expect(fresh.object(with: tracks[0].objectID).letters("playlists") == "12")
        #expect(fresh.object(with: tracks[1].objectID).letters("playlists") == "321")
    }

    @Test func deletedMembersLeaveNoGap() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "abcd")
        stack.context.delete(try album.track("b"))
        stack.context.processPendingChanges()
        #expect(album.letters() == "acd")
        try stack.context.save()
        #expect(album.letters() == "acd")
        let fresh = stack.container.newBackgroundContext()
        #expect(fresh.object(with: album.objectID).letters() == "acd")
    }

    @Test func cascadesAndDenials() throws {
        let stack = try Stack(MusicModel.make(rule: .cascadeDeleteRule))
        let album = try stack.album("x", "abc")
        stack.context.delete(album)
        try stack.context.save()
        #expect(try stack.context.count("Track") == 0)
        let denying = try Stack(MusicModel.make(rule: .denyDeleteRule))
        let kept = try denying.album("x", "a")
        denying.context.delete(kept)
        #expect(code { try denying.context.save() } == 1600)
    }

    @Test func refreshingKeepsTheNewOrder() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "abc")
        #expect(album.letters() == "abc")
        let other = stack.container.newBackgroundContext()
        try other.performAndWait {
            let track = other.make("Track", ["name": "z"])
            let same = other.object(with: album.objectID)
            same.mutableOrderedSetValue(forKey: "tracks").insert(track, at: 0)
            same.mutableOrderedSetValue(forKey: "tracks").removeObject(at: 1)
            try other.save()
        }
        #expect(album.letters() == "abc")
        album.mutableOrderedSetValue(forKey: "tracks").exchangeObject(at: 0, withObjectAt: 2)
        #expect(album.letters() == "cba")
        stack.context.refresh(album, mergeChanges: true)
        // Its own order, without the track that was removed elsewhere, and the new one at the end.
        #expect(album.letters() == "cbz")
        stack.context.refresh(album, mergeChanges: false)
        #expect(album.letters() == "zbc")
    }

    @Test func withoutAnInverse() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "abc")
        let tracks = album.ordered("tracks")
        album.setValue(NSOrderedSet(array: tracks.reversed()), forKey: "bonus")
        try stack.context.save()
        #expect(album.letters("bonus") == "cba")
        let gone = stack.tracks("d")[0]
        album.mutableOrderedSetValue(forKey: "bonus").insert(gone, at: 1)
        stack.context.delete(gone)
        try stack.context.save()
        #expect(album.letters("bonus") == "cba")
    }

    @Test func predicatesSeeOrderedMembers() throws {
        let stack = try Stack(MusicModel.make())
        _ = try stack.album("x", "ab")
        _ = try stack.album("y", "cde")
        #expect(try stack.context.names("Album", "ANY tracks.name == %@", "d") == ["y"])
        #expect(try stack.context.names("Album", "tracks.@count == 2") == ["x"])
        #expect(try stack.context.names("Track", "album.name == %@", "x") == ["a", "b"])
    }

    @Test func permanentIDsBeforeTheSave() throws {
        let stack = try Stack(MusicModel.make())
        let album = stack.context.make("Album", ["name": "x"])
        let tracks = stack.tracks("abc")
        album.setValue(NSOrderedSet(array: tracks), forKey: "tracks")
        try stack.context.obtainPermanentIDs(for: [tracks[1], album])
        try stack.context.save()
        #expect(album.letters() == "abc")
        #expect(album.ordered("tracks") == tracks)
    }

    /// However it came to be so again.
    @Test func anOrderThatIsAsItIsStoredIsNoChange() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "abc")
        let tracks = album.ordered("tracks")
        func isUnchanged() -> Bool {
            !album.hasPersistentChangedValues && album.changedValues().isEmpty
        }
        album.setValue(NSOrderedSet(array: tracks), forKey: "tracks")
        #expect(isUnchanged())
        album.setValue(NSOrderedSet(array: tracks.reversed()), forKey: "tracks")
        #expect(!isUnchanged())
        album.setValue(NSOrderedSet(array: tracks), forKey: "tracks")
        #expect(isUnchanged())
        let live = album.mutableOrderedSetValue(forKey: "tracks")
        live.moveObjects(at: [0], to: 2)
        #expect(album.letters() == "bca" && !isUnchanged())
        live.moveObjects(at: [2], to: 0)
        #expect(album.letters() == "abc" && isUnchanged())
        let new = stack.tracks("d")[0]
        live.insert(new, at: 1)
        live.remove(new)
        #expect(album.letters() == "abc" && isUnchanged())
        // Nothing is in the way of what others change.
        let other = stack.container.newBackgroundContext()
        other.object(with: album.objectID).setValue("y", forKey: "name")
        try other.save()
        stack.context.delete(new)
        try stack.context.save()
        stack.context.refresh(album, mergeChanges: true)
        #expect(album.text("name") == "y" && album.letters() == "abc")
    }
}
