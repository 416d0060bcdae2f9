// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

private struct Turn: CodableComponent, Equatable {
    var player: GameObjectID
    var text: String
}

/// An enumeration that is a component itself.
private enum Order: ValueComponent, Equatable {
    case wait, follow(GameObjectID)
}

private struct Errand: ValueComponent, Equatable {
    enum Kind { case none, go(x: Int, y: Int) }
    var kind: Kind
    static func == (one: Errand, other: Errand) -> Bool { "\(one)" == "\(other)" }
}

/// A world with the same columns that has not met their types, as one of a file that was opened.
private func unnamed(_ world: World) throws -> World {
    let other = World()
    try other.apply(world.diff(from: World()))
    return other
}

/// IDs in what a merge brings along.
@Suite struct MergeReferenceTests {
    let world = World()
    let other = World()

    init() { world.spawnAll(count: 10) }

    @Test func resources_name_the_copies() {
        let ids = other.spawnAll(count: 3)
        other[resource: Aim.self] = Aim(target: ids[1], second: ids[2], strength: 4)
        other[resource: Turn.self] = Turn(player: ids[2], text: "Mine")
        let copies = world.merge(other)
        let expected = (1...2).compactMap { copies[ids[$0]] }
        #expect(expected.count == 2)
        #expect(
            world[resource: Aim.self]
                == Aim(target: expected[0], second: expected[1], strength: 4))
        #expect(world[resource: Turn.self] == Turn(player: expected[1], text: "Mine"))
    }

    @Test func a_resource_that_names_nobody_goes_on_to_name_nobody() {
        let gone = other.spawn()
        other.despawn(gone)
        other[resource: Aim.self] = Aim(target: gone, second: nil)
        world.merge(other)
        let nobody = GameObjectID(rawValue: 0)
        #expect(world[resource: Aim.self] == Aim(target: nobody, second: nil))
    }

    @Test func an_ID_in_the_payload_of_a_resource_traps() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let other = World()
            other[resource: Plan.self] = Plan(goal: .follow(other.spawn()))
            World().merge(other)
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("resource/Plan of the other world has the ID [1/p1] in an enum"))
    }

    @Test func an_enumeration_that_is_the_component_traps_for_IDs_alone() async throws {
        let object = world.spawn()
        world[object, Order.self] = .wait
        #expect(world[world.clone(object), Order.self] == .wait)
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let world = World()
            let object = world.spawn(Order.wait)
            world[object, Order.self] = .follow(object)
            world.clone(object)
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("Order of 1/p1 has the ID [1/p1] in an enum"))
    }

    @Test func a_type_that_nobody_has_named_traps_where_it_may_have_IDs() async throws {
        let result = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let other = World()
            other.spawn(Plan(goal: .none))
            World().merge(try unnamed(other))
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains("Plan of 1/p1 may have an ID in an enum, a tuple or the like"))
        #expect(text.contains("name the type first, by World(context:components:)"))
    }

    @Test func a_type_that_nobody_has_named_is_copied_where_it_has_no_IDs() throws {
        let id = other.spawn(Errand(kind: .go(x: 1, y: 2)))
        let copies = world.merge(try unnamed(other))
        #expect(copies[id].map { world[$0, Errand.self] } == Errand(kind: .go(x: 1, y: 2)))
    }

    @Test func the_receiver_may_have_named_the_type() throws {
        let id = other.spawn(Plan(goal: .wait(seconds: 2)))
        world.register(Plan.self)
        let copies = world.merge(try unnamed(other))
        #expect(copies[id].map { world[$0, Plan.self] } == Plan(goal: .wait(seconds: 2)))
    }

    @Test func a_copy_knows_the_types_that_the_original_knows() {
        let id = other.spawn(Plan(goal: .wait(seconds: 2)))
        let copy = other.copy()
        #expect(copy[copy.clone(id), Plan.self] == Plan(goal: .wait(seconds: 2)))
    }
}
