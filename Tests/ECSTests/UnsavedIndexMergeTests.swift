// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing

/// Look-ups find an object with unsaved changes by the values that others have given it, once the
/// context has taken them in beneath its changes.
@Suite struct UnsavedIndexMergeTests {
    private let world: World
    private let hero: GameObject
    private let other: NSManagedObjectContext
    private var moc: NSManagedObjectContext { world.moc }

    init() throws {
        world = try World()
        hero = GameObject.create(name: "Hero", moc: world.moc)
        try world.moc.save()
        other = world.container.newBackgroundContext()
        // Changes the object and not its name, and has the index know it.
        try hero.addComponent(with: world.health(1), moc: world.moc)
        #expect(try GameObject.fetch(name: "Hero", moc: world.moc) === hero)
    }

    private func rename() throws {
        try other.performAndWait {
            try GameObject.fetch(name: "Hero", moc: other)?.name = "Ghost"
            try other.save()
        }
    }

    private func expectGhost() throws {
        #expect(hero.hasChanges)
        #expect(hero.name == "Ghost")
        #expect(try GameObject.fetch(name: "Ghost", moc: moc) === hero)
        #expect(try GameObject.fetch(name: "Hero", moc: moc) == nil)
        try moc.save()
        #expect(try GameObject.fetch(name: "Ghost", moc: moc) === hero)
        #expect(try world.points("Ghost") == [1])
    }

    @Test func a_name_that_a_refresh_brings() throws {
        try rename()
        moc.refresh(hero, mergeChanges: true)
        try expectGhost()
    }

    @Test func a_name_that_a_refresh_of_all_objects_brings() throws {
        try rename()
        moc.refreshAllObjects()
        try expectGhost()
    }

    @Test func a_name_that_a_merged_batch_update_brings() throws {
        let update = NSBatchUpdateRequest(entityName: "GameObject")
        update.propertiesToUpdate = ["name": "Ghost"]
        update.resultType = .updatedObjectIDsResultType
        let result = try moc.execute(update) as? NSBatchUpdateResult
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: result?.result ?? []], into: [moc])
        try expectGhost()
    }

    @Test func data_that_another_context_gives_a_component() throws {
        try moc.save()
        let (component, second) = (try #require(hero.components.first), world.health(2))
        try moc.save()
        let ghost = GameObject.create(name: "Ghost", moc: moc)
        component.gameObject = ghost
        #expect(try GameObject.fetch(data: second, moc: moc) == nil)
        try other.performAndWait {
            let same = try other.existingObject(with: component.objectID) as? Component
            same?.representation = second.objectID.uriRepresentation()
            try other.save()
        }
        moc.refresh(component, mergeChanges: true)
        #expect(try GameObject.fetch(data: second, moc: moc) === ghost)
        #expect(try world.points("Ghost") == [2])
        #expect(try world.points("Hero") == [])
    }
}
