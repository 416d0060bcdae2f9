// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

/// Filters that name game objects one by one: what they lost, whom they are related to, what an
/// index has of them; and those that no game object could ever pass.
@Suite struct RowFilterTests {
    private struct Mark: ValueComponent, Equatable { var number: Int32 }
    private struct Tag: ValueComponent {}
    private struct Fond: Relationship {}
    private struct Owned: Relationship { static let isExclusive = true }
    private struct Clock: ValueComponent { var time: Int32 }

    @Test func what_lost_a_component_is_found_until_two_advances_later() {
        let world = World()
        let ids = (0..<200).map { world.spawn(Mark(number: $0)) }
        world.advance()
        for index in [3, 70, 150] { world.remove(Mark.self, from: ids[index]) }
        world.despawn(ids[9])
        let removed = world.query(GameObjectID.self).removed(Mark.self)
        #expect(removed.objects == [ids[3], ids[70], ids[150]])
        // It has it again.
        world.set(Mark(number: 1), of: ids[70])
        #expect(removed.objects == [ids[3], ids[70], ids[150]])
        #expect(removed.without(Mark.self).objects == [ids[3], ids[150]])
        #expect(world.query(Mark.self).removed(Mark.self).objects == [ids[70]])
        let tick = world.tick
        world.advance()
        #expect(removed.isEmpty)
        #expect(world.query(GameObjectID.self).removed(Mark.self, since: tick - 1).count == 3)
        world.remove(Mark.self, from: ids[4])
        #expect(removed.objects == [ids[4]])
    }

    @Test func a_system_sees_what_was_lost_since_its_last_run() throws {
        let world = World()
        let ids = (0..<5).map { world.spawn(Mark(number: $0), Tag()) }
        let schedule = Schedule()
        var seen: [[GameObjectID]] = []
        var found: [GameObjectID] = []
        // SAFETY: a schedule on one thread.
        nonisolated(unsafe) let note = { (id: GameObjectID) in found.append(id) }
        schedule.add("lost", GameObjectID.self) { id, _ in note(id) }.removed(Tag.self)
        for round in 0..<4 {
            if round < 3 { world.remove(Tag.self, from: ids[round]) }
            found = []
            try schedule.run(world)
            seen.append(found)
        }
        #expect(seen == [[ids[0]], [ids[1]], [ids[2]], []])
    }

    @Test func systems_filter_by_relationships_and_indexes() throws {
        let world = World()
        let ids = (0..<6).map { world.spawn(Mark(number: $0 / 2)) }
        world.relate(ids[0], Fond.self, to: ids[3])
        world.relate(ids[1], Fond.self, to: ids[3])
        world.relate(ids[2], Owned.self, to: ids[5])
        let index = world.index(Mark.self, by: \.number)
        _ = index.objects(1)
        let schedule = Schedule()
        // SAFETY: a schedule on one thread.
        nonisolated(unsafe) var found: [String: [GameObjectID]] = [:]
        func add(_ name: String) -> QuerySystem {
            schedule.add(name, GameObjectID.self) { id, _ in found[name, default: []].append(id) }
        }
        add("to any").with(Fond.self, to: .any)
        add("to").with(Owned.self, to: .object(ids[5]))
        add("from").with(Fond.self, from: .object(ids[1]))
        add("from any").with(Fond.self, from: .any)
        add("not to").without(Fond.self, to: .any).without(Owned.self, to: .any)
        add("not from").without(Fond.self, from: .any).without(Owned.self, from: .object(ids[2]))
        add("key").with(index, 1)
        add("range").with(index, in: 1...).without(Owned.self, to: .any)
        try schedule.run(world)
        #expect(
            found == [
                "to any": [ids[0], ids[1]], "to": [ids[2]], "from": [ids[3]], "from any": [ids[3]],
                "not to": [ids[3], ids[4], ids[5]], "not from": [ids[0], ids[1], ids[2], ids[4]],
                "key": [ids[2], ids[3]], "range": [ids[3], ids[4], ids[5]],
            ])
    }

    /// Before a system's turn its index takes in what other systems, commands and observers did.
    @Test(arguments: [1, 2]) func an_index_of_a_system_follows_the_others(threads: Int) throws {
        let world = World()
        let ids = (0..<4).map { world.spawn(Mark(number: $0)) }
        let index = world.index(Mark.self, by: \.number)
        let schedule = Schedule()
        schedule.threads = threads
        schedule.add("raise", Mut<Mark>.self) { mark, _ in mark.number += 1 }
        // SAFETY: each is written by one system.
        nonisolated(unsafe) var (low, high): ([[GameObjectID]], [[GameObjectID]]) = ([], [])
        schedule.add("low", GameObjectID.self) { id, context in
            low[low.count - 1].append(id)
            context.commands.spawn(Mark(number: 9))
        }.with(index, 1)
        schedule.add("high", GameObjectID.self) { id, _ in high[high.count - 1].append(id) }
            .with(index, in: 4...)
        for _ in 0..<2 {
            (low, high) = (low + [[]], high + [[]])
            try schedule.run(world)
        }
        #expect(low == [[ids[0]], []])
        #expect(high[0] == [ids[3]])
        #expect(high[1].dropLast() == [ids[2], ids[3]])
        #expect(world.count == 5)
        #expect(index.objects(10) == high[1].suffix(1))
    }

    /// Two systems of which one writes what the other filters by must not run at once.
    @Test func a_filter_is_declared_as_read() throws {
        let world = World()
        let schedule = Schedule()
        let index = world.index(Mark.self, by: \.number)
        schedule.add("write", Mut<Mark>.self) { _, _ in }
        schedule.add("lost", GameObjectID.self) { _, _ in }.removed(Mark.self)
        schedule.add("key", GameObjectID.self) { _, _ in }.with(index, 1)
        schedule.add("link", GameObjectID.self) { _, _ in }.with(Fond.self, to: .any)
        #expect(
            try schedule.ambiguities() == [
                Ambiguity(first: "write", second: "lost", components: ["Mark"]),
                Ambiguity(first: "write", second: "key", components: ["Mark"]),
            ])
        _ = index.objects(1)
        try schedule.run(world)
    }

    @Test func links_of_their_own_cannot_be_combined() async {
        let output = await #expect(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let world = World()
            world.spawn(Mark(number: 1))
            _ = world.query(Mark.self).without(Link<Fond>.self).count
        }
        let text = String(decoding: output?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("combines Fond with Mark"))
    }

    @Test func other_ways_to_combine_them_trap_as_well() async {
        await #expect(processExitsWith: .failure) {
            _ = World().query(Mark.self, Link<Fond>.self).count
        }
        await #expect(processExitsWith: .failure) {
            _ = World().query(Mark.self, Has<Link<Fond>>.self).count
        }
        await #expect(processExitsWith: .failure) {
            _ = World().query(Mark.self).withAny(Tag.self, Link<Fond>.self).count
        }
        await #expect(processExitsWith: .failure) {
            _ = World().query(Mark.self).removed(Link<Fond>.self).count
        }
        await #expect(processExitsWith: .failure) {
            _ = World().query(Mark.self, Resource<Clock>.self).count
        }
    }

    @Test func links_alone_and_exclusive_ones_can_be_asked_for() {
        let world = World()
        let ids = (0..<3).map { world.spawn(Mark(number: $0)) }
        world.relate(ids[0], Fond.self, to: ids[1])
        world.relate(ids[0], Fond.self, to: ids[2])
        world.relate(ids[1], Owned.self, to: ids[2])
        #expect(world.query(Link<Fond>.self).count == 2)
        #expect(world.query(Link<Fond>.self).added(Link<Fond>.self, since: 0).count == 2)
        #expect(world.query(Mark.self).with(Link<Owned>.self).objects == [ids[1]])
        #expect(world.query(Mark.self).without(Link<Owned>.self).objects == [ids[0], ids[2]])
    }
}
