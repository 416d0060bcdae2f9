// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Worlds

@Suite struct SortedRowsTests {
    @Test func rows_come_in_order_and_each_once() {
        #expect([].sortedOnce() == [])
        #expect([5].sortedOnce() == [5])
        #expect([1, 2, 900].sortedOnce() == [1, 2, 900])
        #expect([1, 1].sortedOnce() == [1])
        // Near each other, across words, and not from 0 on.
        #expect([200, 130, 191, 130, 192, 128].sortedOnce() == [128, 130, 191, 192, 200])
        #expect(
            [1_000_063, 1_000_000, 1_000_064].sortedOnce() == [1_000_000, 1_000_063, 1_000_064])
        // Far from each other.
        #expect([1 << 40, 3, 1 << 20, 3].sortedOnce() == [3, 1 << 20, 1 << 40])
    }

    @Test func an_index_names_rows_in_the_order_of_the_game_objects() {
        let world = World()
        let ids = world.spawnAll(
            (0..<9_000).map { Health(points: ($0 * 7_919) % 9_000) },
            (0..<9_000).map { Position(x: Float($0), y: 0) })
        let index = world.index(Health.self, by: \.points)
        #expect(
            world.query(Position.self).with(index, in: 1..<4).objects
                == [ids[358], ids[4_679], ids[5_037]])
        #expect(world.query(Position.self).with(index, in: 0..<8_000).count == 8_000)
        var rows: [Float] = []
        world.query(Position.self).with(index, in: 0..<8_000).forEach { rows.append($0.x) }
        #expect(rows == rows.sorted())
    }
}
