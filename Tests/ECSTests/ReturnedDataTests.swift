// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing

/// Data that comes back after its deletion was saved: its component, which stayed, leads to it as
/// before.
@MainActor
@Suite struct ReturnedDataTests {
    private let world: World
    private let moc: NSManagedObjectContext
    private let data: [Health]

    init() throws {
        world = try World()
        moc = world.moc
        moc.undoManager = UndoManager()
        let hero = GameObject.create(name: "Hero", moc: moc)
        GameObject.create(name: "Other", moc: moc)
        data = [world.health(1), world.armour(2), world.health(3)]
        try hero.addComponents(with: data, moc: moc)
        try moc.save()
        moc.undoManager?.removeAllActions()
    }

    private func expect(_ points: [Int], _ moc: NSManagedObjectContext) throws {
        let hero = try #require(try GameObject.fetch(name: "Hero", moc: moc))
        let found = try hero.getData(ofType: Health.self)
        #expect(found.map(\.points).sorted() == points)
        #expect(try hero.getData().count == points.count)
        let components = try hero.getComponents(ofType: Health.self)
        #expect(components.count == points.count)
        for type in [Health.self, Armour.self] as [Health.Type] {
            let owners = try GameObject.fetchAll(withComponentOfType: type, moc: moc)
            let isThere = type == Health.self ? !points.isEmpty : points.contains(2)
            #expect(owners.map(\.name) == (isThere ? ["Hero"] : []))
        }
        for health in found {
            #expect(try GameObject.fetch(data: health, moc: moc) === hero)
            let component = try Component.fetch(managedObjectID: health.objectID, moc: moc)
            #expect(try component?.fetchData() === health)
            #expect(components.contains { $0 === component })
        }
    }

    private func expectStored(_ points: [Int]) throws {
        try expect(points, world.container.newBackgroundContext())
    }

    /// The component was saved without its data, and so without entries in the file.
    @Test func data_that_was_never_saved_comes_back_to_its_saved_component() throws {
        let hero = try #require(try GameObject.fetch(name: "Hero", moc: moc))
        let late = world.health(4)
        try hero.addComponent(with: late, moc: moc)
        moc.processPendingChanges()
        moc.delete(late)
        try moc.save()
        try expect([1, 2, 3], moc)
        moc.undo()
        try expect([1, 2, 3, 4], moc)
        try moc.save()
        try expect([1, 2, 3, 4], moc)
        try expectStored([1, 2, 3, 4])
        try world.reopen()
    }

    @Test func an_undone_deletion_brings_data_back_to_its_component() throws {
        moc.delete(data[0])
        moc.delete(data[1])
        try moc.save()
        try expect([3], moc)
        moc.undo()
        try expect([1, 2, 3], moc)
        try expectStored([3])
        try moc.save()
        try expect([1, 2, 3], moc)
        try expectStored([1, 2, 3])
        moc.redo()
        try expect([3], moc)
        try moc.save()
        try expectStored([3])
        moc.undo()
        moc.rollback()
        try expect([3], moc)
        try world.reopen()
        try expect([3], world.moc)
    }

    @Test func data_that_came_back_can_go_to_another_game_object() throws {
        moc.delete(data[0])
        try moc.save()
        moc.undo()
        let other = try #require(try GameObject.fetch(name: "Other", moc: moc))
        try other.addComponent(with: data[0], moc: moc)
        try expectOther(other, moc)
        try moc.save()
        try expectOther(other, moc)
        try world.reopen()
        let same = try #require(try GameObject.fetch(name: "Other", moc: world.moc))
        try expectOther(same, world.moc)
    }

    private func expectOther(_ other: GameObject, _ moc: NSManagedObjectContext) throws {
        #expect(try other.getData(ofType: Health.self).map(\.points) == [1])
        let owners = try GameObject.fetchAll(withComponentOfType: Health.self, moc: moc)
        #expect(owners.map(\.name) == ["Hero", "Other"])
        #expect(try moc.count(for: Component.fetchRequest()) == 3)
    }

    @Test func data_that_came_back_can_be_removed() throws {
        let hero = try #require(try GameObject.fetch(name: "Hero", moc: moc))
        moc.delete(data[0])
        try moc.save()
        moc.undo()
        try hero.removeComponent(with: data[0])
        try expect([2, 3], moc)
        try moc.save()
        try expectStored([2, 3])
        #expect(try moc.count(for: Component.fetchRequest()) == 2)
    }

    @Test func a_child_sees_what_its_parent_has_brought_back() throws {
        moc.delete(data[1])
        try moc.save()
        moc.undo()
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = moc
        try expect([1, 2, 3], child)
        let armour = try #require(
            try GameObject.fetch(name: "Hero", moc: child)?.getData(ofType: Armour.self).first)
        armour.points = 2
        try child.save()
        try moc.save()
        try expectStored([1, 2, 3])
    }

    @Test func a_deletion_that_a_child_takes_back_behind_the_save_counts() throws {
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = moc
        child.undoManager = UndoManager()
        child.delete(child.object(with: data[0].objectID))
        try child.save()
        try moc.save()
        try expectStored([2, 3])
        child.undo()
        try expect([1, 2, 3], child)
        try child.save()
        try expect([1, 2, 3], moc)
        try moc.save()
        try expectStored([1, 2, 3])
    }

    @Test func a_policy_that_writes_data_anew_writes_its_entries_anew() throws {
        let other = world.container.newBackgroundContext()
        try other.performAndWait {
            other.delete(other.object(with: data[0].objectID))
            try other.save()
        }
        data[0].points = 4
        moc.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try moc.save()
        try expect([2, 3, 4], moc)
        try expectStored([2, 3, 4])
    }
}
