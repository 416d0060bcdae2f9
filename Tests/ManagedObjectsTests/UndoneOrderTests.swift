// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Undo of changes of ordered relationships that had not been read.
@Suite(.inBothPlaces) struct UndoneOrderTests {
    private let stack: Stack
    private let context: NSManagedObjectContext
    private let album: NSManagedObject

    init() throws {
        stack = try Stack(MusicModel.make())
        _ = try stack.album("One", "abcd")
        context = stack.container.newBackgroundContext()
        context.undoManager = UndoManager()
        album = try #require(try context.named("One", "Album"))
    }

    @Test func a_member_that_left_by_its_own_side_gets_its_place_back() throws {
        let track = try #require(try context.named("b", "Track"))
        track.setValue(nil, forKey: "album")
        context.undo()
        #expect(album.letters() == "abcd")
        context.redo()
        #expect(album.letters() == "acd")
        context.undo()
        try context.save()
        #expect(try stack.reading { try $0.named("One", "Album")?.letters() } == "abcd")
    }

    @Test func a_deleted_member_gets_its_place_back() throws {
        context.delete(try #require(try context.named("b", "Track")))
        context.processPendingChanges()
        context.undo()
        #expect(album.letters() == "abcd")
    }

    @Test func a_member_whose_deletion_was_saved_gets_its_place_back() throws {
        context.delete(try #require(try context.named("b", "Track")))
        try context.save()
        context.undo()
        #expect(album.letters() == "abcd")
        try context.save()
        #expect(try stack.reading { try $0.named("One", "Album")?.letters() } == "abcd")
    }

    @Test func an_order_comes_back_on_top_of_what_others_saved() throws {
        album.setValue(NSOrderedSet(array: album.ordered("tracks").reversed()), forKey: "tracks")
        try context.save()
        #expect(album.letters() == "dcba")
        let other = stack.container.newBackgroundContext()
        let theirs = try #require(try other.named("One", "Album"))
        theirs.mutableOrderedSetValue(forKey: "tracks").add(other.make("Track", ["name": "e"]))
        try other.save()
        context.refreshAllObjects()
        #expect(album.letters() == "dcbae")
        context.undo()
        #expect(album.letters() == "abcde")
        try context.save()
        #expect(try stack.reading { try $0.named("One", "Album")?.letters() } == "abcde")
    }

    @Test func an_order_that_was_put_back_does_not_hide_what_others_save() throws {
        let tracks = album.ordered("tracks")
        album.setValue(NSOrderedSet(array: tracks.reversed()), forKey: "tracks")
        album.setValue(NSOrderedSet(array: tracks), forKey: "tracks")
        try context.save()
        #expect(!context.hasChanges)
        let other = stack.container.newBackgroundContext()
        let theirs = try #require(try other.named("One", "Album"))
        theirs.setValue(NSOrderedSet(array: theirs.ordered("tracks").reversed()), forKey: "tracks")
        try other.save()
        context.refreshAllObjects()
        #expect(album.letters() == "dcba")
        album.setValue("Uno", forKey: "name")
        try context.save()
        #expect(try stack.reading { try $0.named("Uno", "Album")?.letters() } == "dcba")
    }
}
