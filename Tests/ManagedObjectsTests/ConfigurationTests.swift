// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Named subsets of a model's entities, and stores that hold one.
@Suite struct ConfigurationTests {
    @Test func a_model_knows_its_configurations() throws {
        let model = LibraryModel.make()
        #expect(model.configurations.sorted() == ["Catalogue", "Notes"])
        #expect(model.entities(forConfigurationName: nil)?.count == 3)
        let catalogue = try #require(model.entities(forConfigurationName: "Catalogue"))
        #expect(catalogue.compactMap(\.name) == ["Author", "Book"])
        #expect(model.entities(forConfigurationName: "None") == nil)
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        let copied = try #require(copy.entities(forConfigurationName: "Notes"))
        #expect(copied.compactMap(\.name) == ["Note"])
        #expect(copied[0] === copy.entitiesByName["Note"])
    }

    @Test func one_store_of_a_configuration() throws {
        let stores = try StoreFolder()
        let context = try stores.open([("notes.lode", "Notes")])
        let note = context.make("Note", ["text": "buy milk", "number": 3])
        try context.save()
        #expect(!note.objectID.isTemporaryID && note.text("text") == "buy milk")
        #expect(
            try context.all("Note", NSPredicate(format: "number == 3")).map { $0.text("text") }
                == ["buy milk"])
        let store = try #require(stores.coordinator.persistentStores.first)
        #expect(store.configurationName == "Notes")
        context.make("Book", ["title": "Emma"])
        #expect(code { try context.save() } == 134020)
        context.rollback()
        #expect(try context.count("Book") == 0)
        let again = try stores.open([("notes.lode", "Notes")])
        #expect(try again.all("Note").map { $0.number("number") } == [3])
        // The file has the configuration's entities only.
        let hashes = try stores.store("notes.lode").metadata[NSStoreModelVersionHashesKey]
        #expect((hashes as? [String: Data])?.keys.sorted() == ["Note"])
    }

    @Test func a_fetched_property_leads_to_another_store() throws {
        let model = LibraryModel.make()
        let books = NSFetchedPropertyDescription()
        books.name = "books"
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
        request.predicate = NSPredicate(format: "title == $FETCH_SOURCE.text")
        books.fetchRequest = request
        try #require(model.entitiesByName["Note"]).properties.append(books)
        let stores = try StoreFolder()
        let context = try stores.open(
            [("notes.lode", "Notes"), ("catalogue.lode", "Catalogue")], model: model)
        let note = context.make("Note", ["text": "Emma"])
        for title in ["Emma", "Dracula"] { context.make("Book", ["title": title]) }
        try context.save()
        let found = try #require(note.value(forKey: "books") as? [NSManagedObject])
        #expect(found.map { $0.text("title") } == ["Emma"])
        #expect(found.first?.objectID.persistentStore === (try stores.store("catalogue.lode")))
        // Nothing of the property is in the file.
        let again = try stores.open([("notes.lode", "Notes")])
        #expect(try again.all("Note").map { $0.text("text") } == ["Emma"])
    }

    @Test func an_unknown_configuration_is_refused() throws {
        let stores = try StoreFolder()
        #expect(code { _ = try stores.open([("a.lode", "None")]) } == 134020)
        #expect(!FileManager.default.fileExists(atPath: stores.url("a.lode").path))
    }

    @Test func a_file_of_all_entities_opens_with_a_configuration() throws {
        let stores = try StoreFolder()
        let first = try stores.open([("all.lode", nil)])
        first.make("Note", ["text": "a"])
        first.make("Book", ["title": "Emma"])
        try first.save()
        let context = try stores.open([("all.lode", "Notes")])
        #expect(try context.all("Note").map { $0.text("text") } == ["a"])
        #expect(try context.count("Book") == 0)
    }

    /// The metadata of a new file of a configuration.
    private func metadata(
        _ name: String, _ configuration: String?, _ stores: StoreFolder
    ) throws -> [String: Any] {
        _ = try stores.open([(name, configuration)])
        return try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: .sqlite, at: stores.url(name))
    }

    @Test func metadata_tells_which_configurations_fit() throws {
        let stores = try StoreFolder()
        let metadata = try metadata("notes.lode", "Notes", stores)
        let model = LibraryModel.make()
        #expect(
            model.isConfiguration(withName: "Notes", compatibleWithStoreMetadata: metadata))
        #expect(
            !model.isConfiguration(withName: "Catalogue", compatibleWithStoreMetadata: metadata))
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    }

    @Test func metadata_of_a_file_with_more_entities_fits_none_but_configurations() throws {
        let stores = try StoreFolder()
        let metadata = try metadata("all.lode", nil, stores)
        let model = LibraryModel.make()
        #expect(model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(model.isConfiguration(withName: "Notes", compatibleWithStoreMetadata: metadata))
        let catalogue = LibraryModel.make()
        catalogue.entities.removeAll { $0.name == "Note" }
        for name in [nil, "PF_DEFAULT_CONFIGURATION_NAME"] {
            #expect(
                !catalogue.isConfiguration(
                    withName: name, compatibleWithStoreMetadata: metadata))
        }
    }

    @Test func metadata_fits_a_configuration_with_all_that_it_depends_on() throws {
        let stores = try StoreFolder()
        let metadata = try metadata("all.lode", nil, stores)
        let model = LibraryModel.make()
        model.setEntities(
            [try #require(model.entitiesByName["Book"])], forConfigurationName: "Books")
        #expect(model.isConfiguration(withName: "Books", compatibleWithStoreMetadata: metadata))
        try #require(model.entitiesByName["Author"]).properties.append(Build.attribute("born"))
        #expect(!model.isConfiguration(withName: "Books", compatibleWithStoreMetadata: metadata))
        #expect(model.isConfiguration(withName: "Notes", compatibleWithStoreMetadata: metadata))
        #expect(code { _ = try stores.open([("all.lode", "Books")], model: model) } == 134100)
        #expect(code { _ = try stores.open([("all.lode", "Notes")], model: model) } == nil)
    }
}
