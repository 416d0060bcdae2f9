// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

private enum Mine {
    struct Health: ValueComponent { var points: Int }
}

/// Traps name type and object.
@Suite struct BadUseTests {
    private func text(_ result: ExitTest.Result?) throws -> String {
        String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    }

    @Test func adding_in_a_loop() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let world = World()
            world.spawn(Health(points: 1))
            world.query(Health.self, GameObjectID.self).forEach { _, object in
                world[object, Position.self] = Position(x: 1, y: 1)
            }
        }
        #expect(
            try text(result).contains(
                "adding Position to 1/p1 while a query or a system runs over the world; use its "
                    + "commands"))
    }

    @Test func removing_and_despawning_in_a_loop() async throws {
        let removing = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let world = World()
            world.spawn(Health(points: 1))
            world.query(GameObjectID.self).forEach { world.remove(Health.self, from: $0) }
        }
        #expect(try text(removing).contains("removing Health from 1/p1 while a query"))
        let despawning = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let world = World()
            world.spawn(Health(points: 1))
            world.query(GameObjectID.self).forEach { world.despawn($0) }
        }
        #expect(try text(despawning).contains("despawning 1/p1 while a query"))
    }

    @Test func a_component_with_the_name_of_a_resource() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            struct Tide: ValueComponent {
                static let componentName = "resource/Health"
                var level: Int
            }
            World().spawn(Tide(level: 1))
        }
        #expect(
            try text(result).contains(
                "the component resource/Health has the name of the resource Health; give the type "
                    + "another componentName"))
    }

    @Test func relating_in_a_loop() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let world = World()
            let friend = world.spawn()
            world.spawn(Health(points: 1))
            world.query(Health.self, GameObjectID.self).forEach {
                world.relate($1, Likes.self, to: friend)
            }
        }
        #expect(try text(result).contains("relating 1/p2 to 1/p1 by Likes while a query"))
    }

    @Test func a_system_that_adds() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let world = World()
            let object = world.spawn(Health(points: 1))
            let schedule = Schedule()
            schedule.add(
                System("greedy", writing: Position.self) { context in
                    context.set(Position(x: 1, y: 1), of: object)
                })
            try schedule.run(world)
        }
        #expect(try text(result).contains("adding Position to 1/p1 while a query or a system"))
    }

    @Test func a_despawned_ID() async throws {
        let setting = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let world = World()
            let object = world.spawn(Health(points: 1))
            world.despawn(object)
            world[object, Health.self] = Health(points: 2)
        }
        #expect(
            try text(setting).contains(
                "adding Health: the game object 1/p1 is not in this world: it was despawned, or "
                    + "is of another world"))
        let relating = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let world = World()
            let objects = world.spawnAll(count: 2)
            world.despawn(objects[1])
            world.relate(objects[0], Likes.self, to: objects[1])
        }
        #expect(
            try text(relating).contains("relating to it by Likes: the game object 1/p2 is not in"))
    }

    @Test func two_types_of_one_name() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let world = World()
            world.spawn(Health(points: 1))
            world.spawn(Mine.Health(points: 2))
        }
        let text = try text(result)
        #expect(
            text.contains(
                "two component types are named Health: WorldsTests.Health and WorldsTests."))
        #expect(text.contains("Mine.Health; give one of them another componentName"))
    }

    @Test func a_circle_names_both() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let world = World()
            let objects = world.spawnAll(count: 2)
            world.relate(objects[0], ChildOf.self, to: objects[1])
            world.relate(objects[1], ChildOf.self, to: objects[0])
        }
        #expect(
            try text(result).contains("ChildOf is acyclic, and 1/p1 leads to 1/p2 already"))
    }

    @Test func a_denied_command() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let world = World()
            let objects = world.spawnAll(count: 2)
            world.relate(objects[1], Needs.self, to: objects[0])
            let commands = Commands(world)
            commands.despawn(objects[0])
            commands.apply()
        }
        #expect(
            try text(result).contains(
                "commands despawns 1/p1, which Needs of 1/p2 to 1/p1 denies; end the relationship"))
    }

    @Test func a_denied_command_that_may_be() {
        let world = World()
        let objects = world.spawnAll(count: 3)
        world.relate(objects[1], Needs.self, to: objects[0])
        let commands = Commands(world)
        commands.despawn(ifAllowed: objects[0])
        commands.despawn(ifAllowed: objects[2])
        commands.apply()
        #expect(world.query(GameObjectID.self).objects == [objects[0], objects[1]])
    }

    @Test func setting_what_a_command_has_despawned() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let world = World()
            let object = world.spawn(Health(points: 1))
            let commands = Commands(world)
            commands.despawn(object)
            commands.set(Health(points: 2), of: object)
            commands.apply()
        }
        #expect(
            try text(result).contains(
                "commands sets Health of 1/p1, which was despawned before the sync point"))
    }
}
