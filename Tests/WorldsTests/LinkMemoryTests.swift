// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Worlds

/// What links leave behind when they are gone.
@Suite struct LinkMemoryTests {
    @Test func a_page_without_numbers_takes_no_memory() {
        var map = RowMap()
        map[3] = 7
        map[3] = 8
        map[2_000] = 0
        map[1_000] = 5
        #expect(map.pageCount == 2)
        map[3] = 0
        map[3] = 0
        #expect([map[3], map[1_000], map[2_000]] == [0, 5, 0])
        // One page is kept for the next number, of whatever rows.
        #expect(map.pageCount == 2)
        map[2_001] = 9
        #expect(map.pageCount == 2)
        #expect([map[3], map[2_001], map[2_003]] == [0, 9, 0])
        map[2_001] = 0
        map[1_000] = 0
        #expect(map.pageCount == 1)
    }

    @Test func pages_go_with_the_links_of_game_objects_that_come_and_go() {
        let world = World()
        let hub = world.spawn()
        for _ in 0..<10 {
            let objects = world.spawnAll(count: 2_000)
            for object in objects {
                world.relate(object, Likes.self, to: hub)
                world.relate(hub, Likes.self, to: object)
                world.relate(object, ChildOf.self, to: hub)
            }
            #expect(world.sources(of: hub, Likes.self).count == 2_000)
            for object in objects { world.despawn(object) }
        }
        // A page is left for each list of numbers, however many game objects there have been.
        let likes = world.column(Link<Likes>.self).linkTable
        #expect(likes.bySource.pageCount == 3)
        #expect(likes.byTarget.pageCount == 3)
        let children = world.column(Link<ChildOf>.self).linkTable
        #expect(children.bySource.pageCount == 0)
        #expect(children.byTarget.pageCount == 3)
        #expect(world.sources(of: hub, Likes.self) == [])
        #expect(world.count == 1)
    }
}
