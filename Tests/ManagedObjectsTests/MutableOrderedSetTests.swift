// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// One operation of the live ordered set, and the order it leads to.
struct OrderedSetStep: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let expected: String
    let run: @Sendable (NSMutableOrderedSet, [NSManagedObject]) -> Void

    init(
        _ name: String, _ expected: String,
        _ run: @escaping @Sendable (NSMutableOrderedSet, [NSManagedObject]) -> Void
    ) {
        testDescription = name
        self.expected = expected
        self.run = run
    }

    /// On tracks a, b, c, d with the new ones e and f.
    static let all = [
        OrderedSetStep("add", "abcde") { set, new in set.add(new[0]) },
        OrderedSetStep("add what is there", "abcd") { set, _ in set.add(set.object(at: 1)) },
        OrderedSetStep("addObjects", "abcdef") { set, new in set.addObjects(from: new) },
        OrderedSetStep("add a buffer", "abcdef") { set, new in
            let objects: [AnyObject] = new
            objects.withUnsafeBufferPointer { set.add($0.baseAddress, count: 2) }
        },
        OrderedSetStep("insert", "eabcd") { set, new in set.insert(new[0], at: 0) },
        OrderedSetStep("insert at the end", "abcde") { set, new in set.insert(new[0], at: 4) },
        OrderedSetStep("insert several", "eafbcd") { set, new in
            set.insert(new, at: IndexSet([0, 2]))
        },
        OrderedSetStep("removeObject", "abd") { set, _ in set.removeObject(at: 2) },
        OrderedSetStep("remove", "acd") { set, _ in set.remove(set.object(at: 1)) },
        OrderedSetStep("remove what is not there", "abcd") { set, new in set.remove(new[0]) },
        OrderedSetStep("removeObjects in", "bd") { set, _ in
            set.removeObjects(in: [set.object(at: 0), set.object(at: 2)])
        },
        OrderedSetStep("removeObjects range", "ad") { set, _ in
            set.removeObjects(in: NSRange(location: 1, length: 2))
        },
        OrderedSetStep("removeObjects at", "bc") { set, _ in
            set.removeObjects(at: IndexSet([0, 3]))
        },
        OrderedSetStep("removeAllObjects", "") { set, _ in set.removeAllObjects() },
        OrderedSetStep("replaceObject", "aecd") { set, new in set.replaceObject(at: 1, with: new[0])
        },
        OrderedSetStep("replaceObjects", "ebfd") { set, new in
            set.replaceObjects(at: IndexSet([0, 2]), with: new)
        },
        OrderedSetStep("replaceObjects by each other", "badc") { set, _ in
            set.replaceObjects(
                at: IndexSet([0, 1, 2, 3]), with: [1, 0, 3, 2].map { set.object(at: $0) })
        },
        // As on Apple's systems, where it changes nothing.
        OrderedSetStep("replaceObject by another that is there", "abcd") { set, _ in
            set.replaceObject(at: 0, with: set.object(at: 2))
        },
        OrderedSetStep("replaceObject by itself", "abcd") { set, _ in
            set.replaceObject(at: 2, with: set.object(at: 2))
        },
        OrderedSetStep("setObject that is there", "abcd") { set, _ in
            set.setObject(set.object(at: 3), at: 1)
        },
        OrderedSetStep("setObject that is there at the end", "abcd") { set, _ in
            set.setObject(set.object(at: 0), at: 4)
        },
        OrderedSetStep("subscript that is there", "abcd") { set, _ in set[3] = set[0] },
        OrderedSetStep("replaceObjects by others that are there", "abcd") { set, _ in
            set.replaceObjects(at: IndexSet([0]), with: [set.object(at: 3)])
        },
        OrderedSetStep("replaceObjects by one that is there and new ones", "abec") { set, new in
            set.replaceObjects(
                at: IndexSet([0, 2, 3]), with: [set.object(at: 1), new[0], set.object(at: 2)])
        },
        OrderedSetStep("replaceObjects by one another and one that is there", "bcd") { set, _ in
            set.replaceObjects(at: IndexSet([0, 1]), with: [set.object(at: 1), set.object(at: 3)])
        },
        OrderedSetStep("setObject", "abcde") { set, new in set.setObject(new[0], at: 4) },
        OrderedSetStep("subscript", "fbcd") { set, new in set[0] = new[1] },
        OrderedSetStep("exchangeObject", "dbca") { set, _ in
            set.exchangeObject(at: 0, withObjectAt: 3)
        },
        OrderedSetStep("moveObjects", "cdab") { set, _ in
            set.moveObjects(at: IndexSet([0, 1]), to: 2)
        },
        OrderedSetStep("moveObjects, one", "dabc") { set, _ in
            set.moveObjects(at: IndexSet(integer: 3), to: 0)
        },
        OrderedSetStep("moveObjects, one to the end", "acdb") { set, _ in
            set.moveObjects(at: IndexSet(integer: 1), to: 3)
        },
        OrderedSetStep("moveObjects, there and back", "abcd") { set, _ in
            set.moveObjects(at: IndexSet(integer: 1), to: 3)
            set.moveObjects(at: IndexSet(integer: 3), to: 1)
        },
        OrderedSetStep("insert, move, exchange and remove", "cebd") { set, new in
            set.insert(new[0], at: 1)
            set.moveObjects(at: IndexSet(integer: 4), to: 0)
            set.exchangeObject(at: 0, withObjectAt: 4)
            set.removeObject(at: 1)
        },
        OrderedSetStep("remove, then move", "dac") { set, _ in
            set.removeObject(at: 1)
            set.moveObjects(at: IndexSet(integer: 2), to: 0)
        },
        OrderedSetStep("union", "abcdef") { set, new in set.union(NSOrderedSet(array: new)) },
        OrderedSetStep("unionSet", "abcde") { set, new in set.unionSet([new[0]]) },
        OrderedSetStep("minus", "bcd") { set, _ in
            set.minus(NSOrderedSet(array: [set.object(at: 0)]))
        },
        OrderedSetStep("intersect", "bd") { set, new in
            set.intersect(NSOrderedSet(array: [set.object(at: 3), set.object(at: 1), new[0]]))
        },
        OrderedSetStep("sort", "dcba") { set, _ in
            set.sort { left, right in
                let names = [left, right].map { ($0 as? NSManagedObject)?.text("name") ?? "" }
                return names[0] > names[1] ? .orderedAscending : .orderedDescending
            }
        },
        // Foundation's own, which changes the storage without a word.
        OrderedSetStep("sort(using:)", "dcba") { set, _ in
            set.sort(using: [NSSortDescriptor(key: "name", ascending: false)])
        },
        OrderedSetStep("sort(using:), then add", "dcbae") { set, new in
            set.sort(using: [NSSortDescriptor(key: "name", ascending: false)])
            set.add(new[0])
        },
        OrderedSetStep("sort(using:), then insert", "edcba") { set, new in
            set.sort(using: [NSSortDescriptor(key: "name", ascending: false)])
            set.insert(new[0], at: 0)
        },
        OrderedSetStep("sort(using:), then remove", "dba") { set, _ in
            set.sort(using: [NSSortDescriptor(key: "name", ascending: false)])
            set.removeObject(at: 1)
        },
        OrderedSetStep("filter(using:)", "cd") { set, _ in
            set.filter(using: NSPredicate(format: "name > 'b'"))
        },
    ]
}

@Suite(.inBothPlaces) struct MutableOrderedSetTests {
    @Test(arguments: OrderedSetStep.all) func changesTheRelationship(step: OrderedSetStep) throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "abcd")
        let former = album.ordered("tracks")
        let new = stack.tracks("ef")
        let set = album.mutableOrderedSetValue(forKey: "tracks")
        step.run(set, new)
        #expect(album.letters() == step.expected)
        #expect(set.letters == step.expected)
        #expect(set.count == step.expected.count)
        for track in former + new {
            let isIn = step.expected.contains(track.text("name"))
            #expect((track.one("album") === album) == isIn, "\(track.text("name"))")
        }
        try stack.context.save()
        #expect(album.letters() == step.expected)
        let fresh = stack.container.newBackgroundContext()
        #expect(fresh.object(with: album.objectID).letters() == step.expected)
    }

    /// Else a loop of additions would read all members with each.
    @Test func a_set_that_changes_is_kept_until_the_event_ends() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "ab")
        try stack.context.save()
        func set() -> NSMutableOrderedSet { album.mutableOrderedSetValue(forKey: "tracks") }
        weak var last: NSMutableOrderedSet?
        last = set()
        #expect(last == nil)
        for track in stack.tracks("cd") { set().add(track) }
        last = set()
        #expect(last != nil)
        album.setValue(NSOrderedSet(array: album.ordered("tracks").reversed()), forKey: "tracks")
        #expect(set().letters == "dcba")
        stack.context.processPendingChanges()
        #expect(last == nil)
        set().removeObject(at: 0)
        last = set()
        #expect(last != nil)
        stack.context.rollback()
        #expect(last == nil)
        #expect(set().letters == "ab")
    }

    @Test func a_sorted_set_that_nobody_holds_any_more_is_saved() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "acbd")
        try stack.context.save()
        let byName = [NSSortDescriptor(key: "name", ascending: true)]
        album.mutableOrderedSetValue(forKey: "tracks").sort(using: byName)
        #expect(stack.context.hasChanges)
        #expect(album.letters() == "abcd")
        try stack.context.save()
        let fresh = stack.container.newBackgroundContext()
        #expect(fresh.object(with: album.objectID).letters() == "abcd")
    }

    @Test func a_sorted_set_is_a_change_before_anybody_reads_it() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "acbd")
        try stack.context.save()
        let set = album.mutableOrderedSetValue(forKey: "tracks")
        #expect(!stack.context.hasChanges)
        set.sort(using: [NSSortDescriptor(key: "name", ascending: true)])
        #expect(stack.context.hasChanges)
        try stack.context.save()
        let fresh = stack.container.newBackgroundContext()
        #expect(fresh.object(with: album.objectID).letters() == "abcd")
        #expect(set.letters == "abcd")
    }

    @Test func an_order_that_others_save_is_not_taken_back() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "abcd")
        let set = album.mutableOrderedSetValue(forKey: "tracks")
        try stack.context.save()
        let other = stack.container.newBackgroundContext()
        let theirs = try other.existingObject(with: album.objectID)
        theirs.mutableOrderedSetValue(forKey: "tracks").moveObjects(at: IndexSet([3]), to: 0)
        try other.save()
        stack.context.refreshAllObjects()
        #expect(album.letters() == "dabc")
        #expect(!stack.context.hasChanges)
        #expect(set.letters == "dabc")
    }

    @Test func a_sorted_set_changes_its_owner_at_once() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "acbd")
        let set = album.mutableOrderedSetValue(forKey: "tracks")
        set.sort(using: [NSSortDescriptor(key: "name", ascending: true)])
        #expect(album.hasChanges)
        #expect(stack.context.updatedObjects == [album])
        #expect(album.letters() == "abcd")
    }

    @Test func places_are_right_after_each_change() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "abcdefgh")
        let tracks = album.ordered("tracks")
        let set = album.mutableOrderedSetValue(forKey: "tracks")
        func places() -> [Int] { tracks.map { set.index(of: $0) } }
        // From some number on places are looked up.
        for _ in 0..<6 { #expect(places() == [0, 1, 2, 3, 4, 5, 6, 7]) }
        set.moveObjects(at: IndexSet(integer: 7), to: 0)
        for _ in 0..<6 { #expect(places() == [1, 2, 3, 4, 5, 6, 7, 0]) }
        set.removeObject(at: 1)
        for _ in 0..<6 { #expect(places() == [NSNotFound, 1, 2, 3, 4, 5, 6, 0]) }
        set.insert(tracks[0], at: 3)
        for _ in 0..<6 { #expect(places() == [3, 1, 2, 4, 5, 6, 7, 0]) }
        set.exchangeObject(at: 0, withObjectAt: 7)
        for _ in 0..<6 { #expect(places() == [3, 1, 2, 4, 5, 6, 0, 7]) }
        tracks[1].setValue(nil, forKey: "album")
        #expect(places() == [2, NSNotFound, 1, 3, 4, 5, 0, 6])
        #expect(set.index(of: "a") == NSNotFound)
    }

    @Test func showsChangesOfOthers() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "abcd")
        let set = album.mutableOrderedSetValue(forKey: "tracks")
        let new = stack.tracks("e")[0]
        new.setValue(album, forKey: "album")
        #expect(set.letters == "abcde")
        #expect((set.lastObject as? NSManagedObject) === new)
        try album.track("b").setValue(nil, forKey: "album")
        #expect(set.letters == "acde")
        stack.context.delete(try album.track("c"))
        stack.context.processPendingChanges()
        #expect(set.letters == "ade")
        #expect(set.contains(new))
        stack.context.rollback()
        #expect(set.letters == "abcd")
        album.setValue(NSOrderedSet(), forKey: "tracks")
        #expect(set.array.isEmpty)
        stack.context.refresh(album, mergeChanges: false)
        #expect(set.letters == "abcd")
        #expect(album.mutableOrderedSetValue(forKey: "tracks") === set)
    }

    @Test func staysLiveBeyondASave() throws {
        let stack = try Stack(MusicModel.make())
        let album = stack.context.make("Album")
        let set = album.mutableOrderedSetValue(forKey: "tracks")
        set.addObjects(from: stack.tracks("ab"))
        try stack.context.save()
        #expect(set.letters == "ab")
        set.insert(stack.tracks("c")[0], at: 1)
        #expect(album.letters() == "acb")
        try stack.context.save()
        #expect(set.letters == "acb")
        #expect(set.map { ($0 as? NSManagedObject)?.isInserted } == [false, false, false])
    }

    @Test func copiesAreIndependent() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "ab")
        let set = album.mutableOrderedSetValue(forKey: "tracks")
        let copy = try #require(set.copy() as? NSOrderedSet)
        let mutable = try #require(set.mutableCopy() as? NSMutableOrderedSet)
        set.removeObject(at: 0)
        #expect(copy.letters == "ab")
        mutable.removeAllObjects()
        #expect(album.letters() == "b")
    }

    @Test func unorderedRelationshipsHaveNone() async {
        await #expect(processExitsWith: .failure) {
            let stack = try Stack(MusicModel.make())
            let list = stack.context.make("Playlist")
            _ = list.mutableOrderedSetValue(forKey: "likes")
        }
    }
}
