// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

private struct Place: ValueComponent { var x, y: Float }
private struct Speed: ValueComponent { var x, y: Float }
private struct Mass: ValueComponent { var kilograms: Float }
private struct Resting: ValueComponent {}
private struct Launcher: ValueComponent { var x: Float }

/// The code of Systems.md.
@Suite struct SystemsGuideTests {
    @Test func the_guide_launches_rockets_that_land() throws {
        let world = World()
        world.spawn(Launcher(x: 2))
        let schedule = Schedule(stages: "simulation", "cleaning")

        schedule.add("fall", Mut<Speed>.self, Mass.self) { speed, mass, context in
            speed.y -= 9.81 * Float(context.delta)
        }.without(Resting.self)

        schedule.add("move", Mut<Place>.self, Speed.self) { place, speed, context in
            place.x += speed.x * Float(context.delta)
            place.y += speed.y * Float(context.delta)
        }.after("fall")

        schedule.add(
            System("land", reading: Place.self, writing: Speed.self) { context in
                context.query(Mut<Speed>.self, Place.self, GameObjectID.self).forEach {
                    speed, place, object in
                    guard place.y <= 0 else { return }
                    speed.y = 0
                    context.commands.set(Resting(), of: object)
                }
            }
        ).after("move")

        schedule.add(
            System("launch", reading: Launcher.self) { context in
                context.query(Launcher.self).forEach { launcher in
                    let rocket = context.commands.spawn(
                        Place(x: launcher.x, y: 0), Mass(kilograms: 5))
                    context.commands.set(Speed(x: 1, y: 20), of: rocket)
                }
            }
        ).every(0.5).when { world in world.query(Mass.self).count < 3 }

        schedule.addExclusive("clean") { world, context in
            world.despawn(world.query(Place.self).with(Resting.self).objects)
        }.inStage("cleaning")

        var flying: [Int] = []
        while flying.count < 22 {
            try schedule.run(world, delta: 0.25)
            flying.append(world.query(Mass.self).count)
        }
        #expect(
            flying == [0, 1, 1, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 2, 2, 2, 2])
    }
}
