// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A member that is to take the place of another one, while it has a place already.
@Suite(.inBothPlaces) struct OrderedReplacementTests {
    @Test func nothing_changes() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "abcd")
        try stack.context.save()
        let set = album.mutableOrderedSetValue(forKey: "tracks")
        set.setObject(set.object(at: 2), at: 0)
        set.replaceObject(at: 3, with: set.object(at: 1))
        set[1] = set[0]
        #expect(album.letters() == "abcd" && set.letters == "abcd")
        #expect(album.changedValues().isEmpty && !album.hasPersistentChangedValues)
        #expect(album.ordered("tracks").allSatisfy { $0.changedValues().isEmpty })
        try stack.context.save()
        try stack.reopenChecked()
    }

    @Test func undo_brings_back_what_was_replaced_around_it() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "abcd")
        try stack.context.save()
        stack.context.undoManager = UndoManager()
        let set = album.mutableOrderedSetValue(forKey: "tracks")
        let new = stack.tracks("ef")
        stack.context.processPendingChanges()
        set.replaceObject(at: 0, with: new[0])
        set.setObject(set.object(at: 2), at: 1)
        #expect(album.letters() == "ebcd")
        stack.context.processPendingChanges()
        stack.context.undo()
        #expect(album.letters() == "abcd" && set.letters == "abcd")
        #expect(new[0].one("album") == nil)
        stack.context.redo()
        #expect(album.letters() == "ebcd" && set.letters == "ebcd")
        try stack.context.save()
        try stack.reopenChecked()
    }

    @Test func in_a_child() throws {
        let stack = try Stack(MusicModel.make())
        let album = try stack.album("x", "abcd")
        try stack.context.save()
        let child = Stack.child(of: stack.context)
        try child.performAndWait {
            let own = child.object(with: album.objectID)
            let set = own.mutableOrderedSetValue(forKey: "tracks")
            set.setObject(set.object(at: 3), at: 0)
            set.replaceObjects(at: IndexSet([1, 2]), with: [set.object(at: 2), set.object(at: 1)])
            #expect(own.letters() == "acbd")
            try child.save()
        }
        #expect(album.letters() == "acbd")
        try stack.context.save()
        try stack.reopenChecked()
    }
}
