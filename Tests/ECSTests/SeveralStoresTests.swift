// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Game objects whose data lies in another store of the coordinator.
@Suite struct SeveralStoresTests {
    private let moc = NSManagedObjectContext(.mainQueue)
    private let further: NSPersistentStore

    init() throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("SeveralStoresTests-\(UUID().uuidString)")
        removeAtExit(directory.path)
        let model = NSManagedObjectModel()
        model.entities = GameObject.makeEntities() + World.dataEntities()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let stores = try ["main.lode", "further.lode"].map { name in
            try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil,
                at: directory.appendingPathComponent(name),
                options: [LodeDurabilityOption: "none"])
        }
        further = stores[1]
        moc.persistentStoreCoordinator = coordinator
    }

    /// Data in the further store.
    private func health(_ points: Int) -> Health {
        let health = Health(context: moc)
        moc.assign(health, to: further)
        health.points = points
        return health
    }

    @Test func data_of_a_further_store_has_one_component() throws {
        let hero = GameObject.create(name: "hero", moc: moc)
        let data = health(3)
        let component = try hero.addComponent(with: data, moc: moc)
        #expect(try hero.addComponent(with: data, moc: moc) === component)
        try moc.save()
        #expect(data.objectID.persistentStore === further)
        #expect(try hero.addComponent(with: data, moc: moc) === component)
        let villain = GameObject.create(name: "villain", moc: moc)
        #expect(try villain.addComponent(with: data, moc: moc) === component)
        try moc.save()
        #expect(component.gameObject === villain)
        #expect(try moc.count(for: Component.fetchRequest()) == 1)
        #expect(try Component.fetch(managedObjectID: data.objectID, moc: moc) === component)
        #expect(try GameObject.fetch(data: data, moc: moc) === villain)
    }

    @Test func data_of_both_stores_is_found() throws {
        let hero = GameObject.create(name: "hero", moc: moc)
        let near = Health(context: moc)
        near.points = 1
        try hero.addComponent(with: near, moc: moc)
        let far = health(2)
        let other = GameObject.create(name: "other", moc: moc)
        try hero.addComponent(with: far, moc: moc)
        try other.addComponent(with: health(5), moc: moc)
        for _ in 0..<2 {
            #expect(Set(try hero.getData(ofType: Health.self).map(\.points)) == [1, 2])
            #expect(
                try GameObject.fetchAll(withComponentOfType: Health.self, moc: moc)
                    == [hero, other])
            try moc.save()
        }
        try hero.removeComponent(with: far)
        try moc.save()
        #expect(try hero.getData(ofType: Health.self) == [near])
        #expect(try GameObject.fetch(data: far, moc: moc) == nil)
    }
}
