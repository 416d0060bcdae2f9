// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds

private enum Order: ValueComponent, Codable { case wait, follow(GameObjectID) }

/// IDs of documents in places where a loader cannot follow them.
@MainActor
@Suite struct WorldJSONReferenceTests {
    private let json = WorldJSON(components: Wish.self, Order.self)

    private func message(_ fill: (Worlds.World, GameObjectID) -> Void) throws -> String? {
        let world = Worlds.World()
        fill(world, world.spawn())
        let other = Worlds.World()
        other.spawnAll(count: 5)
        do {
            try json.load(try json.data(of: world), into: other, ids: .new)
            return nil
        } catch {
            #expect(other.count == 5)
            return (error as? CocoaError)?.localizedDescription ?? "\(error)"
        }
    }

    @Test func a_resource_is_looked_at_as_a_component_is() throws {
        let component = try message { $0[$1, Wish.self] = Wish(goal: .follow($1)) }
        #expect(component?.contains("Wish of 1/p1 has the ID 1/p1 within an enum") == true)
        let resource = try message { $0[resource: Wish.self] = Wish(goal: .follow($1)) }
        #expect(resource?.contains("Wish of the world has the ID 1/p1 within an enum") == true)
        #expect(try message { world, _ in world[resource: Wish.self] = Wish(goal: .none) } == nil)
    }

    @Test func an_enumeration_may_be_the_component() throws {
        let text = try message { $0[$1, Order.self] = .follow($1) }
        #expect(text?.contains("Order of 1/p1 has the ID 1/p1 within an enum") == true)
        #expect(try message { $0[$1, Order.self] = .wait } == nil)
    }
}
