// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing

@testable import ObjectTable

/// The table of registered objects by itself.
@Suite struct ObjectRegistryTests {
    private let objects = (UInt64(1)...3).map { Thing(key($0)) }

    @Test func rows_of_one_block_and_of_others_are_told_apart() {
        var registry = ObjectRegistry<Thing>()
        registry.insert(objects[0], for: key(15))
        registry.insert(objects[1], for: key(16))
        registry.insert(objects[2], for: key(15, entity: 2))
        #expect(registry[key(15)] === objects[0])
        #expect(registry[key(16)] === objects[1])
        #expect(registry[key(15, entity: 2)] === objects[2])
        #expect(registry[key(14)] == nil)
        #expect(registry[key(31)] == nil)
        #expect(registry[key(1_000)] == nil)
        #expect(registry.count == 3)
    }

    @Test func temporary_rows_have_places_of_their_own() {
        var registry = ObjectRegistry<Thing>()
        let temporary = ObjectKey(rawValue: ObjectKey.temporaryBit | 5)
        registry.insert(objects[0], for: temporary)
        registry.insert(objects[1], for: key(5))
        #expect(registry[temporary] === objects[0])
        registry.remove(objects[0], for: temporary)
        #expect(registry[temporary] == nil)
        #expect(registry[key(5)] === objects[1])
        #expect(registry.count == 1)
    }

    @Test func only_the_registered_object_is_removed() {
        var registry = ObjectRegistry<Thing>()
        registry.insert(objects[0], for: key(1))
        registry.insert(objects[0], for: key(1))
        #expect(!objects[0].wasDismissed)
        registry.insert(objects[1], for: key(1))
        #expect(registry.count == 1 && objects[0].wasDismissed)
        registry.remove(objects[0], for: key(1))
        #expect(registry[key(1)] === objects[1])
        registry.remove(objects[1], for: key(1))
        registry.remove(objects[1], for: key(1))
        #expect(registry.count == 0)
        #expect(registry.objects.isEmpty)
    }

    @Test func at_hand_is_an_object_of_the_block_used_last_that_has_others() {
        var registry = ObjectRegistry<Thing>()
        for (index, row) in [UInt64(1), 2, 17].enumerated() {
            registry.insert(objects[index], for: key(row))
        }
        // Of another block than that of row 17.
        let isOfAnother = registry.removeAtHand(objects[0], for: key(1))
        let first = registry[key(1)]
        #expect(!isOfAnother && first === objects[0])
        // Another object than that of its row; no object.
        let isWrong = registry.removeAtHand(objects[1], for: key(1))
        let isNone = registry.removeAtHand(objects[1], for: key(3))
        #expect(!isWrong && !isNone && registry.count == 3)
        let isOut = registry.removeAtHand(objects[0], for: key(1))
        #expect(isOut && registry.count == 2)
        // The last one of its block.
        let isLast = registry.removeAtHand(objects[1], for: key(2))
        #expect(!isLast && registry.violations() == [])
        let second = registry[key(2)]
        #expect(second === objects[1] && registry.count == 2)
        registry.remove(objects[1], for: key(2))
        let isAgain = registry.removeAtHand(objects[1], for: key(2))
        #expect(!isAgain && registry.count == 1 && registry.violations() == [])
    }

    @Test func an_emptied_block_serves_other_rows() {
        var registry = ObjectRegistry<Thing>()
        for round in UInt64(0)..<1_000 {
            registry.insert(objects[0], for: key(round * 16 + 1))
            registry.remove(objects[0], for: key(round * 16 + 1))
            #expect(registry[key(round * 16 + 1)] == nil)
        }
        registry.insert(objects[1], for: key(1))
        #expect(registry.objects.map(ObjectIdentifier.init) == [ObjectIdentifier(objects[1])])
    }

    @Test(arguments: [false, true]) func many_objects_are_found_again(reserves: Bool) {
        var registry = ObjectRegistry<Thing>()
        registry.insert(objects[2], for: key(3, entity: 3))
        if reserves { registry.reserve(20_000) }
        for row in UInt64(1)...20_000 {
            registry.insert(objects[Int(row % 2)], for: key(row, entity: UInt16(1 + row / 9_000)))
        }
        #expect(registry.count == 20_001)
        #expect(registry.objects.count == 20_001)
        for row in UInt64(1)...20_000 {
            let found = registry[key(row, entity: UInt16(1 + row / 9_000))]
            #expect(found === objects[Int(row % 2)])
        }
        #expect(registry[key(3, entity: 3)] === objects[2])
        for row in UInt64(1)...20_000 {
            let entity = UInt16(1 + row / 9_000)
            registry.remove(objects[Int(row % 2)], for: key(row, entity: entity))
        }
        #expect(registry.objects.map(ObjectIdentifier.init) == [ObjectIdentifier(objects[2])])
    }

    @Test func a_large_table_is_given_back_with_its_last_object() {
        var registry = ObjectRegistry<Thing>()
        for row in UInt64(1)...100_000 { registry.insert(objects[0], for: key(row)) }
        for row in UInt64(1)...100_000 { registry.remove(objects[0], for: key(row)) }
        #expect(registry.count == 0)
        #expect(registry[key(100_000)] == nil)
        registry.insert(objects[1], for: key(100_000))
        #expect(registry.objects.map(ObjectIdentifier.init) == [ObjectIdentifier(objects[1])])
    }

    @Test func segments_of_a_large_table_serve_the_next_one() throws {
        let pool = RegistrySegmentPool<Thing>()
        var registry = ObjectRegistry<Thing>()
        registry.pool = pool
        for row in UInt64(1)...100_000 { registry.insert(objects[0], for: key(row)) }
        registry.removeAll()
        #expect(registry.objects.isEmpty && registry[key(1)] == nil)
        // 100,000 rows are 6,251 blocks: 4, 60, and 13 segments of 480, of which one is taken.
        let first = try #require(pool.take())
        #expect(first.blockCount == 480)
        for row in UInt64(1)...100_000 { registry.insert(objects[1], for: key(row)) }
        #expect(pool.take() == nil)
        #expect(registry.objects.count == 100_000)
        for object in registry.objects { #expect(object === objects[1]) }
    }

    @Test func blocks_that_come_and_go_are_found_among_those_that_stay() {
        var registry = ObjectRegistry<Thing>()
        for row in UInt64(0)..<500 { registry.insert(objects[0], for: key(row * 48 + 7)) }
        for row in UInt64(0)..<20_000 {
            let passing = key(row * 16 + 9, entity: 2)
            #expect(registry[passing] == nil)
            registry.insert(objects[1], for: passing)
            #expect(registry[passing] === objects[1])
            registry.remove(objects[1], for: passing)
        }
        #expect(registry.count == 500)
        for row in UInt64(0)..<500 { #expect(registry[key(row * 48 + 7)] === objects[0]) }
    }

    @Test func objects_are_looked_at_without_a_count() {
        let shelf = Shelf()
        let things = (UInt64(1)...40).map { shelf.make(key($0)) }
        var seen: [UInt64] = []
        for row in [1, 16, 40, 41] as [UInt64] {
            shelf.registry.withObject(key(row)) { seen.append($0.key.row) }
        }
        #expect(seen == [1, 16, 40])
        let wanted = shelf.registry.objects { $0.key.row % 20 == 0 }
        #expect(wanted.map(\.key.row).sorted() == [20, 40])
        withExtendedLifetime(things) {}
    }

    @Test func the_registry_keeps_no_object() {
        let shelf = Shelf()
        var thing: Thing? = shelf.make(key(1))
        weak let weakly = thing
        #expect(shelf.registry[key(1)] === weakly && weakly != nil)
        thing = nil
        #expect(weakly == nil && shelf.registry.count == 0)
        #expect(shelf.registry[key(1)] == nil)
    }

    @Test func who_is_taken_out_with_all_others_leaves_the_owner() {
        let shelf = Shelf()
        let things = (UInt64(1)...3).map { shelf.make(key($0)) }
        #expect(shelf.registry.takeAll().count == 3)
        #expect(shelf.registry.count == 0 && !things[0].wasDismissed)
        for thing in things { shelf.registry.insert(thing, for: thing.key) }
        shelf.registry.removeAll()
        #expect(things.allSatisfy { $0.wasDismissed })
    }
}
