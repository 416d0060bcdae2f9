// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing

/// The look-ups of components follow undo, merges and conflicts.
@Suite struct UndoAndMergeTests {
    private let world: World
    private let context: NSManagedObjectContext

    init() throws {
        world = try World()
        GameObject.create(name: "Hero", moc: world.moc)
        try world.moc.save()
        context = world.container.newBackgroundContext()
        context.undoManager = UndoManager()
    }

    private func hero(_ context: NSManagedObjectContext) throws -> GameObject {
        try #require(try GameObject.fetch(name: "Hero", moc: context))
    }

    private func give(_ points: Int, in context: NSManagedObjectContext) throws {
        let health = Health(context: context)
        health.points = points
        try hero(context).addComponent(with: health, moc: context)
        context.processPendingChanges()
    }

    private func expect(_ points: [Int], _ context: NSManagedObjectContext) throws {
        let data = try hero(context).getData(ofType: Health.self)
        #expect(data.map(\.points).sorted() == points)
        let owners = try GameObject.fetchAll(withComponentOfType: Health.self, moc: context)
        #expect(owners.map(\.name) == (points.isEmpty ? [] : ["Hero"]))
        for health in data {
            let owner = try GameObject.fetch(data: health, moc: context)
            #expect(owner?.name == "Hero")
        }
    }

    /// What a new context finds.
    private func expectStored(_ points: [Int]) throws {
        try expect(points, world.container.newBackgroundContext())
    }

    @Test func a_component_is_undone_before_its_save() throws {
        try give(10, in: context)
        try expect([10], context)
        context.undo()
        try expect([], context)
        context.redo()
        try expect([10], context)
        try context.save()
        try expectStored([10])
    }

    @Test func a_component_is_undone_after_its_save() throws {
        try give(10, in: context)
        try context.save()
        context.undo()
        try expect([], context)
        try context.save()
        try expectStored([])
        context.redo()
        try expect([10], context)
        try context.save()
        try expect([10], context)
        try expectStored([10])
    }

    @Test func a_removal_is_undone_after_its_save() throws {
        try give(10, in: context)
        try context.save()
        let data = try #require(try hero(context).getData(ofType: Health.self).first)
        try hero(context).removeComponent(with: data)
        try context.save()
        try expectStored([])
        context.undo()
        try expect([10], context)
        try context.save()
        try expectStored([10])
        try expect([10], context)
    }

    @Test func a_child_undoes_a_removal_that_it_has_pushed() throws {
        try give(10, in: context)
        try context.save()
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = context
        child.undoManager = UndoManager()
        let data = try #require(try hero(child).getData(ofType: Health.self).first)
        try hero(child).removeComponent(with: data)
        try child.save()
        try expect([], context)
        child.undo()
        try expect([10], child)
        try child.save()
        try context.save()
        try expectStored([10])
    }

    @Test(arguments: [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite])
    func both_give_a_component(policy: NSMergePolicy) throws {
        context.mergePolicy = policy
        try give(10, in: context)
        let other = world.container.newBackgroundContext()
        try give(20, in: other)
        try other.save()
        try context.save()
        try expectStored([10, 20])
        try expect([10, 20], context)
    }

    @Test func a_merged_removal_is_gone_here() throws {
        try give(10, in: context)
        try context.save()
        context.automaticallyMergesChangesFromParent = true
        let other = world.container.newBackgroundContext()
        let data = try #require(try hero(other).getData(ofType: Health.self).first)
        try hero(other).removeComponent(with: data)
        try other.save()
        context.performAndWait {}
        try expect([], context)
        try give(5, in: context)
        context.rollback()
        try expect([], context)
    }
}
