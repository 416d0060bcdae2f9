// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing

/// Batch deletions take the entries of components along, whichever side goes.
@Suite struct BatchRequestTests {
    /// A hero with two data objects and a ghost with one.
    private func world(ownEntities: Bool) throws -> World {
        let world = try World(ownEntities: ownEntities)
        let hero = GameObject.create(name: "Hero", moc: world.moc)
        try hero.addComponent(with: world.health(10), moc: world.moc)
        try hero.addComponent(with: world.armour(5), moc: world.moc)
        let ghost = GameObject.create(name: "Ghost", moc: world.moc)
        try ghost.addComponent(with: world.health(1), moc: world.moc)
        try world.moc.save()
        return world
    }

    private func delete(_ entity: String, _ format: String, _ world: World) throws -> Int {
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: entity)
        fetch.predicate = NSPredicate(format: format)
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = .resultTypeCount
        let result = try #require(try world.moc.execute(request) as? NSBatchDeleteResult)
        world.moc.reset()
        return try #require(result.result as? Int)
    }

    private func count(_ entity: String, _ world: World) throws -> Int {
        try world.moc.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
    }

    @Test(arguments: [false, true]) func data_takes_its_entries_along(ownEntities: Bool) throws {
        let world = try world(ownEntities: ownEntities)
        #expect(try delete("Health", "points >= 5", world) == 2)
        for _ in 0..<2 {
            #expect(try world.points("Hero") == [])
            #expect(try world.points("Ghost") == [1])
            #expect(try world.owners(Health.self) == ["Ghost"])
            #expect(try world.owners(Armour.self) == [])
            try world.reopen()
        }
    }

    @Test(arguments: [false, true]) func all_data_of_a_type(ownEntities: Bool) throws {
        let world = try world(ownEntities: ownEntities)
        #expect(try delete("Health", "TRUEPREDICATE", world) == 3)
        #expect(try world.owners(NSManagedObject.self) == [])
        #expect(try world.points("Hero") == [])
    }

    @Test(arguments: [false, true]) func a_game_object_takes_components_along(
        ownEntities: Bool
    ) throws {
        let world = try world(ownEntities: ownEntities)
        #expect(try delete("GameObject", "name == 'Hero'", world) == 3)
        #expect(try count("Component", world) == 1 && count("Health", world) == 3)
        for _ in 0..<2 {
            #expect(try world.owners(Health.self) == ["Ghost"])
            #expect(try world.owners(Armour.self) == [])
            let data = try world.moc.fetch(NSFetchRequest<Armour>(entityName: "Armour"))
            let armour = try #require(data.first)
            #expect(try GameObject.fetch(data: armour, moc: world.moc) == nil)
            #expect(try Component.fetch(managedObjectID: armour.objectID, moc: world.moc) == nil)
            try world.reopen()
        }
    }

    @Test(arguments: [false, true]) func components_go_and_data_stays(ownEntities: Bool) throws {
        let world = try world(ownEntities: ownEntities)
        #expect(try delete("Component", "gameObject.name == 'Hero'", world) == 2)
        #expect(try world.owners(Health.self) == ["Ghost"])
        #expect(try world.points("Hero") == [])
        #expect(try count("Health", world) == 3)
        let hero = try #require(try GameObject.fetch(name: "Hero", moc: world.moc))
        let data = try world.moc.fetch(NSFetchRequest<Armour>(entityName: "Armour"))
        try hero.addComponent(with: try #require(data.first), moc: world.moc)
        try world.moc.save()
        #expect(try world.points("Hero") == [5])
        #expect(try world.owners(Armour.self) == ["Hero"])
    }

    @Test func a_batch_update_cannot_change_components() throws {
        let world = try world(ownEntities: false)
        let request = NSBatchUpdateRequest(entityName: "Component")
        request.propertiesToUpdate = ["representation": NSNull()]
        let error = #expect(throws: CocoaError.self) { try world.moc.execute(request) }
        #expect(error?.errorCode == 134070)
        #expect(try world.points("Hero") == [5, 10])
    }
}
