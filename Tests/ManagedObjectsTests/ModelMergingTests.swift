// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Models of several, and those that a store was written with.
@Suite struct ModelMergingTests {
    private let folder: ModelFolder

    init() throws { folder = try ModelFolder() }

    private static let tag = """
        <entity name="Tag"><attribute name="name" attributeType="String"/></entity>
        """

    private func note(_ attribute: String) -> String {
        """
        <entity name="Note"><attribute name="\(attribute)" attributeType="String"/>
        <relationship name="tags" toMany="YES" destinationEntity="Tag"/></entity>
        """
    }

    private func read(_ name: String, _ content: String) throws -> NSManagedObjectModel {
        try NSManagedObjectModel.read(contentsOf: try folder.write(name, [name: content]))
    }

    @Test func a_merged_model_has_all_entities_and_its_parts_stay_as_they_are() throws {
        let one = try read("One", Self.tag + note("text"))
        let two = try read("Two", Self.tag + "<entity name=\"Sub\" parentEntity=\"Tag\"/>")
        let other = try read(
            "Other",
            "<entity name=\"Other\"/><configuration name=\"C\"><memberEntity name=\"Other\"/>"
                + "</configuration><fetchRequest name=\"all\" entity=\"Other\"/>")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: one)
        // The entity Tag of the second one has an heir, and is another one therefore.
        #expect(one.entitiesByName["Tag"]?.isEqual(two.entitiesByName["Tag"]) == false)
        let merged = try #require(NSManagedObjectModel(byMerging: [one, other, one]))
        #expect(merged.entities.compactMap(\.name).sorted() == ["Note", "Other", "Tag"])
        let entities = merged.entitiesByName
        #expect(
            entities["Note"]?.relationshipsByName["tags"]?.destinationEntity === entities["Tag"])
        #expect(entities["Tag"]?.managedObjectModel === merged)
        #expect(merged.entities(forConfigurationName: "C")?.map(\.name) == ["Other"])
        #expect(merged.fetchRequestTemplate(forName: "all")?.entity === entities["Other"])
        #expect(coordinator.managedObjectModel.entities.count == 2)
        #expect(one.entitiesByName["Tag"]?.managedObjectModel === one)
        let used = NSPersistentStoreCoordinator(managedObjectModel: merged)
        _ = try used.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = used
        try context.performAndWait {
            let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
            tag.setValue("t", forKey: "name")
            note.setValue("n", forKey: "text")
            note.setValue(Set([tag]), forKey: "tags")
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.predicate = NSPredicate(format: "ANY tags.name == 't'")
            #expect(try context.count(for: request) == 1)
        }
    }

    @Test func requests_that_name_their_entity_only_go_on_doing_so() throws {
        let note = NSEntityDescription()
        note.name = "Note"
        let same = NSFetchedPropertyDescription()
        same.name = "same"
        same.fetchRequest = NSFetchRequest(entityName: "Note")
        note.properties = [NSAttributeDescription(name: "text", type: .string), same]
        let model = NSManagedObjectModel(entities: [note])
        model.setFetchRequestTemplate(NSFetchRequest(entityName: "Note"), forName: "all")
        let other = NSEntityDescription()
        other.name = "Other"
        let merged = try #require(
            NSManagedObjectModel(byMerging: [model, NSManagedObjectModel(entities: [other])]))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: merged)
        _ = try coordinator.addPersistentStore(
            type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
            try context.save()
            #expect(object.value(forKey: "same") as? [NSManagedObject] == [object])
            let template = try #require(merged.fetchRequestTemplate(forName: "all"))
            #expect(try context.count(for: template) == 1)
        }
    }

    @Test func nothing_is_no_model() {
        #expect(NSManagedObjectModel(byMerging: nil) == nil)
        #expect(NSManagedObjectModel(byMerging: []) == nil)
        #expect(NSManagedObjectModel(byMerging: [], forStoreMetadata: [:]) == nil)
        #expect(NSManagedObjectModel.mergedModel(from: []) == nil)
    }

    @Test func two_entities_of_a_name_that_differ_end_the_program() async {
        await #expect(processExitsWith: .failure) {
            let models = ["a", "b"].map { name in
                let entity = NSEntityDescription()
                entity.name = "E"
                entity.properties = [NSAttributeDescription(name: name, type: .date)]
                return NSManagedObjectModel(entities: [entity])
            }
            _ = NSManagedObjectModel(byMerging: models)
        }
    }

    @Test func the_version_that_a_store_was_written_with_is_found() throws {
        let models = try ["text", "body"].map { try read("V\($0)", Self.tag + note($0)) }
        let other = try read("Other", "<entity name=\"Other\"/>")
        let url = folder.url.appendingPathComponent("notes.lode")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: models[1])
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let metadata = store.metadata ?? [:]
        let found = NSManagedObjectModel(
            byMerging: models + [other], forStoreMetadata: metadata)
        #expect(found?.entitiesByName["Note"]?.attributesByName["body"] != nil)
        #expect(found?.entities.count == 2)
        #expect(
            NSManagedObjectModel(byMerging: [models[0], other], forStoreMetadata: metadata) == nil)
    }

    @Test func the_models_of_a_bundle_are_merged_in_their_current_versions() throws {
        try folder.write("One", ["A": Self.tag, "B": Self.tag + note("text")], current: "B")
        try folder.write("Two", ["Two": "<entity name=\"Other\"/>"])
        let bundle = try #require(Bundle(path: folder.url.path))
        let merged = NSManagedObjectModel.mergedModel(from: [bundle])
        #expect(merged?.entities.compactMap(\.name).sorted() == ["Note", "Other", "Tag"])
        let first = try NSManagedObjectModel.read(
            contentsOf: folder.url.appendingPathComponent("One.xcdatamodeld/A.xcdatamodel"))
        let metadata = [NSStoreModelVersionHashesKey: first.entityVersionHashesByName]
        let old = NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata)
        #expect(old?.entities.map(\.name) == ["Tag"])
        try folder.write("Bad", ["Bad": "<"])
        #expect(NSManagedObjectModel.mergedModel(from: [bundle]) == nil)
        #expect(
            NSManagedObjectModel.mergedModel(from: [bundle], forStoreMetadata: metadata)?
                .entities.map(\.name) == ["Tag"])
    }
}
