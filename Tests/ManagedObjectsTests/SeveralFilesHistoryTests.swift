// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ManagedObjects

/// The history of two files in one coordinator.
@Suite struct SeveralFilesHistoryTests {
    private static var options: [AnyHashable: Any] {
        [
            LodeDurabilityOption: "none", NSPersistentHistoryTrackingKey: true,
            NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
        ]
    }
    private let folder: StoreFolder
    private let context: NSManagedObjectContext
    private let notes: [NSManagedObject]

    /// A note in each file, saved by an author of the file's name.
    init() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)], options: Self.options)
        notes = try ["a.lode", "b.lode"].map { name in
            context.transactionAuthor = name
            let note = context.make("Note", ["text": name])
            context.assign(note, to: try folder.store(name))
            try context.save()
            return note
        }
        context.transactionAuthor = nil
        context.name = "view"
        (self.folder, self.context) = (folder, context)
    }

    private func history(
        _ request: NSPersistentHistoryChangeRequest
    ) throws -> [NSPersistentHistoryTransaction] {
        let result = try context.execute(request) as? NSPersistentHistoryResult
        return try #require(result?.result as? [NSPersistentHistoryTransaction])
    }

    private func all() throws -> [NSPersistentHistoryTransaction] {
        try history(.fetchHistory(after: nil as NSPersistentHistoryToken?))
    }

    private var token: NSPersistentHistoryToken? {
        folder.coordinator.currentPersistentHistoryToken(fromStores: nil)
    }

    @Test func a_token_in_a_predicate_is_a_place_in_each_file() throws {
        func stories(_ format: String, _ token: NSPersistentHistoryToken?) throws -> [String] {
            let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
            fetch.predicate = NSPredicate(format: format, argumentArray: [token as Any])
            return try history(.fetchHistory(withFetch: fetch)).map(\.story)
        }
        let first = token
        #expect(try stories("token > %@", first) == [])
        #expect(
            try stories("token <= %@", first)
                == ["1 a.lode: +Note/p1", "1 b.lode: +Note/p1"])
        notes[1].setValue(2, forKey: "number")
        try context.save()
        #expect(try stories("token > %@", first).count == 1)
        let ofB = folder.coordinator.currentPersistentHistoryToken(
            fromStores: [try folder.store("b.lode")])
        #expect(try stories("token > %@", ofB) == ["1 a.lode: +Note/p1"])
    }

    @Test func changes_name_the_objects_of_their_file() throws {
        let all = try all()
        #expect(all.map(\.story) == ["1 a.lode: +Note/p1", "1 b.lode: +Note/p1"])
        #expect(all.map(\.storeID) == folder.coordinator.persistentStores.map(\.identifier))
        #expect(all.map { $0.changes?.map(\.changedObjectID) } == notes.map { [$0.objectID] })
        for note in notes {
            let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
            fetch.predicate = NSPredicate(format: "changedObjectID == %@", note.objectID)
            let found = try history(.fetchHistory(withFetch: fetch))
            #expect(found.map { $0.changes?.map(\.changedObjectID) } == [[note.objectID]])
            #expect(found.map(\.storeID) == [note.objectID.persistentStore?.identifier])
        }
    }

    @Test func a_limit_counts_over_both_files() throws {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(
            after: nil as NSPersistentHistoryToken?)
        let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
        fetch.fetchLimit = 1
        request.fetchRequest = fetch
        #expect(try history(request).map(\.author) == ["a.lode"])
        fetch.fetchOffset = 1
        #expect(try history(request).map(\.author) == ["b.lode"])
    }

    @Test func a_file_with_more_than_its_configuration_keeps_values_of_deleted_objects() throws {
        func model() throws -> NSManagedObjectModel {
            let model = LibraryModel.make()
            let text = model.entitiesByName["Note"]?.attributesByName["text"]
            try #require(text).preservesValueInHistoryOnDeletion = true
            return model
        }
        let folder = try StoreFolder()
        let options = Self.options
        _ = try folder.open([("b.lode", nil)], model: model(), options: options)
        let context = try folder.open(
            [("a.lode", "Catalogue"), ("b.lode", "Notes")], model: model(), options: options)
        let note = context.make("Note", ["text": "gone"])
        try context.save()
        context.delete(note)
        try context.save()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        let all = try #require(result?.result as? [NSPersistentHistoryTransaction])
        #expect(all.last?.changes?.first?.tombstone?["text"] as? String == "gone")
    }

    @Test func affected_stores_limit_a_request() throws {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        request.affectedStores = [try folder.store("b.lode")]
        #expect(try history(request).map(\.author) == ["b.lode"])
        let foreign = try StoreFolder()
        _ = try foreign.open([("x.lode", nil)])
        request.affectedStores = [try foreign.store("x.lode")]
        #expect(code { _ = try history(request) } == 134_070)
    }

    @Test func the_last_token_knows_both_files() throws {
        let first = try all()
        #expect(first.last?.token == token)
        #expect(try history(.fetchHistory(after: first[0])).map(\.author) == ["b.lode"])
        notes[0].setValue("A", forKey: "text")
        try context.save()
        let next = try history(.fetchHistory(after: first[1]))
        #expect(next.map(\.story) == ["2 -: *Note/p1.text"])
        #expect(next[0].token == token)
        #expect(try history(.fetchHistory(after: next[0])).isEmpty)
        let now = try history(.fetchHistory(after: Date.distantFuture))
        #expect(now.isEmpty)
    }

    @Test func one_file_forgets() throws {
        let former = token
        for number in 1...2 {
            notes[1].setValue(number, forKey: "number")
            try context.save()
        }
        let last = try #require(try all().last)
        #expect(last.transactionNumber == 3)
        try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: last))
        #expect(try all().map(\.story) == ["1 a.lode: +Note/p1", "3 -: *Note/p1.number"])
        do {
            _ = try history(.fetchHistory(after: former))
            Issue.record("the token should have expired")
        } catch let error as CocoaError {
            #expect(error.errorCode == 134_301)
            #expect(error.affectedStores?.first === (try folder.store("b.lode")))
        }
        let rest = NSPersistentHistoryChangeRequest.fetchHistory(after: former)
        rest.affectedStores = [try folder.store("a.lode")]
        #expect(try history(rest).isEmpty)
    }

    @Test func a_context_follows_a_batch_by_history() throws {
        #expect(notes.map { $0.number("number") } == [0, 0])
        let former = token
        let update = NSBatchUpdateRequest(entityName: "Note")
        update.predicate = NSPredicate(format: "SELF == %@", notes[1])
        update.propertiesToUpdate = ["number": 7]
        update.resultType = .updatedObjectIDsResultType
        let result = try context.execute(update) as? NSBatchUpdateResult
        #expect(result?.result as? [NSManagedObjectID] == [notes[1].objectID])
        let news = try history(.fetchHistory(after: former))
        #expect(news.map(\.story) == ["2 -: *Note/p1.number"])
        #expect(news.map(\.contextName) == ["view"])
        #expect(notes[1].number("number") == 0)
        for transaction in news {
            context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        }
        #expect(notes.map { $0.number("number") } == [0, 7])
        let deletion = NSBatchDeleteRequest(objectIDs: [notes[1].objectID])
        try context.execute(deletion)
        let end = try #require(try history(.fetchHistory(after: news.last)).first)
        #expect(end.story == "3 -: -Note/p1")
        context.mergeChanges(fromContextDidSave: end.objectIDNotification())
        #expect(notes[1].managedObjectContext == nil && notes[0].managedObjectContext != nil)
    }

    @Test func commits_of_others_are_told_until_the_file_goes() throws {
        let recorder = RemoteRecorder(folder.coordinator)
        let stores = folder.coordinator.persistentStores
        func save(_ name: String) throws {
            let other = NSPersistentStoreCoordinator(managedObjectModel: LibraryModel.make())
            try other.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: folder.url(name),
                options: Self.options)
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = other
            context.make("Note", ["text": "other"])
            try context.save()
        }
        try save("b.lode")
        let newest = folder.coordinator.currentPersistentHistoryToken(fromStores: [stores[1]])
        #expect(recorder.wait(until: newest))
        #expect(try context.count("Note") == 3)
        try folder.coordinator.remove(stores[1])
        try save("b.lode")
        try save("a.lode")
        #expect(recorder.wait(until: token))
        // Own commits are told, too; nothing of the file that went.
        let later = NSPersistentHistoryToken([stores[1].identifier: 3])
        #expect(newest == NSPersistentHistoryToken([stores[1].identifier: 2]))
        #expect(!recorder.told.contains(later))
        #expect(try context.values("text", of: "Note") == ["a.lode", "other"])
        #expect(try all().map(\.story) == ["1 a.lode: +Note/p1", "2 -: +Note/p2"])
    }
}
