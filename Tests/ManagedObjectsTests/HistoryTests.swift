// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// What saves and batch requests leave in the history, and how it is read.
@Suite struct HistoryTests {
    @Test func anEqualValueBesideALinkIsNoChange() throws {
        let stack = try Stack.withHistory()
        let ida = stack.context.make("Person", ["name": "Ida"])
        let film = stack.context.make("Film", ["title": "a"])
        try stack.context.save()
        ida.setValue("Ida", forKey: "name")
        film.setValue(ida, forKey: "director")
        try stack.context.save()
        #expect(try stack.story().last == "2 -: *Film/p1.director *Person/p1.films")
    }

    @Test func savesTellEveryChange() throws {
        let stack = try Stack.withHistory()
        let context = stack.context
        context.name = "view"
        context.transactionAuthor = "import"
        let ida = context.make("Person", ["name": "Ida"])
        let first = context.make("Film", ["title": "a", "year": 1, "director": ida])
        context.make("Film", ["title": "b"])
        try context.save()
        context.transactionAuthor = nil
        first.setValue("c", forKey: "title")
        first.setValue(2, forKey: "year")
        try context.save()
        first.setValue(nil, forKey: "director")
        try context.save()
        context.delete(first)
        try context.save()
        #expect(
            try stack.story() == [
                "1 import: +Film/p1 +Film/p2 +Person/p1",
                "2 -: *Film/p1.title.year",
                "3 -: *Film/p1.director *Person/p1.films",
                "4 -: -Film/p1",
            ])
        let all = try stack.history(.fetchHistory(after: nil as NSPersistentHistoryToken?))
        #expect(all.map(\.contextName) == ["view", "view", "view", "view"])
        #expect(Set(all.map(\.storeID)) == [stack.coordinator.persistentStores[0].identifier])
        #expect(Set(all.map(\.processID)) == ["\(ProcessInfo.processInfo.processIdentifier)"])
        #expect(all.allSatisfy { !$0.bundleID.isEmpty })
        #expect(all.flatMap { $0.changes ?? [] }.map(\.changeID) == [1, 2, 3, 4, 5, 6, 7])
        #expect(all.map(\.timestamp) == all.map(\.timestamp).sorted())
        #expect(abs(all[0].timestamp.timeIntervalSinceNow) < 3_600)
        #expect(all[3].changes?[0].tombstone?.keys.map { $0 as? String } == ["title"])
        #expect(all[3].changes?[0].tombstone?["title"] as? String == "c")
        #expect(all[3].changes?[0].updatedProperties == nil)
        #expect(all[1].changes?[0].tombstone == nil)
        #expect(all[1].changes?[0].transaction == all[1])
        #expect(all[1].changes?[0].transaction != all[0])
    }

    @Test func anEqualValueIsNoChange() throws {
        let stack = try Stack.withHistory()
        let film = try stack.film("a")
        film.setValue("a", forKey: "title")
        try stack.context.save()
        film.setValue("a", forKey: "title")
        film.setValue(7, forKey: "year")
        try stack.context.save()
        #expect(try stack.story() == ["1 -: +Film/p1", "2 -: *Film/p1.year"])
    }

    @Test func entitiesWithManyProperties() throws {
        let attributes = (0..<80).map { number in
            Build.attribute("a\(number)", .integer32AttributeType)
        }
        let wide = Build.entity("Wide", attributes)
        let stack = try Stack(Build.model(wide))
        try stack.reopen([NSPersistentHistoryTrackingKey])
        let object = stack.context.make("Wide", ["a3": 1])
        try stack.context.save()
        for name in ["a1", "a62", "a63", "a64", "a79"] { object.setValue(7, forKey: name) }
        object.setValue(1, forKey: "a3")
        try stack.context.save()
        object.setValue(8, forKey: "a79")
        try stack.context.save()
        #expect(
            try stack.story() == [
                "1 -: +Wide/p1", "2 -: *Wide/p1.a1.a62.a63.a64.a79", "3 -: *Wide/p1.a79",
            ])
    }

    @Test func orderedAndUnorderedRelationships() throws {
        let stack = try Stack(MusicModel.make())
        try stack.reopen([NSPersistentHistoryTrackingKey])
        let album = try stack.album("x", "ab")
        let tracks = album.ordered("tracks")
        album.setValue(NSOrderedSet(array: tracks.reversed()), forKey: "tracks")
        try stack.context.save()
        let list = stack.context.make("Playlist", ["name": "p"])
        list.setValue(Set(tracks), forKey: "likes")
        try stack.context.save()
        #expect(
            try stack.story() == [
                "1 -: +Album/p1 +Track/p1 +Track/p2",
                "2 -: *Album/p1.tracks",
                "3 -: *Track/p1.likedBy *Track/p2.likedBy +Playlist/p1",
            ])
    }

    @Test func largeValuesOutliveTheirObject() throws {
        let stack = try Stack.withHistory()
        let film = try stack.film("a")
        film.setValue(Data(repeating: 7, count: 200_000), forKey: "poster")
        try stack.context.save()
        stack.context.delete(film)
        try stack.context.save()
        let last = try #require(
            try stack.history(.fetchHistory(after: nil as NSPersistentHistoryToken?)).last)
        let tombstone = try #require(last.changes?.first?.tombstone)
        #expect(tombstone["poster"] as? Data == Data(repeating: 7, count: 200_000))
        #expect(tombstone["title"] as? String == "a")
    }

    @Test func batchRequestsWriteHistory() throws {
        let stack = try Stack.withHistory()
        let context = stack.context
        context.transactionAuthor = "batch"
        try context.execute(
            NSBatchInsertRequest(
                entityName: "Film",
                objects: [["title": "a"], ["title": "b", "year": 3], ["title": "c"]]))
        let update = NSBatchUpdateRequest(entityName: "Film")
        update.predicate = NSPredicate(format: "title > 'a'")
        update.propertiesToUpdate = ["year": 9]
        try context.execute(update)
        let some = NSFetchRequest<any NSFetchRequestResult>(entityName: "Film")
        some.predicate = NSPredicate(format: "title == 'b'")
        try context.execute(NSBatchDeleteRequest(fetchRequest: some))
        try context.execute(
            NSBatchDeleteRequest(
                fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Film")))
        // Nothing to delete is no transaction.
        try context.execute(
            NSBatchDeleteRequest(
                fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Film")))
        #expect(
            try stack.story() == [
                "1 batch: +Film/p1 +Film/p2 +Film/p3",
                "2 batch: *Film/p2.year *Film/p3.year",
                "3 batch: -Film/p2",
                "4 batch: -Film/p1 -Film/p3",
            ])
        let all = try stack.history(.fetchHistory(after: nil as NSPersistentHistoryToken?))
        #expect(all[3].changes?.map { $0.tombstone?["title"] as? String } == ["a", "c"])
    }

    @Test func contextsFollowBatchRequestsByHistory() throws {
        let stack = try Stack.withHistory()
        let film = try stack.film("a")
        let before = stack.token
        let gone = try stack.film("b")
        let update = NSBatchUpdateRequest(entityName: "Film")
        update.predicate = NSPredicate(format: "title == 'a'")
        update.propertiesToUpdate = ["year": 9]
        try stack.context.execute(update)
        try stack.context.execute(NSBatchDeleteRequest(objectIDs: [gone.objectID]))
        #expect(film.value(forKey: "year") == nil)
        let news = try stack.history(.fetchHistory(after: before))
        #expect(news.map(\.transactionNumber) == [2, 3, 4])
        for transaction in news {
            stack.context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        }
        #expect(film.number("year") == 9)
        #expect(gone.managedObjectContext == nil)
        #expect(
            news[1].objectIDNotification().userInfo?[NSUpdatedObjectIDsKey]
                as? Set<NSManagedObjectID> == [film.objectID])
        #expect(news[1].objectIDNotification().userInfo?.count == 1)
    }

    @Test func historySurvivesReopening() throws {
        let stack = try Stack.withHistory()
        try stack.film("a", by: "one")
        let token = stack.token
        try stack.reopen([NSPersistentHistoryTrackingKey])
        try stack.film("b", by: "two")
        #expect(try stack.story() == ["1 one: +Film/p1", "2 two: +Film/p2"])
        #expect(try stack.history(.fetchHistory(after: token)).map(\.story) == ["2 two: +Film/p2"])
    }

    @Test func readOnlyWithoutTheOption() throws {
        let stack = try Stack.withHistory()
        try stack.film("a")
        try stack.reopen([])
        #expect(stack.coordinator.persistentStores[0].isReadOnly)
        #expect(try stack.context.count("Film") == 1)
        stack.context.make("Film", ["title": "b"])
        #expect(code { try stack.context.save() } == 134_030)
        stack.context.rollback()
        #expect(try stack.story() == ["1 -: +Film/p1"])
        try stack.reopen([NSPersistentHistoryTrackingKey])
        try stack.film("b")
        #expect(try stack.story() == ["1 -: +Film/p1", "2 -: +Film/p2"])
    }

    @Test func metadataOfAFileWithHistory() throws {
        let stack = try Stack.withHistory()
        let url = stack.directory.appendingPathComponent("metadata.lode")
        let type = NSPersistentStore.StoreType.sqlite
        let options = [NSPersistentHistoryTrackingKey: true]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        let store = try coordinator.addPersistentStore(type: type, at: url, options: options)
        try coordinator.remove(store)
        #expect(
            code {
                try NSPersistentStoreCoordinator.setMetadata(["a": 1], type: type, at: url)
            } == 134_030)
        try NSPersistentStoreCoordinator.setMetadata(
            ["a": 1], type: type, at: url, options: options)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: type, at: url)
        #expect(metadata["a"] as? Int == 1)
    }

    @Test func withoutHistoryThereIsNone() throws {
        let stack = try Stack(HistoryModel.make())
        try stack.film("a")
        #expect(stack.token == nil)
        #expect(try stack.story() == [])
        let deletion = NSPersistentHistoryChangeRequest.deleteHistory(before: Date())
        let result = try stack.context.execute(deletion) as? NSPersistentHistoryResult
        #expect(result?.result as? Bool == true)
    }

    @Test func memoryStoresKeepOne() throws {
        let container = NSPersistentContainer(
            name: "Memory", managedObjectModel: HistoryModel.make())
        let description = NSPersistentStoreDescription()
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        container.persistentStoreDescriptions = [description]
        #expect(load(container) == nil)
        container.viewContext.make("Film", ["title": "a"])
        try container.viewContext.save()
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: Date.distantPast)
        request.resultType = .count
        let result = try container.viewContext.execute(request) as? NSPersistentHistoryResult
        #expect(result?.result as? Int == 1)
    }
}
