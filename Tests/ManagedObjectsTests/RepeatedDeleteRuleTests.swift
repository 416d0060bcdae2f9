// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// The delete rules of an object that is deleted already run again where it changes or is
/// refreshed: what they did the first time stays as it is.
@Suite(.inBothPlaces) struct RepeatedDeleteRuleTests {
    enum Repeat: String, CaseIterable {
        case change, refresh, refreshAll
    }

    @Test(arguments: ["members", "owned", "line"], Repeat.allCases)
    func links_that_were_never_saved_leave_no_change_behind(key: String, way: Repeat) throws {
        let stack = try Stack(ClubModel.make())
        let context = stack.context
        let club = context.make("Club", ["number": 1])
        let dog = context.make("Dog", ["number": 2])
        try context.save()
        let undo = UndoManager()
        context.undoManager = undo
        let inverse = ["members": "clubs", "owned": "owner", "line": "lines"][key] ?? ""
        if key == "owned" {
            dog.setValue(club, forKey: inverse)
        } else {
            dog.mutableSetValue(forKey: inverse).add(club)
        }
        context.processPendingChanges()
        context.delete(dog)
        context.processPendingChanges()
        #expect(club.changedValues().keys.sorted() == [])
        #expect(undo.undoCount == 2)

        switch way {
        case .change: dog.setValue(3, forKey: "number")
        case .refresh: context.refresh(dog, mergeChanges: true)
        case .refreshAll: context.refreshAllObjects()
        }
        context.processPendingChanges()
        #expect(club.changedValues().keys.sorted() == [])
        #expect(!club.hasPersistentChangedValues)
        #expect(undo.undoCount == (way == .change ? 3 : 2))

        // The save has nothing of the club, which another context has changed meanwhile.
        let other = stack.container.newBackgroundContext()
        try other.all("Club")[0].setValue(7, forKey: "number")
        try other.save()
        try context.save()
        #expect(try other.count("Dog") == 0)
        let fresh = stack.container.newBackgroundContext()
        #expect(try fresh.all("Club")[0].number("number") == 7)
    }

    @Test func links_that_were_saved_are_removed_once() throws {
        let stack = try Stack(ClubModel.make())
        let context = stack.context
        let club = context.make("Club", ["number": 1])
        let dog = context.make("Dog", ["number": 2])
        dog.mutableSetValue(forKey: "clubs").add(club)
        try context.save()
        // Out and in again: taken back, and stored.
        dog.mutableSetValue(forKey: "clubs").remove(club)
        dog.mutableSetValue(forKey: "clubs").add(club)
        context.delete(dog)
        context.processPendingChanges()
        #expect(club.changedValues().keys.sorted() == ["members"])
        context.refreshAllObjects()
        try context.save()
        #expect(club.many("members") == [])
        let fresh = stack.container.newBackgroundContext()
        #expect(try fresh.all("Club")[0].many("members") == [])
    }
}
