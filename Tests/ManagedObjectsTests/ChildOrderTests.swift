// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Orders that a child context makes, pushed into its parent and saved from there.
@Suite(.inBothPlaces) struct ChildOrderTests {
    private let stack: Stack
    private let root: NSManagedObjectContext
    private let child: NSManagedObjectContext

    init() throws {
        stack = try Stack(MusicModel.make())
        _ = try stack.album("One", "abcd")
        root = stack.container.newBackgroundContext()
        child = Stack.child(of: root)
    }

    private func letters(_ context: NSManagedObjectContext) throws -> String? {
        try context.named("One", "Album")?.letters()
    }

    private func expect(_ letters: String) throws {
        #expect(try self.letters(child) == letters)
        #expect(try self.letters(root) == letters)
        try root.save()
        #expect(try self.letters(child) == letters)
        #expect(try self.letters(root) == letters)
        #expect(try stack.reading { try self.letters($0) } == letters)
    }

    @Test func appended_in_another_order_than_inserted() throws {
        let album = try #require(try child.named("One", "Album"))
        let (x, y, z) = (
            child.make("Track", ["name": "x"]), child.make("Track", ["name": "y"]),
            child.make("Track", ["name": "z"])
        )
        for track in [z, x, y] { album.mutableOrderedSetValue(forKey: "tracks").add(track) }
        try child.save()
        try expect("abcdzxy")
    }

    @Test func a_new_album_keeps_the_order_of_its_new_tracks() throws {
        let tracks = "xyz".map { child.make("Track", ["name": "\($0)"]) }
        let album = child.make("Album", ["name": "Two"])
        album.setValue(NSOrderedSet(array: [tracks[2], tracks[0], tracks[1]]), forKey: "tracks")
        try child.save()
        #expect(try root.named("Two", "Album")?.letters() == "zxy")
        try root.save()
        #expect(album.letters() == "zxy")
        #expect(try stack.reading { try $0.named("Two", "Album")?.letters() } == "zxy")
    }

    @Test func a_member_that_leaves_and_comes_back_is_last() throws {
        let album = try #require(try child.named("One", "Album"))
        let track = try album.track("b")
        track.setValue(nil, forKey: "album")
        track.setValue(album, forKey: "album")
        #expect(album.letters() == "acdb")
        try child.save()
        try expect("acdb")
    }

    @Test func both_sides_in_order() throws {
        let tracks = "xyz".map { child.make("Track", ["name": "\($0)"]) }
        let lists = "pq".map { child.make("Playlist", ["name": "\($0)"]) }
        lists[1].setValue(NSOrderedSet(array: [tracks[2], tracks[1]]), forKey: "tracks")
        lists[0].setValue(NSOrderedSet(array: [tracks[1], tracks[0], tracks[2]]), forKey: "tracks")
        #expect(tracks.map { $0.letters("playlists") } == ["p", "qp", "qp"])
        try child.save()
        try root.save()
        #expect(lists.map { $0.letters() } == ["yxz", "zy"])
        try stack.reading { context in
            let found = try "pq".map { try context.named("\($0)", "Playlist")?.letters() }
            #expect(found == ["yxz", "zy"])
            let names = try "xyz".map { try context.named("\($0)", "Track")?.letters("playlists") }
            #expect(names == ["p", "qp", "qp"])
        }
    }

    @Test func an_order_meets_a_conflict_at_the_root() throws {
        root.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        let album = try #require(try child.named("One", "Album"))
        album.setValue(NSOrderedSet(array: album.ordered("tracks").reversed()), forKey: "tracks")
        try child.save()
        let other = stack.container.newBackgroundContext()
        let theirs = try #require(try other.named("One", "Album"))
        theirs.mutableOrderedSetValue(forKey: "tracks").add(other.make("Track", ["name": "e"]))
        other.delete(try theirs.track("b"))
        try other.save()
        try root.save()
        let found = try letters(root)
        #expect(found == "dcae")
        child.refreshAllObjects()
        let read = try letters(child)
        #expect(read == "dcae")
        #expect(try stack.reading { try self.letters($0) } == "dcae")
    }

    private func reverse(_ album: NSManagedObject) {
        album.setValue(NSOrderedSet(array: album.ordered("tracks").reversed()), forKey: "tracks")
    }

    @Test func members_that_the_parent_has_added_or_removed_meanwhile_are_not_lost() throws {
        let album = try #require(try child.named("One", "Album"))
        reverse(album)
        album.mutableOrderedSetValue(forKey: "tracks").insert(
            child.make("Track", ["name": "x"]), at: 0)
        let twin = try #require(try root.named("One", "Album"))
        twin.mutableOrderedSetValue(forKey: "tracks").add(root.make("Track", ["name": "e"]))
        root.delete(try twin.track("b"))
        root.processPendingChanges()
        try child.save()
        #expect(twin.letters() == "xdcae")
        child.refreshAllObjects()
        try expect("xdcae")
    }

    @Test func two_siblings_reorder_and_add() throws {
        let sibling = Stack.child(of: root)
        let album = try #require(try child.named("One", "Album"))
        let other = try #require(try sibling.named("One", "Album"))
        reverse(album)
        other.mutableOrderedSetValue(forKey: "tracks").add(sibling.make("Track", ["name": "e"]))
        try sibling.save()
        try child.save()
        #expect(try letters(root) == "dcbae")
        reverse(album)
        try child.save()
        #expect(try letters(root) == "abcde")
        try root.save()
        #expect(try stack.reading { try self.letters($0) } == "abcde")
    }

    @Test func an_undone_order_keeps_unsaved_members_of_the_parent() throws {
        let made = root.make("Album", ["name": "Two"])
        made.setValue(
            NSOrderedSet(array: "xyz".map { root.make("Track", ["name": "\($0)"]) }),
            forKey: "tracks")
        child.undoManager = UndoManager()
        let album = try #require(try child.named("Two", "Album"))
        do {
            let tracks = album.ordered("tracks")
            album.setValue(
                NSOrderedSet(array: [tracks[1], tracks[2], tracks[0]]), forKey: "tracks")
        }
        child.processPendingChanges()
        try child.save()
        try root.save()
        #expect(album.letters() == "yzx")
        for number in 0..<2 {
            root.make("Album", ["name": "\(number)"])
            try root.save()
            #expect(try child.count("Album") == 3 + number)
        }
        child.undo()
        #expect(album.letters() == "xyz")
        try child.save()
        try root.save()
        #expect(try stack.reading { try $0.named("Two", "Album")?.letters() } == "xyz")
    }
}
