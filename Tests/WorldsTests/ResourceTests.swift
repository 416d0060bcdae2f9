// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

@Suite struct ResourceTests {
    let world = World()

    @Test func a_world_has_a_value_of_its_own() {
        #expect(world[resource: Health.self] == nil)
        world[resource: Health.self] = Health(points: 3)
        world[resource: Health.self]?.points += 1
        #expect(world[resource: Health.self] == Health(points: 4))
        world[resource: Health.self] = nil
        #expect(world[resource: Health.self] == nil)
    }

    @Test func it_has_nothing_to_do_with_game_objects() {
        world[resource: Health.self] = Health(points: 3)
        let object = world.spawn(Health(points: 1))
        #expect(world.count == 1)
        #expect(world.query(Health.self).objects == [object])
        #expect(world.componentNames(of: object) == ["Health"])
        world.despawn(object)
        #expect(world[resource: Health.self] == Health(points: 3))
        world[resource: Frozen.self] = Frozen()
        #expect(world[resource: Frozen.self] != nil)
        #expect(world.query(Frozen.self).isEmpty)
    }

    @Test func observers_and_systems_see_it() throws {
        var seen: [Int] = []
        world.observe(Resource<Health>.self) { _, event in
            switch event {
            case .added(_, let resource), .changed(_, let resource):
                seen.append(resource.value.points)
            case .removed: seen.append(-1)
            }
        }
        world[resource: Health.self] = Health(points: 1)
        world.advance()
        let schedule = Schedule()
        schedule.add(
            System("heal", writing: Resource<Health>.self) {
                $0[resource: Health.self]?.points += 1
            })
        try schedule.run(world)
        world.advance()
        #expect(seen == [1, 2])
    }

    @Test func a_resource_that_a_system_did_not_declare_traps() async {
        await #expect(processExitsWith: .failure) {
            let world = World()
            world[resource: Health.self] = Health(points: 1)
            let schedule = Schedule()
            schedule.add(
                System("nosy", reading: Resource<Health>.self) {
                    $0[resource: Health.self]?.points += 1
                })
            try? schedule.run(world)
        }
    }
}
