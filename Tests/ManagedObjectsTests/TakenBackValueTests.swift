// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Looks for a value while a save validates it, as checks of one's own do.
final class LookingItem: NSManagedObject {
    var found: [Int] = []

    override func validateForUpdate() throws {
        try super.validateForUpdate()
        guard let context = managedObjectContext else { return }
        found.append(try context.all("Item", NSPredicate(format: "name == 'y'")).count)
    }
}

/// Looks for a value as soon as it is refreshed, and has its store fail next.
final class RefreshedNote: NSManagedObject {
    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        guard flags.contains(.refresh), let context = managedObjectContext else { return }
        _ = committedValues(forKeys: ["number"])
        _ = try? context.all("Note", NSPredicate(format: "number == 5"))
        let stores = context.persistentStoreCoordinator?.persistentStores ?? []
        for case let store as TableStore in stores {
            store.failure = CocoaError(.persistentStoreSave)
        }
    }
}

/// Unsaved objects whose changes a merge policy takes back are found by the values that they have
/// again.
@Suite(.inBothPlaces) struct TakenBackValueTests {
    /// Refuses to go on once super has resolved everything.
    final class Refusing: NSMergePolicy, @unchecked Sendable {
        struct Refusal: Error {}

        override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
            try super.resolve(constraintConflicts: list)
            throw Refusal()
        }
    }

    /// Items `x` and `y`, saved; `y` was renamed to `x`, and there are many new ones.
    private func renamed() throws -> (Stack, LookingItem) {
        let item = Build.entity(
            "Item", [Build.attribute("name"), Build.attribute("note")], class: LookingItem.self)
        item.uniquenessConstraints = [["name"]]
        let stack = try Stack(Build.model(item))
        stack.context.make("Item", ["name": "x"])
        let second = try #require(stack.context.make("Item", ["name": "y"]) as? LookingItem)
        try stack.context.save()
        for number in 0..<40 { stack.context.make("Item", ["name": "new \(number)"]) }
        second.setValue("x", forKey: "name")
        second.setValue("kept", forKey: "note")
        #expect(try stack.context.names("Item", "name == 'y'") == [])
        return (stack, second)
    }

    @Test func while_the_save_goes_on() throws {
        let (stack, second) = try renamed()
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try stack.context.save()
        #expect(second.found == [0, 1])
        #expect(second.text("name") == "y" && second.text("note") == "kept")
    }

    @Test func after_the_save_has_failed() throws {
        let (stack, second) = try renamed()
        let policy = Refusing(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        stack.context.mergePolicy = policy
        #expect(throws: Refusing.Refusal.self) { try stack.context.save() }
        #expect(second.text("name") == "y" && second.isUpdated)
        #expect(try stack.context.names("Item", "name == 'y'") == ["y"])
        #expect(try stack.context.names("Item", "name == 'x'") == ["x"])
    }

    @Test func in_an_incremental_store() throws {
        TableStore.register()
        let folder = try StoreFolder()
        let note = Build.entity(
            "Note", [Build.attribute("text"), Build.attribute("number", .integer64AttributeType)],
            class: RefreshedNote.self)
        let context = try folder.open([("notes.table", nil)], model: Build.model(note))
        context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        let mine = context.make("Note", ["text": "mine", "number": 1])
        try context.save()
        let other = folder.makeContext()
        let theirs = try other.existingObject(with: mine.objectID)
        theirs.setValue(5, forKey: "number")
        for number in 0..<40 { context.make("Note", ["number": 100 + number]) }
        mine.setValue(9, forKey: "number")
        mine.setValue("changed", forKey: "text")
        try other.save()
        #expect(code { try context.save() } != nil)
        #expect(mine.number("number") == 5 && mine.text("text") == "changed" && mine.isUpdated)
        for (number, texts) in [(5, ["changed"]), (9, [])] {
            let predicate = NSPredicate(format: "number == %d", number)
            #expect(try context.values("text", of: "Note", predicate) == texts)
        }
    }
}
