// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Worlds

/// A world of a file that another process, or another part of a test, has open.
@MainActor
struct WorldElsewhere {
    let context: NSManagedObjectContext
    let world: Worlds.World
    private let container: NSPersistentContainer

    /// Opens a file with game objects.
    init(_ path: String, tracksHistory: Bool = false) throws {
        let model = NSManagedObjectModel()
        model.entities = GameObject.makeEntities()
        let empty = NSPersistentContainer(name: "World", managedObjectModel: model)
        container = try empty.reopened(
            at: URL(fileURLWithPath: path), tracksHistory: tracksHistory)
        context = container.viewContext
        world = try Worlds.World(context: context)
    }

    /// The game objects of the world, in the order of their IDs.
    var ids: [GameObjectID] { world.query(GameObjectID.self).objects }

    func save() throws { try context.save() }
}
