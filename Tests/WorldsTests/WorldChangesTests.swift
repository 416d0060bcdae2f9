// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds
import _TestSupport

@Suite struct WorldChangesTests {
    let world = World()

    /// Everything that a world has, as text.
    private func text(_ world: World) -> [String] {
        var lines: [String] = []
        for id in world.query(GameObjectID.self).objects {
            lines.append(
                "\(id) \(world[id, Health.self].map { "\($0)" } ?? "-") "
                    + "\(world[id, Aim.self].map { "\($0)" } ?? "-") \(world.has(Frozen.self, id)) "
                    + "\(world.targets(of: id, Likes.self)) \(world.sources(of: id, Likes.self)) "
                    + "\(world.sources(of: id, ChildOf.self))")
        }
        return lines + ["\(world[resource: Position.self].map { "\($0)" } ?? "-")"]
    }

    private func fill() -> GameObjectIDs {
        let ids = world.spawnAll((0..<3_000).map { Health(points: $0) })
        for child in 1..<100 { world.relate(ids[child], ChildOf.self, to: ids[0]) }
        world.relate(ids[5], Likes.self, to: ids[6])
        world[resource: Position.self] = Position(x: 1, y: 2)
        return ids
    }

    private func change(_ ids: GameObjectIDs) {
        world[ids[3], Health.self]?.points = -1
        world.remove(Health.self, from: ids[4])
        world.despawn(ids[2_000])
        let new = world.spawn(Frozen(), Aim(target: ids[1], second: nil))
        world.relate(new, Likes.self, to: ids[7])
        world.unrelate(ids[5], Likes.self, from: ids[6])
        world.relate(ids[1], ChildOf.self, to: ids[2])
        world[resource: Position.self]?.x = 5
    }

    @Test func a_copy_is_the_same_and_stays_so() {
        let ids = fill()
        let copy = world.copy()
        #expect(text(copy) == text(world))
        #expect(world.diff(from: copy).isEmpty)
        let before = text(copy)
        change(ids)
        #expect(text(copy) == before)
        #expect(copy.spawn() == ids[2_999].next)
    }

    @Test func changes_since_a_tick_bring_a_copy_up_to_date() throws {
        let ids = fill()
        let copy = world.copy()
        world.advance()
        change(ids)
        let changes = world.diff(since: world.lastAdvance)
        // Health twice, one object gone and its health, one come with two components, links: one
        // made, one ended, one with another target, and the resource.
        #expect(changes.count == 11)
        try copy.apply(changes)
        #expect(text(copy) == text(world))
        copy.advance()
        try copy.apply(changes)
        #expect(copy.diff(since: copy.lastAdvance).isEmpty)
        #expect(copy.spawn() > world.query(GameObjectID.self).objects[2_999])
    }

    @Test func what_differs_can_be_applied_in_both_directions() throws {
        let ids = fill()
        let copy = world.copy()
        let before = text(world)
        change(ids)
        let (forward, back) = (world.diff(from: copy), copy.diff(from: world))
        try copy.apply(forward)
        #expect(text(copy) == text(world))
        try world.apply(back)
        #expect(text(world) == before)
        try world.apply(forward)
        #expect(text(world) == text(copy))
    }

    @Test func changes_are_what_they_were_when_their_bytes_are_read() throws {
        let ids = fill()
        let copy = world.copy()
        change(ids)
        let changes = world.diff(from: copy)
        #expect(try WorldChanges(bytes: changes.bytes) == changes)
        #expect(try WorldChanges(bytes: World().diff(from: World()).bytes).isEmpty)
        let other = World()
        try other.apply(WorldChanges(bytes: world.diff(from: World()).bytes))
        #expect(text(other) == text(world))
    }

    @Test func damaged_bytes_are_refused_or_harmless() throws {
        let ids = fill()
        let copy = world.copy()
        change(ids)
        let bytes = world.diff(from: copy).bytes
        for count in 0..<bytes.count {
            #expect(throws: WorldChangesError.self) {
                try WorldChanges(bytes: bytes.prefix(count))
            }
        }
        #expect(throws: WorldChangesError.self) { try WorldChanges(bytes: bytes + [0]) }
        var random = SeededGenerator(seed: 1)
        for _ in 0..<2_000 {
            var damaged = bytes
            let place = Int.random(in: 0..<bytes.count, using: &random)
            damaged[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            guard let changes = try? WorldChanges(bytes: damaged) else { continue }
            let victim = copy.copy()
            try? victim.apply(changes)
        }
    }

    /// The entity of a link's ends is in its value alone; look-ups go by their rows.
    @Test func links_to_game_objects_of_another_entity_are_refused() throws {
        let (source, target) = (world.spawn(), world.spawn())
        let copy = world.copy()
        world.relate(source, Likes.self, to: target)
        let bytes = world.diff(from: copy).bytes
        let raw = withUnsafeBytes(of: target.rawValue) { Array($0) }
        let place = try #require(bytes.indices.last { bytes[$0...].starts(with: raw) })
        var damaged = bytes
        damaged[place + 6] ^= 4
        #expect(throws: WorldChangesError.damaged("Likes leads to another entity")) {
            try WorldChanges(bytes: damaged)
        }
        try copy.apply(try WorldChanges(bytes: bytes))
        #expect(copy.targets(of: source, Likes.self) == [target])
    }

    /// The chains of links end with 0.
    @Test func a_link_in_row_0_is_refused() throws {
        let (source, target) = (world.spawn(), world.spawn())
        let copy = world.copy()
        world.relate(source, Likes.self, to: target)
        var bytes = world.diff(from: copy).bytes
        let raw = withUnsafeBytes(of: source.rawValue) { Array($0) }
        // The rows are in front of the values: one number, and its row.
        let place = try #require(bytes.indices.last { bytes[$0...].starts(with: raw) })
        let row = try #require(world.query(Link<Likes>.self).first?.row)
        #expect(Int(bytes[place - 8]) == row)
        bytes[place - 8] = 0
        #expect(throws: WorldChangesError.damaged("Likes has a link 0")) {
            try WorldChanges(bytes: bytes)
        }
    }

    @Test func what_is_despawned_takes_along_what_it_has_here_alone() throws {
        let ids = fill()
        let copy = world.copy()
        copy[ids[9], Position.self] = Position(x: 1, y: 1)
        copy.relate(ids[9], Likes.self, to: ids[10])
        world.despawn(ids[9])
        try copy.apply(world.diff(since: 0))
        #expect(copy.query(Position.self).isEmpty)
        #expect(copy.sources(of: ids[10], Likes.self) == [])
        #expect(copy.count == 2_999)
    }

    @Test func a_component_with_other_fields_is_refused() throws {
        enum Other {
            struct Health: ValueComponent { var points: Int32 }
        }
        world.spawn(Health(points: 1))
        let other = World()
        other.spawn(Other.Health(points: 1))
        #expect(throws: WorldChangesError.self) { try other.apply(world.diff(from: World())) }
        #expect(other.count == 1)
        #expect(other.query(Other.Health.self).count == 1)
    }

    @Test func forgotten_ticks_trap() async {
        await #expect(processExitsWith: .failure) {
            let world = World()
            let tick = world.tick
            world.spawn()
            for _ in 0..<3 { world.advance() }
            _ = world.diff(since: tick)
        }
    }

    @Test(arguments: 0..<6 as Range<UInt64>)
    func a_follower_follows(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let follower = World()
        var ids = Array(world.spawnAll(count: 20))
        for _ in 0..<60 {
            world.advance()
            for _ in 0..<20 {
                let one = Int.random(in: 0..<ids.count, using: &random)
                let other = ids[Int.random(in: 0..<ids.count, using: &random)]
                switch Int.random(in: 0..<9, using: &random) {
                case 0: ids.append(world.spawn(Health(points: one)))
                case 1 where ids.count > 10: world.despawn(ids[one])
                case 2: world.relate(ids[one], Likes.self, to: other)
                case 3: world.unrelate(ids[one], Likes.self)
                case 4:
                    let above = [other] + world.ancestors(of: other, ChildOf.self)
                    if !above.contains(ids[one]) { world.relate(ids[one], ChildOf.self, to: other) }
                case 5: world.unrelate(ids[one], ChildOf.self)
                case 6: world.remove(Health.self, from: ids[one])
                case 7: world[ids[one], Aim.self] = Aim(target: other, second: nil)
                default: world[ids[one], Health.self] = Health(points: one)
                }
                ids.removeAll { !world.isAlive($0) }
            }
            let changes = world.diff(since: world.lastAdvance)
            if follower.count == 0 {
                try follower.apply(world.diff(from: follower))
            } else {
                try follower.apply(try WorldChanges(bytes: changes.bytes))
            }
            #expect(text(follower) == text(world))
        }
    }
}

extension GameObjectID {
    fileprivate var next: GameObjectID { GameObjectID(rawValue: rawValue + 65) }
}

/// Links that a copy of a world makes by itself, beside those of the changes that it gets.
@Suite final class CopiedLinkTests: Following {
    @Test func own_links_do_not_take_the_rows_of_links_that_came() throws {
        follower.relate(ids[0], Likes.self, to: ids[1])
        follower.unrelate(ids[0], Likes.self, from: ids[1])
        leader.advance()
        leader.relate(ids[0], Likes.self, to: ids[2])
        leader.relate(ids[1], Likes.self, to: ids[2])
        try follow()
        follower.relate(ids[2], Likes.self, to: ids[0])
        #expect(follower.targets(of: ids[0], Likes.self) == [ids[2]])
        #expect(follower.targets(of: ids[1], Likes.self) == [ids[2]])
        #expect(follower.targets(of: ids[2], Likes.self) == [ids[0]])
        #expect(follower.sources(of: ids[2], Likes.self) == [ids[0], ids[1]])
        #expect(follower.query(Link<Likes>.self).count == 3)
    }

    @Test func links_that_came_and_went_take_no_other_ones_along() throws {
        follower.relate(ids[0], Likes.self, to: ids[1])
        leader.advance()
        leader.relate(ids[1], Likes.self, to: ids[2])
        leader.unrelate(ids[1], Likes.self, from: ids[2])
        try follow()
        try follow()
        #expect(follower.targets(of: ids[0], Likes.self) == [ids[1]])
        #expect(follower.sources(of: ids[1], Likes.self) == [ids[0]])
    }

    @Test func changes_that_are_applied_again_end_no_later_link() throws {
        follower.relate(ids[0], Likes.self, to: ids[1])
        leader.relate(ids[0], Likes.self, to: ids[2])
        leader.relate(ids[1], Likes.self, to: ids[2])
        try follow()
        leader.advance()
        leader.unrelate(ids[1], Likes.self, from: ids[2])
        try follow()
        follower.relate(ids[2], Likes.self, to: ids[0])
        try follow()
        #expect(follower.targets(of: ids[0], Likes.self) == [ids[1], ids[2]])
        #expect(follower.targets(of: ids[1], Likes.self) == [])
        #expect(follower.targets(of: ids[2], Likes.self) == [ids[0]])
    }
}

/// Copies whose links have the same rows, all of whose changes a world gets.
@Suite struct SameLinkRowTests {
    let leader = World()
    let ids: GameObjectIDs
    let follower: World
    let (one, two): (WorldChanges, WorldChanges)

    init() {
        ids = leader.spawnAll(count: 3)
        follower = leader.copy()
        let (first, second) = (leader.copy(), leader.copy())
        first.relate(ids[0], Likes.self, to: ids[1])
        second.relate(ids[0], Likes.self, to: ids[2])
        (one, two) = (first.diff(from: leader), second.diff(from: leader))
        leader.advance()
    }

    private func follow() throws {
        try follower.apply(
            try WorldChanges(bytes: leader.diff(since: leader.lastAdvance).bytes))
    }

    private func targets(_ world: World) -> [GameObjectID] {
        #expect(world.query(Link<Likes>.self).count == world.targets(of: ids[0], Likes.self).count)
        return world.targets(of: ids[0], Likes.self)
    }

    @Test func the_second_link_of_a_row_ends_within_the_tick() throws {
        try leader.apply(one)
        leader.unrelate(ids[0], Likes.self, from: ids[1])
        try leader.apply(two)
        try follow()
        #expect(targets(follower) == [ids[2]])
        leader.unrelate(ids[0], Likes.self, from: ids[2])
        try follow()
        #expect(targets(follower) == [])
    }

    @Test func the_second_link_of_a_row_replaces_the_first_one() throws {
        try leader.apply(one)
        try follow()
        #expect(targets(follower) == [ids[1]])
        leader.unrelate(ids[0], Likes.self, from: ids[1])
        try leader.apply(two)
        try follow()
        #expect(targets(leader) == [ids[2]])
        #expect(targets(follower) == [ids[2]])
    }

    @Test func a_difference_says_which_link_was_replaced() throws {
        try leader.apply(one)
        try follow()
        leader.unrelate(ids[0], Likes.self, from: ids[1])
        try leader.apply(two)
        let changes = leader.diff(from: follower)
        #expect(try WorldChanges(bytes: changes.bytes) == changes)
        try follower.apply(changes)
        #expect(targets(follower) == [ids[2]])
    }
}

/// Game objects whose numbers are far above those of all others.
@Suite struct FarRowTests {
    @Test func a_new_follower_of_an_old_world_gets_all_of_it() throws {
        let leader = World()
        leader.rows.skip(upTo: 1 << 30)
        let ids = leader.spawnAll([Health(points: 1), Health(points: 2)])
        leader.relate(ids[0], Likes.self, to: ids[1])
        let follower = World()
        try follower.apply(try WorldChanges(bytes: leader.diff(from: follower).bytes))
        #expect(ids[0].row == 1 << 30 + 1)
        #expect(follower.query(Health.self).objects == Array(ids))
        #expect(follower.targets(of: ids[0], Likes.self) == [ids[1]])
    }

    @Test func a_wrong_number_does_not_take_all_memory() throws {
        let leader = World()
        leader.rows.skip(upTo: 0x1233)
        #expect(leader.spawn().row == 0x1234)
        var bytes = leader.diff(from: World()).bytes
        let place = try #require(bytes.firstIndex(of: 0x34))
        #expect(bytes[place + 1] == 0x12)
        #expect(throws: Never.self) { try World().apply(try WorldChanges(bytes: bytes)) }
        bytes[place + 5] = 0x40
        let follower = World()
        #expect(throws: WorldChangesError.self) {
            try follower.apply(try WorldChanges(bytes: bytes))
        }
        #expect(follower.count == 0)
    }

    /// The lists of links have room for the game objects at their ends, too.
    @Test func a_wrong_number_at_the_end_of_a_link_does_not_take_all_memory() throws {
        let leader = World()
        let source = leader.spawn()
        leader.rows.skip(upTo: 0x1233)
        leader.relate(source, Likes.self, to: leader.spawn())
        var bytes = leader.diff(from: World()).bytes
        #expect(throws: Never.self) { try World().apply(try WorldChanges(bytes: bytes)) }
        for place in bytes.indices where bytes[place...].starts(with: [0x34, 0x12, 0, 0, 0, 0]) {
            bytes[place + 4] = 0x08
        }
        let follower = World()
        #expect(throws: WorldChangesError.damaged("1/p34359743028 is far beyond all others")) {
            try follower.apply(try WorldChanges(bytes: bytes))
        }
        #expect(follower.count == 0)
    }

    @Test func chunks_that_are_empty_for_good_are_skipped() {
        let world = World()
        let before = world.spawn(Health(points: 1), Frozen())
        world.rows.skip(upTo: 1 << 24)
        let middle = world.spawn(Health(points: 2))
        world.rows.skip(upTo: 1 << 25)
        let last = world.spawnAll((0..<10_000).map { Health(points: $0) })
        world.despawn(middle)
        world.advance()
        let column = world.columns.first { $0.type.name == "Health" }
        #expect(column?.usedSlots.map { $0 } == [0, 8192, 8193, 8194])
        #expect(world.query(Health.self).count == 10_001)
        #expect(world.query(Health.self).objects == [before] + last)
        #expect(world.query(Frozen.self).objects == [before])
        world.despawn(before)
        #expect(world.query(Health.self).first == last[0])
        #expect(world.query(Frozen.self).isEmpty)
        world.despawn(last)
        #expect(world.query(GameObjectID.self).isEmpty)
        #expect(column?.usedSlots.map { $0 } == [])
    }
}
