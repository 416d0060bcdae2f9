// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing
import _TestSupport

@testable import ManagedObjects

/// Members that a relationship got or lost: one, a few in a list, or many that are hashed.
@Suite struct KeySetTests {
    private func key(_ number: Int) -> ObjectKey { ObjectKey(rawValue: UInt64(number)) }
    private func numbers(_ set: KeySet) -> [UInt64] { set.map(\.rawValue) }

    @Test func fewKeysKeepTheirOrder() {
        var set: KeySet = [key(7), key(3), key(9), key(3)]
        #expect(numbers(set) == [7, 3, 9])
        #expect(set.count == 3)
        #expect(set.remove(key(7)) == true)
        #expect(set.remove(key(7)) == false)
        #expect(set.insert(key(3)) == false)
        #expect(set.insert(key(7)) == true)
        #expect(numbers(set) == [3, 9, 7])
        set.removeAll()
        #expect(set.isEmpty && numbers(set) == [])
    }

    @Test func manyKeysAreStillOneOfEach() {
        var set = KeySet((1...40).map(key))
        #expect(set.count == 40)
        #expect(set.insert(key(40)) == false)
        #expect(numbers(set).sorted() == Array(1...40))
        for number in 1...39 { #expect(set.remove(key(number)) == true) }
        #expect(numbers(set) == [40])
        #expect(set == [key(40)])
        #expect(set.remove(key(40)) == true)
        #expect(set.isEmpty)
        #expect(set.insert(key(2)) == true)
        #expect(numbers(set) == [2])
    }

    @Test func setsAreComparedAndCombinedAsSets() {
        let (few, many) = (KeySet((1...3).map(key)), KeySet((1...30).map(key)))
        #expect(few == [key(3), key(1), key(2)])
        #expect(few != many)
        #expect(few != [key(1), key(2), key(4)])
        #expect(numbers(many.subtracting(KeySet((3...30).map(key)))).sorted() == [1, 2])
        #expect(few.union([key(2), key(8)]) == [key(1), key(2), key(3), key(8)])
        var kept = many
        kept.keep { $0.rawValue > 28 }
        #expect(kept == [key(29), key(30)])
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func anyChangesGiveWhatASetGives(seed: UInt64) {
        var random = SplitMix64(state: seed)
        var set = KeySet()
        var expected: Set<ObjectKey> = []
        // Grows past the bound for few keys and shrinks to nothing in turn.
        for round in 0..<2_000 {
            let key = key(1 + random.below(24))
            let isGrowing = round / 100 % 2 == 0
            if random.below(4) > (isGrowing ? 0 : 2) {
                #expect(set.insert(key) == expected.insert(key).inserted)
            } else {
                #expect(set.remove(key) == (expected.remove(key) != nil))
            }
            #expect(set.contains(key) == expected.contains(key))
            #expect(set.count == expected.count && set.isEmpty == expected.isEmpty)
            #expect(Set(set) == expected)
        }
    }
}
