// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing

/// Components unsaved, saved, reopened; with the library's entities and with the program's own.
@Suite struct ComponentTests {
    @Test func unsaved_data_of_another_context_is_refused() throws {
        let world = try World()
        let hero = GameObject.create(name: "Hero", moc: world.moc)
        let other = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        other.persistentStoreCoordinator = world.container.persistentStoreCoordinator
        let health = Health(context: other)
        health.points = 3
        let code = #expect(throws: CocoaError.self) {
            try hero.addComponent(with: health, moc: world.moc)
        }?.code
        #expect(code?.rawValue == 134060)
        #expect(throws: CocoaError.self) {
            try hero.addComponents(with: [world.health(1), health], moc: world.moc)
        }
        #expect(hero.components.isEmpty)
        // With an ID that lasts it can be pointed to.
        try other.save()
        try hero.addComponent(with: health, moc: world.moc)
        try world.moc.save()
        #expect(try world.points("Hero") == [3])
    }

    @Test(arguments: [false, true]) func look_ups_agree_at_all_times(ownEntities: Bool) throws {
        let world = try World(ownEntities: ownEntities)
        let hero = GameObject.create(name: "Hero", moc: world.moc)
        try hero.addComponent(with: world.health(10), moc: world.moc)
        try hero.addComponent(with: world.armour(5), moc: world.moc)
        let ghost = GameObject.create(name: "Ghost", moc: world.moc)
        try ghost.addComponent(with: Position(context: world.moc), moc: world.moc)
        GameObject.create(name: "Stone", moc: world.moc)
        for step in 0..<3 {
            #expect(try world.points("Hero") == [5, 10], "step \(step)")
            #expect(try world.points("Hero", Armour.self) == [5], "step \(step)")
            #expect(try world.points("Ghost") == [], "step \(step)")
            #expect(try world.owners(Health.self) == ["Hero"], "step \(step)")
            #expect(try world.owners(Armour.self) == ["Hero"], "step \(step)")
            #expect(try world.owners(Position.self) == ["Ghost"], "step \(step)")
            #expect(try world.owners(NSManagedObject.self) == ["Ghost", "Hero"], "step \(step)")
            let found = try #require(try GameObject.fetch(name: "Hero", moc: world.moc))
            #expect(try found.getComponents(ofType: Health.self).count == 2, "step \(step)")
            #expect(try found.getComponents(ofType: Position.self).isEmpty, "step \(step)")
            #expect(try found.getData().count == 2, "step \(step)")
            #expect(found.components.count == 2, "step \(step)")
            for data in try found.getData(ofType: Health.self) {
                #expect(try GameObject.fetch(data: data, moc: world.moc) === found)
                let component = try #require(
                    try Component.fetch(managedObjectID: data.objectID, moc: world.moc))
                #expect(try component.fetchData() === data)
                #expect(component.representation == data.objectID.uriRepresentation())
                let wrong: Position? = try component.fetchData()
                #expect(wrong == nil)
            }
            if step == 0 { try world.moc.save() }
            if step == 1 { try world.reopen() }
        }
    }

    @Test func nothing_is_found_where_nothing_is() throws {
        let world = try World()
        #expect(try GameObject.fetch(name: "None", moc: world.moc) == nil)
        #expect(try world.owners(Health.self).isEmpty)
        let data = world.health(1)
        #expect(try GameObject.fetch(data: data, moc: world.moc) == nil)
        #expect(try Component.fetch(managedObjectID: data.objectID, moc: world.moc) == nil)
        try world.moc.save()
        #expect(try Component.fetch(managedObjectID: data.objectID, moc: world.moc) == nil)
        let loose = try Component.create(data: data, moc: world.moc)
        #expect(loose.gameObject == nil)
        #expect(try Component.fetch(managedObjectID: data.objectID, moc: world.moc) === loose)
        #expect(try GameObject.fetch(data: data, moc: world.moc) == nil)
        try world.moc.save()
        #expect(try loose.fetchData() === data)
    }

    @Test(arguments: [false, true], [false, true])
    func removing_with_and_without_data(deletingData: Bool, isSaved: Bool) throws {
        let world = try World()
        let hero = GameObject.create(name: "Hero", moc: world.moc)
        let health = world.health(10)
        try hero.addComponent(with: health, moc: world.moc)
        try hero.addComponent(with: world.armour(3), moc: world.moc)
        if isSaved { try world.moc.save() }
        let other = GameObject.create(name: "Other", moc: world.moc)
        try other.removeComponent(with: health, deletingData: deletingData)
        #expect(try world.points("Hero") == [3, 10])
        try hero.removeComponent(with: health, deletingData: deletingData)
        for step in 0..<3 {
            #expect(try world.points("Hero") == [3], "step \(step)")
            let request = NSFetchRequest<Health>(entityName: "Health")
            #expect(try world.moc.count(for: request) == (deletingData ? 1 : 2), "step \(step)")
            let components = NSFetchRequest<Component>(entityName: "Component")
            #expect(try world.moc.count(for: components) == 1, "step \(step)")
            if step == 0 { try world.moc.save() }
            if step == 1 { try world.reopen() }
        }
    }

    @Test func rollback_restores_components() throws {
        let world = try World()
        let hero = GameObject.create(name: "Hero", moc: world.moc)
        let health = world.health(10)
        try hero.addComponent(with: health, moc: world.moc)
        try world.moc.save()
        try hero.removeComponent(with: health)
        try hero.addComponent(with: world.armour(4), moc: world.moc)
        #expect(try world.points("Hero") == [4])
        world.moc.rollback()
        #expect(try world.points("Hero") == [10])
        #expect(try world.owners(Armour.self).isEmpty)
        #expect(try GameObject.fetch(data: health, moc: world.moc) === hero)
        try world.moc.save()
        #expect(try world.points("Hero") == [10])
    }

    @Test func components_move_between_objects() throws {
        let world = try World()
        let one = GameObject.create(name: "One", moc: world.moc)
        let two = GameObject.create(name: "Two", moc: world.moc)
        let component = try one.addComponent(with: world.health(1), moc: world.moc)
        for isSaved in [false, true] {
            for (target, name) in [(two, "Two"), (one, "One")] {
                component.gameObject = target
                #expect(try world.owners(Health.self) == [name])
                #expect(try world.points(name) == [1])
                if isSaved { try world.moc.save() }
                #expect(try world.owners(Health.self) == [name])
                #expect(try world.points(name == "One" ? "Two" : "One") == [])
            }
            two.addToComponents(component)
            #expect(try world.owners(Health.self) == ["Two"])
            two.removeFromComponents(component)
            #expect(try world.owners(Health.self) == [])
            if isSaved { try world.moc.save() }
            #expect(try world.owners(Health.self) == [])
            component.gameObject = one
            try world.moc.save()
        }
        try world.reopen()
        #expect(try world.owners(Health.self) == ["One"])
    }

    @Test func deleting_an_object_or_its_data() throws {
        let world = try World()
        let hero = GameObject.create(name: "Hero", moc: world.moc)
        let health = world.health(1)
        let component = try hero.addComponent(with: health, moc: world.moc)
        try hero.addComponent(with: world.armour(2), moc: world.moc)
        try world.moc.save()
        world.moc.delete(health)
        for step in 0..<2 {
            #expect(try world.points("Hero") == [2], "step \(step)")
            #expect(try hero.getComponents(ofType: Health.self).count == 1, "step \(step)")
            #expect(try component.fetchData() == nil, "step \(step)")
            try world.moc.save()
        }
        world.moc.delete(hero)
        #expect(try world.owners(Health.self).isEmpty)
        try world.moc.save()
        #expect(try world.owners(Health.self).isEmpty)
        #expect(try world.moc.count(for: NSFetchRequest<Component>(entityName: "Component")) == 0)
        #expect(try world.moc.count(for: NSFetchRequest<Health>(entityName: "Health")) == 1)
    }

    @Test func another_context_sees_saved_components() throws {
        let world = try World()
        let hero = GameObject.create(name: "Hero", moc: world.moc)
        let health = world.health(1)
        try hero.addComponent(with: health, moc: world.moc)
        let other = world.container.newBackgroundContext()
        #expect(try GameObject.fetch(name: "Hero", moc: other) == nil)
        try world.moc.save()
        let twin = try #require(try GameObject.fetch(name: "Hero", moc: other))
        let data = try #require(try twin.getData(ofType: Health.self).first)
        #expect(data.objectID == health.objectID)
        try twin.removeComponent(with: data)
        #expect(try world.owners(Health.self) == ["Hero"])
        try other.save()
        #expect(try world.owners(Health.self) == [])
    }

    @Test(arguments: [false, true]) func data_has_one_owner(isSaved: Bool) throws {
        let world = try World()
        let hero = GameObject.create(name: "Hero", moc: world.moc)
        let thief = GameObject.create(name: "Thief", moc: world.moc)
        let health = world.health(3)
        let component = try hero.addComponent(with: health, moc: world.moc)
        if isSaved { try world.moc.save() }
        #expect(try hero.addComponent(with: health, moc: world.moc) === component)
        #expect(try thief.addComponent(with: health, moc: world.moc) === component)
        for step in 0..<2 {
            #expect(try world.points("Hero") == [], "step \(step)")
            #expect(try world.points("Thief") == [3], "step \(step)")
            #expect(try hero.getComponents(ofType: Health.self).isEmpty, "step \(step)")
            #expect(try thief.getComponents(ofType: Health.self) == [component], "step \(step)")
            #expect(try GameObject.fetch(data: health, moc: world.moc) === thief, "step \(step)")
            try world.moc.save()
        }
        try thief.removeComponent(with: health, deletingData: false)
        let again = try hero.addComponent(with: health, moc: world.moc)
        #expect(again !== component)
        try world.moc.save()
        #expect(try world.points("Hero") == [3])
        #expect(try world.owners(Health.self) == ["Hero"])
    }

    @Test func unsaved_deletions_have_no_owner() throws {
        let world = try World()
        let (health, armour) = (world.health(1), world.armour(2))
        let hero = GameObject.create(name: "Hero", moc: world.moc)
        try hero.addComponent(with: health, moc: world.moc)
        try hero.addComponent(with: armour, moc: world.moc)
        try world.moc.save()
        world.moc.delete(health)
        #expect(try GameObject.fetch(data: health, moc: world.moc) == nil)
        #expect(try GameObject.fetch(data: armour, moc: world.moc) === hero)
        world.moc.delete(hero)
        #expect(try GameObject.fetch(data: armour, moc: world.moc) == nil)
        world.moc.rollback()
        #expect(try GameObject.fetch(data: health, moc: world.moc) === hero)
    }

    @Test func data_of_another_store_is_not_found() throws {
        let (world, other) = (try World(), try World())
        let health = world.health(1)
        let foreign = other.health(2)
        try GameObject.create(name: "Hero", moc: world.moc)
            .addComponent(with: health, moc: world.moc)
        try world.moc.save()
        try other.moc.save()
        #expect(try Component.fetch(managedObjectID: health.objectID, moc: world.moc) != nil)
        #expect(try Component.fetch(managedObjectID: foreign.objectID, moc: world.moc) == nil)
    }
}
