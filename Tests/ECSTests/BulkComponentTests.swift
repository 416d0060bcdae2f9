// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing

/// `addComponents(with:)` does for many data what `addComponent` does for one.
@Suite struct BulkComponentTests {
    private let world: World
    private let moc: NSManagedObjectContext

    init() throws {
        world = try World()
        moc = world.moc
    }

    private func hero(_ name: String = "Hero") -> GameObject {
        GameObject.create(name: name, moc: moc)
    }

    @Test func data_of_any_classes_get_components_in_their_order() throws {
        let hero = hero()
        let data: [NSManagedObject] = [world.armour(7), Position(context: moc), world.health(3)]
        let components = try hero.addComponents(with: data, moc: moc)
        #expect(components.count == 3)
        for (component, data) in zip(components, data) {
            #expect(try component.fetchData() === data)
            #expect(component.gameObject === hero)
            #expect(!data.objectID.isTemporaryID)
        }
        #expect(hero.components == Set(components))
        #expect(try world.points("Hero") == [3, 7])
        #expect(try world.points("Hero", Armour.self) == [7])
        #expect(try world.owners(Position.self) == ["Hero"])
        try moc.save()
        try world.reopen()
        #expect(try world.points("Hero") == [3, 7])
        #expect(try world.owners(Position.self) == ["Hero"])
        #expect(try world.owners(Armour.self) == ["Hero"])
    }

    @Test func no_data_changes_nothing() throws {
        let hero = hero()
        try moc.save()
        #expect(try hero.addComponents(with: [], moc: moc).isEmpty)
        #expect(hero.components.isEmpty)
        #expect(!moc.hasChanges)
    }

    @Test func data_that_comes_twice_has_one_component() throws {
        let hero = hero()
        let (one, two) = (world.health(1), world.health(2))
        let components = try hero.addComponents(with: [one, two, one], moc: moc)
        #expect(components.count == 3)
        #expect(components[0] === components[2])
        #expect(components[0] !== components[1])
        #expect(hero.components.count == 2)
        // Again, with an ID by now, and once more when it is saved.
        #expect(try hero.addComponents(with: [one], moc: moc) == [components[0]])
        try moc.save()
        let again = try hero.addComponents(with: [two, two], moc: moc)
        #expect(again == [components[1], components[1]])
        #expect(try world.points("Hero") == [1, 2])
    }

    @Test(arguments: [false, true])
    func claimed_data_leaves_its_object(_ isSaved: Bool) throws {
        let (first, second) = (hero("First"), hero("Second"))
        let (old, new) = (world.health(1), world.health(2))
        let component = try first.addComponent(with: old, moc: moc)
        if isSaved { try moc.save() }
        let components = try second.addComponents(with: [new, old], moc: moc)
        #expect(components[1] === component)
        #expect(try world.points("First").isEmpty)
        #expect(try world.points("Second") == [1, 2])
        #expect(try world.owners(Health.self) == ["Second"])
        try moc.save()
        try world.reopen()
        #expect(try world.points("First").isEmpty)
        #expect(try world.points("Second") == [1, 2])
    }

    @Test func data_with_an_id_is_taken_as_well() throws {
        let hero = hero()
        let (one, two) = (world.health(1), world.health(2))
        try moc.obtainPermanentIDs(for: [one])
        let id = one.objectID
        try hero.addComponents(with: [two, one], moc: moc)
        #expect(one.objectID == id)
        #expect(try world.points("Hero") == [1, 2])
    }

    @Test func ids_come_from_one_reservation() throws {
        let store = try moc.mainStore()
        let hero = hero()
        var data: [NSManagedObject] = (0..<500).map { world.health($0) }
        data += (0..<500).map { world.armour($0) }
        let last = store.lastTransactionID
        try hero.addComponents(with: data, moc: moc)
        #expect(store.lastTransactionID == last + 1)
        #expect(Set(data.map(\.objectID)).count == 1_000)
        // The blocks that it reserved have rows left.
        try hero.addComponents(with: [world.health(500), world.armour(500)], moc: moc)
        #expect(store.lastTransactionID == last + 1)
        try moc.save()
        #expect(try hero.getData(ofType: Armour.self).map(\.points) == Array(0...500))
    }

    @Test func a_child_adds_components_too() throws {
        let root = world.container.newBackgroundContext()
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = root
        let taken = Health(context: root)
        taken.points = 1
        try GameObject.create(name: "Root", moc: root).addComponents(with: [taken], moc: root)
        let hero = GameObject.create(name: "Hero", moc: child)
        let own = Health(context: child)
        own.points = 2
        let inherited = try #require(child.object(with: taken.objectID) as? Health)
        let components = try hero.addComponents(with: [own, inherited, own], moc: child)
        #expect(components[0] === components[2])
        #expect(try components[1].fetchData() === inherited)
        #expect(try hero.getData(ofType: Health.self).map(\.points).sorted() == [1, 2])
        #expect(try GameObject.fetch(data: taken, moc: root)?.name == "Root")
        try child.save()
        #expect(try GameObject.fetch(data: taken, moc: root)?.name == "Hero")
        try root.save()
        #expect(try world.points("Hero") == [1, 2])
        #expect(try world.points("Root").isEmpty)
    }

    @Test func a_child_that_is_made_later_knows_the_ids() throws {
        let root = world.container.newBackgroundContext()
        let data = Health(context: root)
        data.points = 5
        try GameObject.create(name: "Hero", moc: root).addComponents(with: [data], moc: root)
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = root
        let twin = try #require(child.object(with: data.objectID) as? Health)
        #expect(twin.points == 5)
        #expect(try GameObject.fetch(data: twin, moc: child)?.name == "Hero")
        try root.save()
        #expect(try GameObject.fetch(data: twin, moc: child)?.name == "Hero")
        #expect(twin.objectID == data.objectID)
    }

    @Test func without_a_store_nothing_is_added() throws {
        let moc = NSManagedObjectContext(.privateQueue)
        moc.persistentStoreCoordinator = NSPersistentStoreCoordinator(
            managedObjectModel: world.model)
        let hero = GameObject.create(name: "Hero", moc: moc)
        let data = Health(context: moc)
        let error = #expect(throws: CocoaError.self) {
            try hero.addComponents(with: [data], moc: moc)
        }
        #expect(error?.code.rawValue == 134070)
        #expect(hero.components.isEmpty)
        #expect(data.objectID.isTemporaryID)
    }
}
