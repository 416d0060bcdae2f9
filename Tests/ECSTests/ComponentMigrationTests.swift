// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// The data of a component in the first version of a program.
final class Sword: NSManagedObject {}

/// What it is called in the second one.
final class Blade: NSManagedObject {}

/// Game objects and components in files of another version of the model.
@Suite struct ComponentMigrationTests {
    /// Runs a test with a file of the first version: a hero who has a sword.
    private func withHero(_ body: (URL) throws -> Void) throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("ComponentMigrationTests-\(UUID().uuidString)")
        defer { removeAtExit(directory.path) }
        let url = directory.appendingPathComponent("game.lode")
        let first = try open(url, entity(Sword.self, "Sword", "damage"))
        let hero = GameObject.create(name: "Hero", moc: first.viewContext)
        let sword = Sword(context: first.viewContext)
        sword.setValue(7, forKey: "damage")
        try hero.addComponent(with: sword, moc: first.viewContext)
        try first.viewContext.save()
        try close(first)
        try body(url)
    }

    private func open(
        _ url: URL, _ data: NSEntityDescription...
    ) throws -> NSPersistentContainer {
        let model = NSManagedObjectModel()
        model.entities = GameObject.makeEntities() + data
        let container = NSPersistentContainer(name: "Game", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.setOption("none" as NSString, forKey: LodeDurabilityOption)
        description.setOption("records" as NSString, forKey: LodeVerifyOption)
        description.setOption(true as NSNumber, forKey: LodeMigrationMayRemoveOption)
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    private func close(_ container: NSPersistentContainer) throws {
        let coordinator = container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    private func entity(
        _ type: NSManagedObject.Type, _ name: String, _ attributes: String...
    ) -> NSEntityDescription {
        let entity = NSEntityDescription(name: name, managedObjectClass: type)
        entity.properties = attributes.map { NSAttributeDescription(name: $0, type: .integer32) }
        return entity
    }

    @Test func an_entity_that_components_name_is_not_renamed() throws {
        try withHero { url in
            let renamed = entity(Blade.self, "Blade", "damage")
            renamed.renamingIdentifier = "Sword"
            let error = #expect(throws: CocoaError.self) { try open(url, renamed) }
            #expect(error?.errorCode == 134110)
            #expect(error?.message.contains("components") == true)

            // Its properties may change.
            let longer = try open(url, entity(Sword.self, "Sword", "damage", "length"))
            let found = try GameObject.fetchAll(
                withComponentOfType: Sword.self, moc: longer.viewContext)
            #expect(found.map { $0.name } == ["Hero"])
            let data = try #require(found.first).getData()
            #expect(data.map { ($0.value(forKey: "damage") as? NSNumber)?.intValue } == [7])
            #expect(try #require(found.first).getComponents(ofType: Sword.self).count == 1)
            try close(longer)
        }
    }

    @Test func data_of_an_entity_that_is_gone_leaves_its_game_objects() throws {
        try withHero { url in
            let second = try open(url, entity(Blade.self, "Blade", "damage"))
            let moc = second.viewContext
            let heroes = try moc.fetch(GameObject.fetchRequest())
            #expect(heroes.map { $0.name } == ["Hero"])
            #expect(try heroes[0].getData().isEmpty)
            #expect(try GameObject.fetchAll(withComponentOfType: Blade.self, moc: moc).isEmpty)
            try heroes[0].addComponent(with: Blade(context: moc), moc: moc)
            try moc.save()
            #expect(try heroes[0].getData().map { $0.entity.name } == ["Blade"])
            try close(second)

            // The first sword of the new kind is not the one that the hero had.
            let third = try open(
                url, entity(Sword.self, "Sword", "damage"), entity(Blade.self, "Blade", "damage"))
            for damage in 1...3 {
                Sword(context: third.viewContext).setValue(damage, forKey: "damage")
            }
            try third.viewContext.save()
            let again = try #require(try third.viewContext.fetch(GameObject.fetchRequest()).first)
            #expect(try again.getData().map { $0.entity.name } == ["Blade"])
            try close(third)
        }
    }
}
