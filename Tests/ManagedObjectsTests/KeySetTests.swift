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

    @Test func ascendingKeysStayAListOfAnyLength() {
        var set = KeySet((1...500).map { key(2 * $0) })
        #expect(set.count == 500)
        #expect(numbers(set) == (1...500).map { UInt64(2 * $0) })
        #expect(set.insert(key(1_000)) == false && set.insert(key(2)) == false)
        #expect(set.contains(key(998)) && !set.contains(key(999)) && !set.contains(key(1)))
        #expect(set.remove(key(999)) == false && set.remove(key(1_000)) == true)
        #expect(set.insert(key(7)) == true && set.insert(key(7)) == false)
        #expect(set.count == 500 && set.contains(key(7)) && !set.contains(key(1_000)))
        #expect(numbers(set).sorted() == ((1...499).map { UInt64(2 * $0) } + [7]).sorted())
    }

    @Test func theThirteenthKeyTellsWhetherAListIsInOrder() {
        // Twelve in order, and the thirteenth not.
        var last = KeySet((2...13).map(key))
        #expect(last.insert(key(1)) == true && last.insert(key(1)) == false)
        #expect(last.contains(key(2)) && last.contains(key(13)) && last.count == 13)
        // Twelve of which the first two are not.
        var start = KeySet(([2, 1] + (3...12)).map(key))
        #expect(start.insert(key(13)) == true && start.insert(key(2)) == false)
        #expect(numbers(start).sorted() == Array(1...13))
        // A list that a removal made short takes keys in any order again.
        var short = KeySet((2...14).map(key))
        #expect(short.remove(key(5)) == true && short.insert(key(1)) == true)
        #expect(short.contains(key(1)) && short.contains(key(14)) && !short.contains(key(5)))
        #expect(short.count == 13)
    }

    @Test(arguments: [[1, 2, 3], [100, 50, 1], [3, 60, 99]])
    func aLongListLosesKeysAnywhere(gone: [Int]) {
        var set = KeySet((1...100).map(key))
        for number in gone { #expect(set.remove(key(number)) == true) }
        for number in gone { #expect(set.remove(key(number)) == false) }
        #expect(numbers(set).sorted() == (1...100).filter { !gone.contains($0) }.map(UInt64.init))
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func keysThatMostlyAscendGiveWhatASetGives(seed: UInt64) {
        var random = SplitMix64(state: seed)
        var set = KeySet()
        var expected: Set<ObjectKey> = []
        var next = 1
        for _ in 0..<3_000 {
            let old = key(1 + random.below(next))
            switch random.below(400) {
            case 0: #expect(set.insert(old) == expected.insert(old).inserted)
            case 1: #expect(set.remove(old) == (expected.remove(old) != nil))
            case 2:
                set = KeySet()
                expected = []
            case 3...20:
                let last = key(next - 1)
                #expect(set.remove(last) == (expected.remove(last) != nil))
            default:
                let new = key(next)
                #expect(set.insert(new) == expected.insert(new).inserted)
                next += 1 + random.below(2)
            }
            #expect(set.contains(old) == expected.contains(old) && set.count == expected.count)
        }
        #expect(Set(set) == expected)
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
