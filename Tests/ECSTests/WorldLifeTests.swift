// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// How long a world and its context live.
@MainActor
@Suite struct WorldLifeTests {
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("WorldLifeTests-\(UUID().uuidString)")
    private let model = NSManagedObjectModel()

    init() {
        removeAtExit(directory.path)
        model.entities = GameObject.makeEntities()
    }

    private func add(
        to coordinator: NSPersistentStoreCoordinator, _ options: [AnyHashable: Any] = [:]
    ) throws {
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil,
            at: directory.appendingPathComponent("world.lode"), options: options)
    }

    /// A context with a world that nobody holds.
    private func leave(
        _ coordinator: NSPersistentStoreCoordinator, unsaved: Bool
    ) throws -> WeakContext {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        let world = try Worlds.World(context: context)
        world.spawn()
        if !unsaved { try context.save() }
        return WeakContext(context: context)
    }

    private struct WeakContext {
        weak var context: NSManagedObjectContext?

        /// Waits for its end, as its last reference may go on another thread.
        func expectEnd(_ place: SourceLocation = #_sourceLocation) {
            for _ in 0..<2_000 where context != nil { Thread.sleep(forTimeInterval: 0.005) }
            #expect(context == nil, sourceLocation: place)
        }
    }

    @Test func nothing_is_left_of_a_world_that_is_saved() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try add(to: coordinator)
        try leave(coordinator, unsaved: false).expectEnd()
    }

    @Test func what_is_unsaved_keeps_its_context_until_it_is_taken_back() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try add(to: coordinator)
        let left = try leave(coordinator, unsaved: true)
        #expect(left.context?.hasChanges == true)
        left.context?.rollback()
        left.expectEnd()
    }

    @Test func removing_the_store_lets_go_of_what_is_unsaved() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try add(to: coordinator)
        let left = try leave(coordinator, unsaved: true)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        left.expectEnd()
        // The file is closed, so that others may open it in another way.
        let second = NSPersistentStoreCoordinator(managedObjectModel: model)
        try add(to: second, [NSReadOnlyPersistentStoreOption: true])
        #expect(second.persistentStores.count == 1)
    }

    @Test func a_world_whose_store_was_removed_says_so_when_it_is_refreshed() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try add(to: coordinator)
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        let world = try Worlds.World(context: context)
        let ship = world.spawn(Place(x: 1, y: 2))
        try context.save()
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let refusal = #expect(throws: CocoaError.self) { try world.refresh() }
        #expect(refusal?.errorCode == 134070)
        // What it has stays, and can be used, but not saved.
        world[ship, Place.self]?.x = 5
        world.advance()
        #expect(world[ship, Place.self] == Place(x: 5, y: 2))
        #expect(throws: CocoaError.self) { try context.save() }
    }
}
