// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Changed objects of a child that were refreshed, and whose parent lets go of them before they
/// are read again.
@Suite(.inBothPlaces) struct RefreshedChildTests {
    enum Refresh: CaseIterable {
        case refresh, all, merge
    }

    /// A saved person of a parent, and the object of it of a child, with another name.
    private func twins(
        _ stack: Stack
    ) throws -> (NSManagedObject, NSManagedObject, NSManagedObjectContext) {
        let tag = stack.context.make("Tag", ["name": "t"])
        let person = stack.context.make(
            "Person", ["name": "Ann", "age": Int32(30), "tags": Set([tag])])
        try stack.context.save()
        let child = Stack.child(of: stack.context)
        let twin = try child.existingObject(with: person.objectID)
        twin.setValue("Zoe", forKey: "name")
        child.processPendingChanges()
        return (person, twin, child)
    }

    private func refresh(
        _ twin: NSManagedObject, _ kind: Refresh, _ child: NSManagedObjectContext, _ stack: Stack
    ) throws {
        switch kind {
        case .refresh: child.refresh(twin, mergeChanges: true)
        case .all: child.refreshAllObjects()
        case .merge:
            let other = stack.container.newBackgroundContext()
            let same = try other.existingObject(with: twin.objectID)
            same.setValue(same.value(forKey: "age"), forKey: "age")
            same.setValue(nil, forKey: "tags")
            try other.save()
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSUpdatedObjectIDsKey: [twin.objectID]], into: [child])
        }
    }

    /// A child whose changed object was refreshed, then deleted and saved by the parent.
    private func childOfSavedDeletion(_ stack: Stack) throws -> NSManagedObjectContext {
        let (person, twin, child) = try twins(stack)
        child.refresh(twin, mergeChanges: true)
        stack.context.delete(person)
        try stack.context.save()
        return child
    }

    @Test(arguments: Refresh.allCases)
    func values_stay_while_the_parent_deletes_the_object(_ kind: Refresh) throws {
        let stack = try Stack(PeopleModel.make())
        let (person, twin, child) = try twins(stack)
        try refresh(twin, kind, child, stack)
        stack.context.delete(person)
        stack.context.processPendingChanges()
        #expect(twin.text("name") == "Zoe")
        #expect(twin.number("age") == 30)
    }

    @Test func a_refresh_while_the_deletion_waits_keeps_the_values() throws {
        let stack = try Stack(PeopleModel.make())
        let (person, twin, child) = try twins(stack)
        stack.context.delete(person)
        stack.context.processPendingChanges()
        child.refresh(twin, mergeChanges: true)
        #expect(twin.text("name") == "Zoe")
        #expect(twin.number("age") == 30)
    }

    @Test func the_save_finds_the_conflict() throws {
        let stack = try Stack(PeopleModel.make())
        stack.context.mergePolicy = NSMergePolicy.error
        let child = try childOfSavedDeletion(stack)
        let found = try child.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
        #expect(found.map { $0.number("age") } == [30])
        let failure = code {
            try child.save()
            try stack.context.save()
        }
        #expect(failure == 133_020)
    }

    @Test func object_trump_writes_all_values_anew() throws {
        let stack = try Stack(PeopleModel.make())
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let child = try childOfSavedDeletion(stack)
        try child.save()
        try stack.context.save()
        try stack.reopenChecked()
        let stored = try stack.context.all("Person")
        #expect(stored.map { $0.text("name") } == ["Zoe"])
        #expect(stored.map { $0.number("age") } == [30])
    }
}
