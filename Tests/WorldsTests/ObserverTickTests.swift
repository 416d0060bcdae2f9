// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

/// What observers change while the world advances belongs to the new tick.
@Suite struct ObserverTickTests {
    let world = World()

    init() {
        world.observe(Health.self) { world, event in
            switch event {
            case .added(let object, _): world[object, Position.self] = Position(x: 1, y: 1)
            case .changed(let object, _): world[object, Position.self]?.x += 1
            case .removed(let object, _): world.remove(Position.self, from: object)
            }
        }
    }

    @Test func filters_see_it() {
        let object = world.spawn(Health(points: 1))
        world.advance()
        #expect(world.query(Position.self).added(Position.self).objects == [object])
        world.advance()
        #expect(world.query(Position.self).added(Position.self).objects == [])
        world[object, Health.self]?.points = 2
        world.advance()
        #expect(world.query(Position.self).changed(Position.self).objects == [object])
        #expect(world[object, Position.self] == Position(x: 2, y: 1))
        world.remove(Health.self, from: object)
        #expect(world.removals(of: Position.self).map(\.object) == [])
        world.advance()
        #expect(world.removals(of: Position.self).map(\.object) == [object])
        world.advance()
        #expect(world.removals(of: Position.self).map(\.object) == [])
    }

    @Test func a_follower_gets_it() throws {
        let follower = world.copy()
        let object = world.spawn(Health(points: 1))
        try follower.apply(world.diff(since: 0))
        world.advance()
        #expect(follower[object, Position.self] == nil)
        try follower.apply(world.diff(since: world.lastAdvance))
        #expect(follower[object, Position.self] == Position(x: 1, y: 1))
        world[object, Health.self] = nil
        try follower.apply(world.diff(since: world.lastAdvance))
        world.advance()
        #expect(follower[object, Position.self] == Position(x: 1, y: 1))
        try follower.apply(world.diff(since: world.lastAdvance))
        #expect(follower[object, Position.self] == nil)
        #expect(world.diff(from: follower).isEmpty)
    }

    @Test func an_observer_may_advance_the_world_itself() {
        world.observe(Frozen.self) { world, event in
            if case .added = event { world.advance() }
        }
        let object = world.spawn(Frozen(), Health(points: 1))
        world.advance()
        #expect(world.lastAdvance < world.tick)
        world[object, Health.self]?.points = 2
        #expect(world.query(Health.self).changed(Health.self).objects == [object])
    }
}
