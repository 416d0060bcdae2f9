// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

/// The values that a world remembers after their removal.
@Suite struct RemovalTests {
    @Test func a_log_of_removals_grows_and_forgets() {
        let world = World()
        let objects = world.spawnAll((0..<1_000).map { Health(points: $0) })
        for object in objects.prefix(400) { world.remove(Health.self, from: object) }
        world.advance()
        for object in objects.dropFirst(400) { world.remove(Health.self, from: object) }
        let all = world.removals(of: Health.self, since: 0)
        #expect(all.map(\.value.points) == Array(0..<1_000))
        #expect(world.removals(of: Health.self).map(\.object) == Array(objects.dropFirst(400)))
        world.advance()
        #expect(world.removals(of: Health.self, since: 0).count == 600)
        world.advance()
        #expect(world.removals(of: Health.self, since: 0).isEmpty)
    }
}
