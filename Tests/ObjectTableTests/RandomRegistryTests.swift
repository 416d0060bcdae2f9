// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing
import _TestSupport

@testable import ObjectTable

/// Random operations on a registry and a directory, beside a dictionary that does the same.
@Suite struct RandomRegistryTests {
    @Test(arguments: [1, 2, 3] as [UInt64]) func a_registry_is_a_dictionary(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let shelf = Shelf()
        shelf.registry.pool = RegistrySegmentPool()
        var known: [ObjectKey: Thing] = [:]
        for step in 0..<4_000 {
            switch random.next() % 10 {
            case 0...3:
                for _ in 0..<Int(random.next() % 8) {
                    let key = randomKey(&random)
                    let former = known[key]
                    known[key] = shelf.make(key)
                    #expect(former?.wasDismissed != false, "seed \(random.seed)")
                }
            case 4, 5:
                let leaving = known.keys.sorted().randomElement(using: &random)
                if let leaving { known[leaving] = nil }
            case 6:
                let key = randomKey(&random)
                #expect(shelf.registry[key] === known[key], "seed \(random.seed)")
            case 7:
                let leaving = known.keys.sorted().filter { _ in random.chance(0.1) }
                let parcel = Parcel(leaving.compactMap { known.removeValue(forKey: $0) })
                parcel.release()
                parcel.join()
            case 8: shelf.registry.drain()
            default:
                if random.chance(0.02) {
                    shelf.registry.removeAll()
                    known = [:]
                } else {
                    shelf.registry.reserve(Int(random.next() % 1_000))
                }
            }
            if step % 50 == 0 { check(shelf, known, "seed \(random.seed), step \(step)") }
        }
        check(shelf, known, "seed \(random.seed)")
    }

    private func check(_ shelf: Shelf, _ known: [ObjectKey: Thing], _ place: String) {
        #expect(shelf.registry.violations() == [], "\(place)")
        shelf.registry.drain()
        #expect(shelf.registry.count == known.count, "\(place)")
        for (key, thing) in known { #expect(shelf.registry[key] === thing, "\(place)") }
        let all = shelf.registry.objects
        #expect(Set(all.map(\.key)) == Set(known.keys), "\(place)")
        #expect(shelf.registry.violations() == [], "\(place)")
    }

    /// Rows close together and far apart, of several entities, stored and temporary.
    private func randomKey(_ random: inout SeededGenerator) -> ObjectKey {
        let entity = UInt16(1 + random.next() % 3)
        let row = 1 + (random.chance(0.7) ? random.next() % 300 : random.next() % (1 << 30))
        return key(random.chance(0.2) ? row | ObjectKey.temporaryBit : row, entity: entity)
    }

    @Test func a_directory_is_a_dictionary() {
        var random = SeededGenerator(seed: 4)
        var directory = BlockDirectory()
        var known: [UInt64: Int] = [:]
        // A list: the order of a dictionary's keys differs from run to run.
        var prefixes: [UInt64] = []
        for block in 0..<20_000 {
            let prefix = 1 + (random.chance(0.5) ? random.next() % 500 : random.next() % (1 << 40))
            if known[prefix] == nil {
                directory.add(prefix, block: block)
                known[prefix] = block
                prefixes.append(prefix)
            }
            if prefixes.count > 300 {
                prefixes.swapAt(Int(random.next() % 300), prefixes.count - 1)
                let leaving = prefixes.removeLast()
                directory.remove(leaving)
                known[leaving] = nil
            }
            #expect(directory.block(of: prefix) == known[prefix] ?? -1, "seed \(random.seed)")
            if block % 500 == 0 { #expect(directory.violations() == [], "seed \(random.seed)") }
        }
        #expect(directory.blockCount == known.count)
        for (prefix, block) in known { #expect(directory.block(of: prefix) == block) }
    }

    @Test func a_directory_with_one_block_for_two_prefixes_is_found() {
        var directory = BlockDirectory()
        directory.add(7, block: 3)
        #expect(directory.violations() == [])
        directory.add(9, block: 3)
        #expect(directory.violations() == ["block 3 has two prefixes"])
    }
}
