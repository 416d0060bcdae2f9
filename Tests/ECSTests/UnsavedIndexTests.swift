// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing

/// Look-ups among unsaved components stay right whichever way the components were changed.
@Suite struct UnsavedIndexTests {
    private let world: World
    private var moc: NSManagedObjectContext { world.moc }

    init() throws { world = try World() }

    private func owner(_ data: Health) throws -> String? {
        try GameObject.fetch(data: data, moc: moc)?.name
    }

    @Test func a_component_made_by_hand_is_found() throws {
        let hero = GameObject.create(name: "Hero", moc: moc)
        let (first, second) = (world.health(1), world.health(2))
        try moc.obtainPermanentIDs(for: [first, second])
        let component = Component(context: moc)
        #expect(try owner(first) == nil)
        component.representation = first.objectID.uriRepresentation()
        #expect(try Component.fetch(managedObjectID: first.objectID, moc: moc) === component)
        #expect(try owner(first) == nil)
        component.gameObject = hero
        #expect(try owner(first) == "Hero")
        #expect(try world.owners(Health.self) == ["Hero"])
        component.setValue(second.objectID.uriRepresentation(), forKey: "representation")
        #expect(try owner(first) == nil)
        #expect(try owner(second) == "Hero")
        #expect(try world.points("Hero") == [2])
        component.setPrimitiveValue(first.objectID.uriRepresentation(), forKey: "representation")
        #expect(try owner(first) == "Hero")
        #expect(try owner(second) == nil)
        component.representation = nil
        #expect(try owner(first) == nil)
        #expect(try world.owners(Health.self) == [])
    }

    @Test func game_objects_come_in_the_order_of_their_creation() throws {
        func names() throws -> [String?] {
            try GameObject.fetchAll(withComponentOfType: Health.self, moc: moc).map(\.name)
        }
        let objects = ["A", "B", "C", "D", "E"].map { GameObject.create(name: $0, moc: moc) }
        for index in [1, 3] { try objects[index].addComponent(with: world.health(1), moc: moc) }
        #expect(try names() == ["B", "D"])
        try moc.save()
        #expect(try names() == ["B", "D"])
        let late = GameObject.create(name: "F", moc: moc)
        for object in [late, objects[2], late, objects[0]] {
            try object.addComponent(with: world.health(1), moc: moc)
        }
        #expect(try names() == ["A", "B", "C", "D", "F"])
        try moc.save()
        #expect(try names() == ["A", "B", "C", "D", "F"])
        for name in ["G", "H"] {
            try GameObject.create(name: name, moc: moc)
                .addComponent(with: world.health(1), moc: moc)
        }
        #expect(try names() == ["A", "B", "C", "D", "F", "G", "H"])
    }

    @Test func of_two_components_of_one_data_object_the_other_one_is_left() throws {
        let health = world.health(1)
        let hero = GameObject.create(name: "Hero", moc: moc)
        let component = try hero.addComponent(with: health, moc: moc)
        #expect(try owner(health) == "Hero")
        let ghost = GameObject.create(name: "Ghost", moc: moc)
        let rival = Component(context: moc)
        rival.representation = health.objectID.uriRepresentation()
        rival.gameObject = ghost
        #expect(try owner(health) == "Ghost")
        moc.delete(rival)
        #expect(try owner(health) == "Hero")
        moc.delete(component)
        #expect(try owner(health) == nil)
    }

    @Test func a_saved_component_that_changes_its_data() throws {
        let (first, second) = (world.health(1), world.health(2))
        let hero = GameObject.create(name: "Hero", moc: moc)
        let component = try hero.addComponent(with: first, moc: moc)
        try moc.obtainPermanentIDs(for: [second])
        try moc.save()
        for isReopened in [false, true] {
            if isReopened { moc.refreshAllObjects() }
            #expect(try owner(first) == "Hero")
            component.representation = second.objectID.uriRepresentation()
            #expect(try owner(first) == nil)
            #expect(try owner(second) == "Hero")
            #expect(try world.points("Hero") == [2])
            #expect(try hero.getComponents(ofType: Health.self) == [component])
            moc.refresh(component, mergeChanges: false)
            #expect(try owner(first) == "Hero")
            #expect(try owner(second) == nil)
            #expect(try world.points("Hero") == [1])
            component.representation = second.objectID.uriRepresentation()
            #expect(try owner(second) == "Hero")
            moc.rollback()
            #expect(try owner(first) == "Hero")
            #expect(try owner(second) == nil)
        }
        component.representation = second.objectID.uriRepresentation()
        try moc.save()
        #expect(try owner(first) == nil)
        #expect(try owner(second) == "Hero")
    }

    @Test func undo_and_redo_of_each_step() throws {
        moc.undoManager = UndoManager()
        let (first, second) = (world.health(1), world.health(2))
        let hero = GameObject.create(name: "Hero", moc: moc)
        try moc.obtainPermanentIDs(for: [second])
        moc.processPendingChanges()
        let component = try hero.addComponent(with: first, moc: moc)
        moc.processPendingChanges()
        #expect(try owner(first) == "Hero")
        component.representation = second.objectID.uriRepresentation()
        moc.processPendingChanges()
        #expect(try owner(second) == "Hero")
        try hero.removeComponent(with: second, deletingData: false)
        moc.processPendingChanges()
        #expect(try owner(second) == nil)
        moc.undo()
        #expect(try owner(second) == "Hero")
        #expect(try world.points("Hero") == [2])
        moc.undo()
        #expect(try owner(first) == "Hero")
        #expect(try owner(second) == nil)
        moc.undo()
        #expect(try owner(first) == nil)
        #expect(try world.owners(Health.self) == [])
        moc.redo()
        #expect(try owner(first) == "Hero")
        moc.redo()
        #expect(try owner(second) == "Hero")
        #expect(try world.owners(Health.self) == ["Hero"])
    }

    @Test func names_of_unsaved_game_objects() throws {
        let hero = GameObject.create(name: "Hero", moc: moc)
        #expect(try GameObject.fetch(name: "Hero", moc: moc) === hero)
        hero.name = "Knight"
        #expect(try GameObject.fetch(name: "Hero", moc: moc) == nil)
        #expect(try GameObject.fetch(name: "Knight", moc: moc) === hero)
        try moc.save()
        hero.name = "Hero"
        #expect(try GameObject.fetch(name: "Hero", moc: moc) === hero)
        #expect(try GameObject.fetch(name: "Knight", moc: moc) == nil)
        let squire = GameObject.create(name: "Squire", moc: moc)
        try moc.save()
        squire.name = "Hero"
        hero.name = "King"
        #expect(try GameObject.fetch(name: "Hero", moc: moc) === squire)
        moc.delete(squire)
        #expect(try GameObject.fetch(name: "Hero", moc: moc) == nil)
        #expect(try GameObject.fetch(name: "King", moc: moc) === hero)
        moc.rollback()
        #expect(try GameObject.fetch(name: "Hero", moc: moc) === hero)
        #expect(try GameObject.fetch(name: "Squire", moc: moc) === squire)
    }

    @Test func of_several_saved_objects_of_a_name_the_unchanged_one_is_found() throws {
        let first = GameObject.create(name: "Twin", moc: moc)
        let second = GameObject.create(name: "Twin", moc: moc)
        try moc.save()
        first.name = "Other"
        #expect(try GameObject.fetch(name: "Twin", moc: moc) === second)
        moc.rollback()
        moc.delete(second)
        #expect(try GameObject.fetch(name: "Twin", moc: moc) === first)
    }

    @Test func deletions_are_processed_before_a_name_is_looked_for() throws {
        let hero = GameObject.create(name: "Hero", moc: moc)
        let health = world.health(1)
        let component = try hero.addComponent(with: health, moc: moc)
        moc.delete(hero)
        #expect(try GameObject.fetch(name: "Hero", moc: moc) == nil)
        #expect(component.managedObjectContext == nil)
        #expect(try owner(health) == nil)
    }

    @Test func what_an_event_forgets_does_not_come_back() throws {
        for number in 1...3 {
            let object = GameObject.create(name: "Object \(number)", moc: moc)
            try object.addComponent(with: world.health(number), moc: moc)
            moc.processPendingChanges()
        }
        let second = try #require(try GameObject.fetch(name: "Object 2", moc: moc))
        moc.delete(second)
        moc.processPendingChanges()
        GameObject.create(name: "Object 4", moc: moc)
        moc.processPendingChanges()
        #expect(moc.insertedObjects.count == 8)
        #expect(try world.owners(Health.self) == ["Object 1", "Object 3"])
        try moc.save()
        try world.reopen()
        #expect(try world.owners(Health.self) == ["Object 1", "Object 3"])
        #expect(try moc.count(for: NSFetchRequest<GameObject>(entityName: "GameObject")) == 3)
    }

    @Test func a_component_inserted_after_it_was_made() throws {
        let health = world.health(1)
        let hero = GameObject.create(name: "Hero", moc: moc)
        try moc.obtainPermanentIDs(for: [health])
        #expect(try owner(health) == nil)
        let entity = try #require(moc.insertedObjects.first { $0 is GameObject }?.entity)
        let description = try #require(
            entity.relationshipsByName["components"]?.destinationEntity)
        let component = Component(entity: description, insertInto: nil)
        component.representation = health.objectID.uriRepresentation()
        moc.insert(component)
        #expect(try Component.fetch(managedObjectID: health.objectID, moc: moc) === component)
        component.gameObject = hero
        #expect(try owner(health) == "Hero")
    }

    @Test func a_model_of_many_entities_gives_all_data() throws {
        let hero = GameObject.create(name: "Hero", moc: moc)
        let (health, armour) = (world.health(1), world.armour(2))
        let position = Position(context: moc)
        for data in [health, armour, position] { try hero.addComponent(with: data, moc: moc) }
        for step in 0..<3 {
            let found = try #require(try GameObject.fetch(name: "Hero", moc: moc))
            let names = try found.getData().compactMap(\.entity.name).sorted()
            #expect(names == ["Armour", "Health", "Position"], "step \(step)")
            let one: Position? = try found.getData()
            #expect(one != nil, "step \(step)")
            let ofType: Armour? = try found.getData()
            #expect(ofType?.points == 2, "step \(step)")
            if step == 0 { try moc.save() }
            if step == 1 { try world.reopen() }
        }
        let stone = GameObject.create(name: "Stone", moc: moc)
        let none: Health? = try stone.getData()
        #expect(none == nil)
    }

    @Test func a_predicate_finds_a_component_by_the_text_of_its_uri() throws {
        let (first, second) = (world.health(1), world.health(2))
        let hero = GameObject.create(name: "Hero", moc: moc)
        let component = try hero.addComponent(with: first, moc: moc)
        try hero.addComponent(with: second, moc: moc)
        let request = Component.fetchRequest()
        request.predicate = NSPredicate(
            format: "representation.absoluteString MATCHES %@",
            first.objectID.uriRepresentation().absoluteString)
        for _ in 0..<2 {
            #expect(try moc.fetch(request) == [component])
            try moc.save()
        }
    }

    @Test(arguments: [false, true]) func three_hundred_data_objects_need_two_commits_for_their_ids(
        ownEntities: Bool
    ) throws {
        let world = try World(ownEntities: ownEntities)
        let store = try world.moc.mainStore()
        let last = store.lastTransactionID
        let hero = GameObject.create(name: "Hero", moc: world.moc)
        for points in 1...300 {
            try hero.addComponent(with: world.health(points), moc: world.moc)
        }
        // Blocks of 65 and of 257 rows.
        #expect(store.lastTransactionID == last + 2)
        try world.moc.save()
        try world.reopen()
        #expect(try world.points("Hero") == Array(1...300))
    }

    @Test func a_saved_component_that_gets_data_of_another_type() throws {
        let (armour, position) = (world.armour(1), Position(context: moc))
        let hero = GameObject.create(name: "Hero", moc: moc)
        let component = try hero.addComponent(with: armour, moc: moc)
        try moc.obtainPermanentIDs(for: [position])
        try moc.save()
        for _ in 0..<2 {
            component.representation = position.objectID.uriRepresentation()
            #expect(try hero.getData(ofType: Position.self) == [position])
            #expect(try hero.getComponents(ofType: Position.self) == [component])
            #expect(try hero.getData(ofType: Health.self) == [])
            #expect(try world.owners(Position.self) == ["Hero"])
            moc.rollback()
            #expect(try hero.getData(ofType: Position.self) == [])
            #expect(try hero.getData(ofType: Health.self) == [armour])
        }
        component.representation = position.objectID.uriRepresentation()
        try moc.save()
        #expect(try hero.getData(ofType: Position.self) == [position])
        #expect(try hero.getData(ofType: Health.self) == [])
    }
}
