// SPDX-License-Identifier: Apache-2.0

import Testing
import Worlds

@Suite struct HierarchyTests {
    let world = World()

    /// Two trees: 0 over 1 and 2, 1 over 3; 4 over 5.
    private func forest() -> GameObjectIDs {
        let ids = world.spawnAll(count: 7)
        for (child, parent) in [(5, 4), (3, 1), (2, 0), (1, 0)] {
            world.relate(ids[child], ChildOf.self, to: ids[parent])
        }
        return ids
    }

    @Test func parents_come_before_their_children_level_by_level() {
        let ids = forest()
        #expect(world.breadthFirst(ChildOf.self) == [0, 4, 1, 2, 5, 3].map { ids[$0] })
        world.relate(ids[4], ChildOf.self, to: ids[3])
        #expect(world.breadthFirst(ChildOf.self) == [0, 1, 2, 3, 4, 5].map { ids[$0] })
        world.unrelate(ids[1], ChildOf.self)
        #expect(world.breadthFirst(ChildOf.self) == [0, 1, 2, 3, 4, 5].map { ids[$0] })
        #expect(world.descendants(of: ids[0], ChildOf.self) == [ids[2]])
    }

    @Test func what_is_above_and_below_is_found() {
        let ids = forest()
        #expect(world.descendants(of: ids[0], ChildOf.self) == [ids[1], ids[2], ids[3]])
        #expect(world.descendants(of: ids[3], ChildOf.self) == [])
        #expect(world.ancestors(of: ids[3], ChildOf.self) == [ids[1], ids[0]])
        #expect(world.ancestors(of: ids[6], ChildOf.self) == [])
    }

    @Test func circles_and_several_ways_end() {
        let ids = world.spawnAll(count: 4)
        for (source, target) in [(0, 1), (1, 0), (0, 2), (1, 2), (3, 0), (3, 1)] {
            world.relate(ids[source], Likes.self, to: ids[target])
        }
        #expect(world.breadthFirst(Likes.self) == [2, 0, 1, 3].map { ids[$0] })
        #expect(world.descendants(of: ids[0], Likes.self) == [ids[1], ids[3]])
        #expect(world.ancestors(of: ids[0], Likes.self) == [ids[1], ids[2]])
    }

    @Test func a_source_of_several_targets_comes_behind_all_of_them() {
        let ids = world.spawnAll(count: 4)
        for (source, target) in [(1, 2), (0, 2), (0, 1), (3, 0), (3, 2)] {
            world.relate(ids[source], Needs.self, to: ids[target])
        }
        #expect(world.breadthFirst(Needs.self) == [2, 1, 0, 3].map { ids[$0] })
    }

    @Test func a_deep_hierarchy_is_made_and_despawned() {
        let ids = world.spawnAll(count: 20_000)
        for child in 1..<ids.count {
            world.relate(ids[child], ChildOf.self, to: ids[child - 1])
        }
        #expect(world.breadthFirst(ChildOf.self) == Array(ids))
        #expect(world.ancestors(of: ids[19_999], ChildOf.self).count == 19_999)
        #expect(world.despawn(ids[10_000]))
        #expect(world.count == 10_000)
        #expect(world.query(Link<ChildOf>.self).count == 9_999)
    }
}
