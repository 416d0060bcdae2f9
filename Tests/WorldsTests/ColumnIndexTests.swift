// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import Worlds

/// Look-ups of columns and of values in them.
@Suite struct ColumnIndexTests {
    struct Outer<Inner: ValueComponent>: ValueComponent {
        var value: Int
        static var componentName: String { Inner.componentName + "'" }
    }

    /// There are more types than cells, so some are not found in theirs.
    @Test func many_types_are_kept_apart() {
        let world = World()
        let object = world.spawn()
        setDeeper(Health.self, world, object, 300)
        checkDeeper(Health.self, world, object, 300)
        #expect(world.componentTypes.count == 300)
    }

    private func setDeeper<C: ValueComponent>(
        _ type: C.Type, _ world: World, _ object: GameObjectID, _ depth: Int
    ) {
        guard depth > 0 else { return }
        world[object, Outer<C>.self] = Outer(value: -1)
        world[object, Outer<C>.self]?.value = depth
        setDeeper(Outer<C>.self, world, object, depth - 1)
    }

    private func checkDeeper<C: ValueComponent>(
        _ type: C.Type, _ world: World, _ object: GameObjectID, _ depth: Int
    ) {
        guard depth > 0 else { return }
        #expect(world[object, Outer<C>.self]?.value == depth)
        checkDeeper(Outer<C>.self, world, object, depth - 1)
        #expect(world.remove(Outer<C>.self, from: object))
        #expect(!world.has(Outer<C>.self, object))
    }

    @Test func the_usual_layout_is_that_of_every_stride() {
        let strides = (0...ChunkLayout.greatestStride).filter {
            !UsualLayout(stride: $0).is(ChunkLayout(stride: $0))
        }
        #expect(strides.isEmpty)
    }

    @Test func ids_of_other_entities_and_rows_that_are_none_have_no_value() {
        let world = World(entity: 3, rows: RowSource(), keepsBase: false)
        let object = world.spawn(Health(points: 1))
        #expect(world[object, Health.self] == Health(points: 1))
        for entity in [0, 2, 4, .max] as [UInt16] {
            let other = GameObjectID(entity: entity, row: object.row)
            #expect(world[other, Health.self] == nil)
            #expect(!world.has(Health.self, other))
            #expect(!world.isAlive(other))
            #expect(!world.remove(Health.self, from: other))
        }
        let farthest = GameObjectID(entity: 3, row: 1 << 48 - 1)
        #expect(world[farthest, Health.self] == nil)
        #expect(!world.isAlive(farthest))
    }
}
