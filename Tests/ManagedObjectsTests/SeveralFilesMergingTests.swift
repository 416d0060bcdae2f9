// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

private final class Follower: NSObject, NSFetchedResultsControllerDelegate {
    var changes = 0

    func controllerDidChangeContent(
        _ controller: NSFetchedResultsController<any NSFetchRequestResult>
    ) {
        changes += 1
    }
}

/// What is undone, merged and followed in a second file is as in the first.
@Suite struct SeveralFilesMergingTests {
    /// A context whose notes are in the second file.
    private func notes(_ folder: StoreFolder) throws -> NSManagedObjectContext {
        let context = try folder.open([("catalogue.lode", "Catalogue"), ("notes.lode", "Notes")])
        for (number, text) in ["a", "b", "c", "d", "e", "f"].enumerated() {
            context.make("Note", ["text": text, "number": number])
        }
        try context.save()
        return context
    }

    private func note(_ text: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        try #require(try context.all("Note", NSPredicate(format: "text == %@", text)).first)
    }

    @Test func an_object_whose_deletion_is_undone_is_newer_than_all_that_was_read() throws {
        let folder = try StoreFolder()
        let context = try notes(folder)
        let stale = folder.makeContext()
        let old = try note("a", stale)
        #expect(old.number("number") == 0)
        context.undoManager = UndoManager()
        let own = try note("a", context)
        context.delete(own)
        try context.save()
        context.undo()
        own.setValue(2, forKey: "number")
        try context.save()
        old.setValue(9, forKey: "number")
        #expect(code { try stale.save() } == 133020)
        let reader = folder.makeContext()
        #expect(try note("a", reader).number("number") == 2)
    }

    @Test func deletions_of_unknown_objects_move_the_window_of_a_controller() throws {
        let folder = try StoreFolder()
        let writer = try notes(folder)
        let context = folder.makeContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.sortDescriptors = [NSSortDescriptor(key: "text", ascending: true)]
        (request.fetchLimit, request.fetchOffset) = (2, 2)
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
            cacheName: nil)
        let recorder = Follower()
        controller.delegate = recorder
        try controller.performFetch()
        #expect(controller.fetchedObjects?.map { $0.text("text") } == ["c", "d"])
        let saved = ChangeRecorder(writer, .NSManagedObjectContextDidSave)
        writer.delete(try note("a", writer))
        try writer.save()
        context.mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextDidSave, object: writer, userInfo: saved.last))
        #expect(controller.fetchedObjects?.map { $0.text("text") } == ["d", "e"])
        #expect(recorder.changes == 1)
    }

    @Test func the_history_of_the_second_file_names_the_objects_of_contexts() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("catalogue.lode", "Catalogue")])
        try folder.add(
            "notes.lode", "Notes",
            options: [LodeDurabilityOption: "none", NSPersistentHistoryTrackingKey: true])
        let kept = context.make("Note", ["text": "a"])
        let gone = context.make("Note", ["text": "b"])
        try context.save()
        let (first, second) = (kept.objectID, gone.objectID)
        context.delete(gone)
        try context.save()
        func changes(_ predicate: NSPredicate?) throws -> [NSPersistentHistoryChange] {
            let request = NSPersistentHistoryChangeRequest.fetchHistory(
                after: nil as NSPersistentHistoryToken?)
            if let predicate {
                let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
                fetch.predicate = predicate
                request.fetchRequest = fetch
            }
            request.resultType = .changesOnly
            let result = try context.execute(request) as? NSPersistentHistoryResult
            return try #require(result?.result as? [NSPersistentHistoryChange])
        }
        let all = try changes(nil)
        #expect(Set(all.map(\.changedObjectID)) == [first, second])
        #expect(all.map(\.changeType) == [.insert, .insert, .delete])
        #expect(all.last?.changedObjectID == second)
        let own = try changes(NSPredicate(format: "changedObjectID == %@", first))
        #expect(own.map(\.changedObjectID) == [first])
    }

    @Test func saves_of_a_coordinator_with_other_places_for_the_same_files() throws {
        let folder = try StoreFolder()
        let context = try notes(folder)
        let first = try note("a", context)
        let second = try note("b", context)
        #expect(first.number("number") == 0 && second.number("number") == 1)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: "Notes", at: folder.url("notes.lode"),
            options: [LodeDurabilityOption: "none"])
        let writer = NSManagedObjectContext(.privateQueue)
        writer.persistentStoreCoordinator = coordinator
        let saved = ChangeRecorder(writer, .NSManagedObjectContextDidSave)
        try note("a", writer).setValue(10, forKey: "number")
        writer.delete(try note("b", writer))
        try writer.save()
        context.mergeChanges(
            fromContextDidSave: Notification(
                name: .NSManagedObjectContextDidSave, object: writer, userInfo: saved.last))
        #expect(first.number("number") == 10)
        #expect(second.managedObjectContext == nil)
    }
}
