// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Conflicts in one of two files, and what they do to objects of the other one.
@Suite struct SeveralFilesConflictTests {
    private static let files = ["a.lode", "b.lode"]

    /// Tells of each conflict: counts it on an object, or makes a note of it.
    final class Logging: NSMergePolicy, @unchecked Sendable {
        private let counter: NSManagedObject?
        private let store: NSPersistentStore

        init(_ counter: NSManagedObject?, _ store: NSPersistentStore) {
            self.counter = counter
            self.store = store
            super.init(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        }

        override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
            try super.resolve(optimisticLockingConflicts: list)
            for conflict in list {
                guard let context = conflict.sourceObject.managedObjectContext else { continue }
                if let counter {
                    counter.setValue(counter.number("number") + 1, forKey: "number")
                } else {
                    context.assign(context.make("Note", ["text": "conflict"]), to: store)
                }
            }
        }
    }

    /// Two contexts on two files, with a note in one of them.
    private func open(
        _ folder: StoreFolder, _ name: String
    ) throws -> (context: NSManagedObjectContext, other: NSManagedObjectContext, NSManagedObject) {
        let context = try folder.open(Self.files.map { ($0, nil) })
        let note = context.make("Note", ["text": "first"])
        context.assign(note, to: try folder.store(name))
        try context.save()
        return (context, folder.makeContext(), note)
    }

    private func notes(_ folder: StoreFolder, in name: String) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.affectedStores = [try folder.store(name)]
        request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
        let context = folder.makeContext()
        return try context.fetch(request).map { "\($0.text("text")) \($0.number("number"))" }
    }

    @Test(arguments: files, files)
    func what_a_policy_changes_is_saved_in_its_own_file(_ name: String, _ log: String) throws {
        for isCounted in [true, false] {
            let folder = try StoreFolder()
            let (context, other, note) = try open(folder, name)
            let store = try folder.store(log)
            let counter = context.make("Note", ["text": "counter"])
            context.assign(counter, to: store)
            try context.save()
            other.object(with: note.objectID).setValue("theirs", forKey: "text")
            try other.save()
            context.mergePolicy = Logging(isCounted ? counter : nil, store)
            note.setValue("mine", forKey: "text")
            try context.save()
            #expect(!context.hasChanges)
            let logged = isCounted ? ["counter 1"] : ["conflict 0", "counter 0"]
            #expect(try notes(folder, in: name) == (name == log ? logged : []) + ["mine 0"])
            if name != log { #expect(try notes(folder, in: log) == logged) }
        }
    }

    @Test(arguments: files, files)
    func a_locked_object_is_compared_whichever_file_it_is_in(
        _ name: String, _ changed: String
    ) throws {
        let folder = try StoreFolder()
        let (context, other, note) = try open(folder, name)
        let mine = context.make("Note", ["text": "mine"])
        context.assign(mine, to: try folder.store(changed))
        try context.save()
        context.detectConflicts(for: note)
        other.object(with: note.objectID).setValue("second", forKey: "text")
        try other.save()
        mine.setValue(7, forKey: "number")
        #expect(code { try context.save() } == 133020)
        #expect(mine.isUpdated)
    }

    @Test(arguments: files)
    func a_conflict_of_a_pinned_context_is_merged(_ name: String) throws {
        let folder = try StoreFolder()
        let (context, other, note) = try open(folder, name)
        try context.setQueryGenerationFrom(.current)
        #expect(note.text("text") == "first")
        other.object(with: note.objectID).setValue("second", forKey: "text")
        try other.save()
        note.setValue(7, forKey: "number")
        #expect(code { try context.save() } == 133020)
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.save()
        #expect(note.text("text") == "second" && note.number("number") == 7)
    }

    @Test func objects_of_a_file_that_was_saved_change_again_before_the_other_is() throws {
        let folder = try StoreFolder()
        let context = try folder.open(
            Self.files.map { ($0, nil) }, model: LibraryModel.make(isUnique: true))
        let second = try folder.store("b.lode")
        let one = context.make("Note", ["text": "one"])
        context.assign(context.make("Note", ["text": "there"]), to: second)
        try context.save()
        one.setValue(1, forKey: "number")
        let double = context.make("Note", ["text": "there"])
        context.assign(double, to: second)
        #expect(code { try context.save() } == 134040)
        #expect(!one.isUpdated && double.isInserted)
        one.setValue(2, forKey: "number")
        #expect(context.updatedObjects == [one])
        let other = folder.makeContext()
        other.make("Note", ["text": "more"])
        try other.save()
        double.setValue("unique", forKey: "text")
        try context.save()
        #expect(try notes(folder, in: "a.lode") == ["more 0", "one 2"])
        #expect(try notes(folder, in: "b.lode") == ["there 0", "unique 0"])
    }
}
