// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// A context whose coordinator gets another main store while components are unsaved.
@Suite struct ReplacedStoreTests {
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("ReplacedStoreTests-\(UUID().uuidString)")
    private let coordinator: NSPersistentStoreCoordinator
    private let moc = NSManagedObjectContext(.mainQueue)

    init() throws {
        removeAtExit(directory.path)
        let model = NSManagedObjectModel()
        model.entities = GameObject.makeEntities() + World.dataEntities()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        moc.persistentStoreCoordinator = coordinator
    }

    private func add(_ name: String) throws -> NSPersistentStore {
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil,
            at: directory.appendingPathComponent(name), options: [LodeDurabilityOption: "none"])
    }

    /// A game object with data of the context's main store, and where its component points.
    private func make(_ name: String) throws -> (GameObject, Health, String) {
        let object = GameObject.create(name: name, moc: moc)
        let data = Health(context: moc)
        let component = try object.addComponent(with: data, moc: moc)
        // The unsaved components have an index by now.
        #expect(try GameObject.fetch(data: data, moc: moc) === object)
        return (object, data, component.representation?.absoluteString ?? "")
    }

    @Test func new_components_point_into_the_new_store() throws {
        let first = try add("first.lode")
        let firstID = try #require(first.identifier)
        let (_, _, former) = try make("before")
        #expect(former.hasPrefix("x-coredata://\(firstID)/Health/p"))
        #expect(try make("again").2.hasPrefix("x-coredata://\(firstID)/"))
        try coordinator.remove(first)
        // Without a main store there is no ID to point to.
        let lone = Health(context: moc)
        let nobody = GameObject.create(name: "nobody", moc: moc)
        #expect(throws: CocoaError.self) { try nobody.addComponent(with: lone, moc: moc) }
        #expect(throws: CocoaError.self) { try nobody.getComponents(ofType: Health.self) }
        let secondID = try #require(try add("second.lode").identifier)
        #expect(firstID != secondID)
        let (hero, data, current) = try make("after")
        #expect(current.hasPrefix("x-coredata://\(secondID)/Health/p"))
        #expect(try hero.getComponents(ofType: Health.self).count == 1)
        #expect(try hero.getData() == [data])
        #expect(try make("again").2.hasPrefix("x-coredata://\(secondID)/"))
    }

    @Test func objects_of_several_entities_in_turn() throws {
        _ = try add("store.lode")
        let other = NSManagedObjectContext(.mainQueue)
        other.persistentStoreCoordinator = coordinator
        for number in 0..<20 {
            for context in [moc, other] {
                let object = GameObject.create(name: "object \(number)", moc: context)
                let data: [NSManagedObject] = [
                    Health(context: context), Armour(context: context), Position(context: context),
                    Health(context: context),
                ]
                try object.addComponents(with: data, moc: context)
                #expect(
                    data.map(\.entity.name) == ["Health", "Armour", "Position", "Health"])
                #expect(data.allSatisfy { $0.managedObjectContext === context })
                if number % 3 == 0 { context.delete(data[1]) }
                if number % 5 == 0 { context.delete(object) }
            }
            if number % 4 == 0 { try moc.save() }
        }
        for context in [moc, other] {
            let names = try GameObject.fetchAll(withComponentOfType: Armour.self, moc: context)
                .compactMap(\.name)
            #expect(names.contains("object 1") && !names.contains("object 3"))
            try context.save()
        }
        // Of 20 in each context 4 are gone, and of the others 5 have lost their armour.
        let last = NSManagedObjectContext(.mainQueue)
        last.persistentStoreCoordinator = coordinator
        func count(_ type: NSManagedObject.Type) throws -> Int {
            try GameObject.fetchAll(withComponentOfType: type, moc: last).count
        }
        #expect(try count(Position.self) == 32)
        #expect(try count(Health.self) == 32)
        #expect(try count(Armour.self) == 22)
        #expect(try last.count(for: Component.fetchRequest()) == 128)
    }
}
