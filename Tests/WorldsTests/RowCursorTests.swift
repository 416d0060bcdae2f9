// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds
import _TestSupport

/// Loops over stated game objects.
@Suite struct RowCursorTests {
    let world = World()
    let ids: [GameObjectID]

    init() {
        ids = (0..<20_000).map { [world] in world.spawn(Health(points: $0)) }
        for (number, id) in ids.enumerated() {
            if number % 2 == 0 { world.set(Position(x: Float(number), y: 0), of: id) }
            if number % 3 == 0 { world.set(Frozen(), of: id) }
            if number % 5 == 0 { world.set(Seen(count: number), of: id) }
            if number % 11 == 0, (100..<3_000).contains(number) {
                world.set(Large(Double(number)), of: id)
            }
        }
        world.advance()
    }

    @Test func only_visited_rows_count_as_changed() {
        let wanted = [ids[2], ids[4], ids[2], ids[3], ids[66], ids[19_998], ids[4], ids[10]]
        var seen: [Int] = []
        world.query(Mut<Health>.self, Position.self).without(Frozen.self).forEach(in: wanted) {
            health, _ in
            seen.append(health.points)
            health.points += 100_000
        }
        #expect(seen == [2, 4, 100_002, 100_004, 10])
        #expect(
            world.query(Health.self).changed(Health.self).objects == [ids[2], ids[4], ids[10]])
        #expect(world.query(Position.self).changed(Position.self).isEmpty)
    }

    @Test func optional_terms_are_changed_where_there_is_a_value() {
        var seen: [String] = []
        world.query(GameObjectID.self, Mut<Seen>?.self, Has<Frozen>.self)
            .forEach(in: [ids[5], ids[6], ids[12_000], ids[7], ids[10]]) { id, count, isFrozen in
                seen.append("\(id) \(count?.count ?? -1) \(isFrozen)")
                count?.count += 1
            }
        #expect(
            seen == [
                "1/p6 5 false", "1/p7 -1 true", "1/p12001 12000 true", "1/p8 -1 false",
                "1/p11 10 false",
            ])
        #expect(
            world.query(Seen.self).changed(Seen.self).objects == [ids[5], ids[10], ids[12_000]])
        #expect(world[ids[12_000], Seen.self] == Seen(count: 12_001))
    }

    @Test func ids_of_nothing_are_passed_over() {
        let gone = ids[40]
        world.despawn(gone)
        let wanted = [
            GameObjectID(rawValue: 0), ids[41], gone, GameObjectID(rawValue: 1 << 48 | 1 << 40),
            GameObjectID(rawValue: 2 << 48 | 42), ids[42], GameObjectID(rawValue: .max),
            GameObjectID(rawValue: 41), ids[19_999],
        ]
        var seen: [Int] = []
        world.query(Health.self).forEach(in: wanted) { seen.append($0.points) }
        #expect(seen == [41, 42, 19_999])
        seen = []
        world.query(Health.self, Large.self).forEach(in: wanted) { health, _ in
            seen.append(health.points)
        }
        #expect(seen == [])
    }

    /// What the closure sets may decide whether a later game object matches.
    @Test func changes_by_the_closure_are_seen() {
        var seen: [Int] = []
        world.set(Position(x: 1, y: 1), of: ids[8])
        world.query(Health.self).changed(Position.self)
            .forEach(in: [ids[8], ids[10], ids[12], ids[8], ids[14]]) { health in
                seen.append(health.points)
                if health.points == 8 { world.set(Position(x: 2, y: 2), of: ids[14]) }
            }
        #expect(seen == [8, 8, 14])
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func a_loop_visits_what_single_look_ups_find(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let wanted = (0..<3_000).map { _ in
            let start = Int.random(in: 0..<20, using: &random) * 1_000
            return ids[start + Int.random(in: 0..<80, using: &random)]
        }
        let index = world.index(Health.self, by: \.points)
        let plain = world.query(GameObjectID.self, Health.self, Position?.self)
        let queries = [
            plain, plain.with(Seen.self), plain.with(Large.self), plain.without(Frozen.self),
            plain.withAny(Frozen.self, Seen.self), plain.with(index, in: 30..<9_000),
            plain.with(Position.self).without(Seen.self).with(index, in: 1_000...),
        ]
        for query in queries {
            let matches = Set(query.objects)
            var seen: [GameObjectID] = []
            query.forEach(in: wanted) { id, health, position in
                seen.append(id)
                #expect(world[id, Health.self] == health)
                #expect(world[id, Position.self] == position)
            }
            #expect(seen == wanted.filter(matches.contains))
            #expect(!seen.isEmpty)
        }
    }
}
