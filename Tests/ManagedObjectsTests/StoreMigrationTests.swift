// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A file of one version of a model, opened by another one.
@Suite struct StoreMigrationTests {
    @Test func a_file_is_migrated_as_it_is_opened() throws {
        let versions = ModelVersions()
        let uri = try versions.writeFirst()
        let identity = try #require(versions.store?.identifier)
        let context = try versions.open(ModelVersions.second())
        #expect(versions.store?.identifier == identity)
        let books = try context.all("Book").sorted { $0.number("length") > $1.number("length") }
        #expect(books.map { $0.text("title") } == ["Emma", "untitled"])
        #expect(books.map { $0.number("length") } == [474, 418])
        #expect(books.map { $0.value(forKey: "rating") as? Double } == [2.5, 2.5])
        let rack = try #require(try context.named("window", "Rack"))
        #expect(books.map { $0.one("rack") === rack } == [true, true])
        #expect(rack.many("books") == Set(books))
        // The object is the same one: its URI leads to it.
        let coordinator = try #require(versions.container?.persistentStoreCoordinator)
        let id = try #require(coordinator.managedObjectID(forURIRepresentation: uri))
        #expect(try context.existingObject(with: id) === books[0])
        // What is new can be used.
        let author = context.make("Author", ["name": "Jane Austen"])
        books[0].setValue(Set([author]), forKey: "authors")
        books[0].setValue(4.5, forKey: "rating")
        try context.save()
        let again = try versions.open(ModelVersions.second())
        let emma = try #require(
            try again.all("Book", NSPredicate(format: "rating == 4.5")).first)
        #expect(emma.text("title") == "Emma" && emma.names("authors") == ["Jane Austen"])
        #expect(try again.count("Book") == 2)
    }

    @Test func the_options_of_addPersistentStore_ask_for_it() throws {
        let versions = ModelVersions()
        _ = try versions.writeFirst()
        try versions.close()
        func add(_ options: [AnyHashable: Any]) throws -> NSPersistentStoreCoordinator {
            let coordinator = NSPersistentStoreCoordinator(
                managedObjectModel: ModelVersions.second())
            try coordinator.addPersistentStore(
                type: .sqlite, at: versions.url, options: options)
            return coordinator
        }
        #expect(code { _ = try add([:]) } == 134100)
        #expect(code { _ = try add([NSInferMappingModelAutomaticallyOption: true]) } == 134100)
        #expect(
            code { _ = try add([NSMigratePersistentStoresAutomaticallyOption: true]) } == 134140)
        let coordinator = try add([
            NSMigratePersistentStoresAutomaticallyOption: true,
            NSInferMappingModelAutomaticallyOption: true,
        ])
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        #expect(try context.performAndWait { try context.count("Rack") } == 1)
    }

    @Test func a_description_may_forbid_it() throws {
        let versions = ModelVersions()
        _ = try versions.writeFirst()
        try versions.close()
        let bytes = try Data(contentsOf: versions.url)
        let off = versions.refusal(ModelVersions.second()) {
            $0.shouldMigrateStoreAutomatically = false
        }
        #expect(off?.errorCode == 134100)
        let uninferred = versions.refusal(ModelVersions.second()) {
            $0.shouldInferMappingModelAutomatically = false
        }
        #expect(uninferred?.errorCode == 134140)
        let byOption = versions.refusal(ModelVersions.second()) {
            $0.setOption(false as NSNumber, forKey: NSMigratePersistentStoresAutomaticallyOption)
        }
        #expect(byOption?.errorCode == 134100)
        let readOnly = versions.refusal(ModelVersions.second()) { $0.isReadOnly = true }
        #expect(readOnly?.errorCode == 134110)
        #expect(try Data(contentsOf: versions.url) == bytes)
        #expect(try versions.open(ModelVersions.first()).count("Book") == 2)
    }

    @Test func a_difference_that_cannot_be_inferred_is_named() throws {
        let versions = ModelVersions()
        _ = try versions.writeFirst()
        try versions.close()
        let bytes = try Data(contentsOf: versions.url)
        let model = ModelVersions.first()
        let pages = try #require(model.entitiesByName["Book"]?.attributesByName["pages"])
        pages.attributeType = .stringAttributeType
        let error = try #require(versions.refusal(model))
        #expect(error.errorCode == 134140)
        #expect(error.userInfo["destinationModel"] as? NSManagedObjectModel === model)
        let source = try #require(error.userInfo["sourceModel"] as? NSManagedObjectModel)
        #expect(source.entitiesByName.keys.sorted() == ["Book", "Shelf"])
        let inner = try #require(error.userInfo[NSUnderlyingErrorKey] as? CocoaError)
        #expect(inner.errorCode == 134190)
        #expect(inner.userInfo["entity"] as? String == "Book")
        #expect(inner.userInfo["property"] as? String == "pages")
        #expect(try Data(contentsOf: versions.url) == bytes)
    }

    @Test func objects_that_lack_a_value_are_named() throws {
        let versions = ModelVersions()
        _ = try versions.writeFirst()
        let model = ModelVersions.first()
        try #require(model.entitiesByName["Book"]?.attributesByName["title"]).isOptional = false
        let error = try #require(versions.refusal(model))
        #expect(error.errorCode == 134110)
        #expect(error.message.contains("Book") && error.message.contains("title"))
        // With a value for it, it goes.
        let context = try versions.open(ModelVersions.first())
        for book in try context.all("Book") { book.setValue("Emma", forKey: "title") }
        try context.save()
        let strict = ModelVersions.first()
        try #require(strict.entitiesByName["Book"]?.attributesByName["title"]).isOptional = false
        #expect(try versions.open(strict).all("Book").map { $0.text("title") } == ["Emma", "Emma"])
    }

    @Test func objects_that_lack_a_destination_are_named() throws {
        func strict() throws -> NSManagedObjectModel {
            let model = ModelVersions.first()
            let book = try #require(model.entitiesByName["Book"])
            try #require(book.relationshipsByName["shelf"]).isOptional = false
            return model
        }
        let versions = ModelVersions()
        _ = try versions.writeFirst()
        let context = try versions.open(ModelVersions.first())
        let emma = try #require(try context.all("Book", NSPredicate(format: "pages == 474")).first)
        emma.setValue(nil, forKey: "shelf")
        try context.save()
        try versions.close()
        let bytes = try Data(contentsOf: versions.url)
        let error = try #require(versions.refusal(try strict()))
        #expect(error.errorCode == 134110)
        #expect(error.message.contains("Book.shelf must have a destination in the new model"))
        #expect(try Data(contentsOf: versions.url) == bytes)
        // A save by that model refuses it for the same reason; with a destination, it goes.
        let again = try versions.open(ModelVersions.first())
        let shelf = try #require(try again.named("window", "Shelf"))
        for book in try again.all("Book") { book.setValue(shelf, forKey: "shelf") }
        try again.save()
        let migrated = try versions.open(try strict())
        let lone = migrated.make("Book", ["title": "Persuasion"])
        #expect(code { try migrated.save() } == 1570)
        let window = try #require(try migrated.named("window", "Shelf"))
        lone.setValue(window, forKey: "shelf")
        try migrated.save()
        #expect(try migrated.count("Book") == 3)
    }

    @Test func counts_of_members_are_checked() throws {
        func model(_ least: Int, _ most: Int, isOptional: Bool) throws -> NSManagedObjectModel {
            let model = ModelVersions.first()
            let shelf = try #require(model.entitiesByName["Shelf"])
            let books = try #require(shelf.relationshipsByName["books"])
            (books.minCount, books.maxCount, books.isOptional) = (least, most, isOptional)
            return model
        }
        let versions = ModelVersions()
        _ = try versions.writeFirst()
        let context = try versions.open(ModelVersions.first())
        context.make("Shelf", ["name": "door"])
        try context.save()
        for (least, most, isOptional) in [(1, 0, false), (3, 0, true), (0, 1_000, true)] {
            let error = versions.refusal(try model(least, most, isOptional: isOptional))
            #expect((error?.errorCode == 134110) == (most == 0), "\(least) \(most)")
        }
        let migrated = try versions.open(try model(2, 2, isOptional: true))
        #expect(try migrated.named("window", "Shelf")?.many("books").count == 2)
        #expect(try migrated.named("door", "Shelf")?.many("books").count == 0)
    }

    @Test func an_older_program_does_not_take_values_away() throws {
        let versions = ModelVersions()
        _ = try versions.writeFirst()
        _ = try versions.open(ModelVersions.second())
        let error = try #require(versions.refusal(ModelVersions.first()))
        #expect(error.errorCode == 134110)
        #expect(error.message.contains("newer"))
        #expect(try versions.open(ModelVersions.second()).count("Book") == 2)
    }

    @Test func nothing_is_taken_away_unless_the_program_says_so() throws {
        let versions = ModelVersions()
        _ = try versions.writeFirst()
        try versions.close()
        let bytes = try Data(contentsOf: versions.url)
        let smaller = Build.model(Build.entity("Book", [Build.attribute("title")]))
        let error = try #require(versions.refusal(smaller))
        #expect(error.errorCode == 134110)
        #expect(error.message.contains("Book.pages"))
        #expect(error.message.contains("LodeMigrationMayRemoveOption"))
        #expect(try Data(contentsOf: versions.url) == bytes)
        let again = Build.model(Build.entity("Book", [Build.attribute("title")]))
        let context = try versions.open(again) {
            $0.setOption(true as NSNumber, forKey: LodeMigrationMayRemoveOption)
        }
        #expect(try context.all("Book").map { $0.text("title") }.sorted() == ["-", "Emma"])
        // A program of the first version does not find what it had.
        #expect(versions.refusal(ModelVersions.first()) == nil)
        #expect(try versions.container?.viewContext.count("Shelf") == 0)
    }

    @Test func a_program_of_the_version_before_finds_a_file_it_can_use() throws {
        func model(_ title: String, _ former: String?) -> NSManagedObjectModel {
            let attribute = Build.attribute(title)
            if let former { attribute.renamingIdentifier = former }
            return Build.model(Build.entity("Book", [attribute]))
        }
        let versions = ModelVersions()
        let first = try versions.open(model("title", nil))
        first.make("Book", ["title": "Emma"])
        try first.save()
        let second = try versions.open(model("name", "title"))
        #expect(try second.all("Book").map { $0.text("name") } == ["Emma"])
        // Nothing goes on the way back.
        let third = try versions.open(model("title", nil))
        #expect(try third.all("Book").map { $0.text("title") } == ["Emma"])
    }

    @Test func a_file_of_another_program_is_left_alone() throws {
        let versions = ModelVersions()
        _ = try versions.writeFirst()
        try versions.close()
        let bytes = try Data(contentsOf: versions.url)
        let error = try #require(
            versions.refusal(Build.model(Build.entity("Track", [Build.attribute("name")]))))
        #expect(error.errorCode == 134140)
        #expect(try Data(contentsOf: versions.url) == bytes)
    }

    @Test func a_program_that_has_the_file_open_is_told() throws {
        let versions = ModelVersions()
        _ = try versions.writeFirst()
        let old = try versions.open(ModelVersions.first())
        let kept = try #require(try old.all("Book", NSPredicate(format: "pages == 474")).first)
        #expect(kept.text("title") == "Emma")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: ModelVersions.second())
        try coordinator.addPersistentStore(
            type: .sqlite, at: versions.url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true,
                NSInferMappingModelAutomaticallyOption: true, LodeDurabilityOption: "none",
            ])
        kept.setValue("Persuasion", forKey: "title")
        #expect(code { try old.save() } == 134100)
        #expect(kept.text("title") == "Persuasion")
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let titles = try context.performAndWait {
            try context.all("Book").map { $0.text("title") }.sorted()
        }
        #expect(titles == ["Emma", "untitled"])
    }

    @Test func a_new_constraint_that_objects_break_changes_nothing() throws {
        let versions = ModelVersions()
        let context = try versions.open(ModelVersions.first())
        for _ in 0..<2 { context.make("Shelf", ["name": "window"]) }
        try context.save()
        let model = ModelVersions.first()
        try #require(model.entitiesByName["Shelf"]).uniquenessConstraints = [["name"]]
        #expect(versions.refusal(model)?.errorCode == 134110)
        let again = try versions.open(ModelVersions.first())
        let shelves = try again.all("Shelf")
        #expect(shelves.map { $0.text("name") } == ["window", "window"])
        again.delete(shelves[0])
        try again.save()
        let strict = ModelVersions.first()
        try #require(strict.entitiesByName["Shelf"]).uniquenessConstraints = [["name"]]
        let constrained = try versions.open(strict)
        constrained.make("Shelf", ["name": "window"])
        #expect(code { try constrained.save() } == 133021)
    }

    @Test func history_goes_on() throws {
        func track(_ description: NSPersistentStoreDescription) {
            description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        }
        let versions = ModelVersions()
        let first = try versions.open(ModelVersions.first(), track)
        let shelf = first.make("Shelf", ["name": "window"])
        first.make("Book", ["title": "Emma", "pages": 474, "shelf": shelf])
        try first.save()
        let token = try #require(
            versions.container?.persistentStoreCoordinator.currentPersistentHistoryToken(
                fromStores: nil))
        #expect(versions.refusal(ModelVersions.second())?.errorCode == 134110)
        let context = try versions.open(ModelVersions.second(), track)
        let before = try #require(
            try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast))
                as? NSPersistentHistoryResult)
        let transactions = try #require(before.result as? [NSPersistentHistoryTransaction])
        let changed = transactions.flatMap { $0.changes ?? [] }
            .compactMap(\.changedObjectID.entity.name)
        #expect(changed.sorted() == ["Book", "Rack"])
        try #require(try context.all("Book").first).setValue(500, forKey: "length")
        try context.save()
        let after = try #require(
            try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
                as? NSPersistentHistoryResult)
        let last = try #require((after.result as? [NSPersistentHistoryTransaction])?.last)
        #expect(last.changes?.compactMap { $0.updatedProperties?.map(\.name) } == [["length"]])
    }
}
