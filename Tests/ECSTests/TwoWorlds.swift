// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Worlds
import _TestSupport

/// Two worlds of one file, each in a context of its own, which both know two game objects.
@MainActor
struct TwoWorlds {
    let fixture: WorldFixture
    let (one, two): (NSManagedObjectContext, NSManagedObjectContext)
    let (first, second): (Worlds.World, Worlds.World)
    let (object, other): (GameObjectID, GameObjectID)

    init() throws {
        fixture = try WorldFixture()
        (one, two) = (fixture.context(), fixture.context())
        first = try Worlds.World(context: one)
        object = first.spawn(Place(x: 0, y: 0))
        other = first.spawn(Place(x: 5, y: 5))
        try one.save()
        second = try Worlds.World(context: two)
    }

    /// Another game object that both know.
    func spawnThird() throws -> GameObjectID {
        let third = first.spawn(Place(x: 7, y: 7))
        try one.save()
        second.advance()
        return third
    }
}

/// A suite about them.
@MainActor
protocol OnTwoWorlds {
    var worlds: TwoWorlds { get }
}

extension OnTwoWorlds {
    var one: NSManagedObjectContext { worlds.one }
    var two: NSManagedObjectContext { worlds.two }
    var first: Worlds.World { worlds.first }
    var second: Worlds.World { worlds.second }
    var object: GameObjectID { worlds.object }
    var other: GameObjectID { worlds.other }

    /// A world that knows what is saved.
    func reopened() throws -> Worlds.World {
        try Worlds.World(context: worlds.fixture.context())
    }

    func code(_ body: () throws -> Void) -> CocoaError.Code? {
        do { try body() } catch { return (error as? CocoaError)?.code }
        return nil
    }
}
