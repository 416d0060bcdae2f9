// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Store
import Testing

/// A class that the stored model names.
final class ZooCat: NSManagedObject {}

/// The model that a store keeps must open that store again, whatever is in it.
@Suite struct StoredModelTests {
    @Test func opensTheStoreItCameFrom() throws {
        try withFolder { folder throws in
            let url = URL(fileURLWithPath: folder + "/zoo.lode")
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
            let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
            let hashes = store.metadata[NSStoreModelVersionHashesKey] as? [String: Data]
            try coordinator.remove(store)
            let model = try NSManagedObjectModel.stored(at: url)
            let other = NSPersistentStoreCoordinator(managedObjectModel: model)
            let again = try other.addPersistentStore(type: .sqlite, at: url)
            #expect(again.metadata[NSStoreModelVersionHashesKey] as? [String: Data] == hashes)
            let cat = try #require(model.entitiesByName["Cat"])
            #expect(cat.superentity?.name == "Animal")
            #expect(cat.managedObjectClassName == "LibraryImportTests.ZooCat")
            #expect(cat.properties.map(\.name).sorted() == ["keeper", "lives", "name"])
            #expect(cat.attributesByName["lives"]?.defaultValue as? NSNumber == 9)
            #expect(cat.indexes.map(\.name) == ["by_lives"])
            let animal = try #require(model.entitiesByName["Animal"])
            #expect(animal.isAbstract)
            #expect(animal.uniquenessConstraints as? [[String]] == [["name"]])
            let keeper = try #require(model.entitiesByName["Keeper"])
            let animals = try #require(keeper.relationshipsByName["animals"])
            #expect(animals.deleteRule == .denyDeleteRule)
            #expect(animals.maxCount == 5 && animals.isOrdered)
            #expect(animals.inverseRelationship?.name == "keeper")
            #expect(animals.inverseRelationship?.maxCount == 1)
        }
    }

    @Test func refusesAMissingFile() throws {
        try withFolder { folder throws in
            #expect(throws: CocoaError.self) {
                _ = try NSManagedObjectModel.stored(at: URL(fileURLWithPath: folder + "/no"))
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
        }
    }

    private static func attribute(
        _ name: String, _ type: NSAttributeType, default value: Any? = nil
    ) -> NSAttributeDescription {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.defaultValue = value
        return attribute
    }

    private static func makeModel() -> NSManagedObjectModel {
        let animal = NSEntityDescription()
        let cat = NSEntityDescription()
        let keeper = NSEntityDescription()
        animal.name = "Animal"
        animal.isAbstract = true
        cat.name = "Cat"
        cat.managedObjectClassName = "LibraryImportTests.ZooCat"
        keeper.name = "Keeper"
        let animals = NSRelationshipDescription()
        animals.name = "animals"
        animals.destinationEntity = animal
        animals.deleteRule = .denyDeleteRule
        animals.maxCount = 5
        animals.isOrdered = true
        let toKeeper = NSRelationshipDescription()
        toKeeper.name = "keeper"
        toKeeper.destinationEntity = keeper
        toKeeper.maxCount = 1
        toKeeper.isOptional = false
        animals.inverseRelationship = toKeeper
        toKeeper.inverseRelationship = animals
        animal.properties = [attribute("name", .stringAttributeType), toKeeper]
        animal.uniquenessConstraints = [["name"]]
        animal.subentities = [cat]
        let lives = attribute("lives", .integer16AttributeType, default: 9)
        cat.properties = animal.properties + [lives]
        cat.indexes = [
            NSFetchIndexDescription(
                name: "by_lives",
                elements: [
                    NSFetchIndexElementDescription(property: lives, collationType: .binary)
                ])
        ]
        keeper.properties = [animals]
        let model = NSManagedObjectModel()
        model.entities = [animal, cat, keeper]
        return model
    }
}
