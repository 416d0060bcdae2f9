// SPDX-License-Identifier: Apache-2.0

import Testing
import _TestSupport

@testable import Store

@Suite struct NumberedListTests {
    private func pairs(_ list: NumberedList<String>) -> [String] { list.map { "\($0)\($1)" } }

    @Test func elementsAreInTheOrderOfTheirNumbers() {
        var list = NumberedList<String>()
        #expect(list.count == 0 && pairs(list) == [] && list[0] == nil)
        let entries: [(UInt32, String)] = [(5, "e"), (1, "a"), (9, "i"), (0, "z"), (.max, "m")]
        for (number, name) in entries {
            list[number] = name
        }
        #expect(pairs(list) == ["0z", "1a", "5e", "9i", "4294967295m"])
        #expect(list.numbers == [0, 1, 5, 9, .max] && list.count == 5)
        #expect(list[5] == "e" && list[4] == nil && list[.max] == "m" && list[6] == nil)
    }

    @Test func elementsAreReplacedAndTakenOut() {
        var list = NumberedList([2, 4, 6], ["b", "d", "f", "unused"])
        #expect(pairs(list) == ["2b", "4d", "6f"])
        list[4] = "D"
        list[2] = nil
        list[3] = nil
        #expect(pairs(list) == ["4D", "6f"] && list[2] == nil)
        list[6] = nil
        list[4] = nil
        #expect(list.count == 0)
    }

    @Test func agreesWithADictionary() {
        var random = SeededGenerator(seed: 3)
        var list = NumberedList<Int>()
        var known: [UInt32: Int] = [:]
        for round in 0..<2_000 {
            let number = UInt32.random(in: 0..<40, using: &random)
            let element = random.chance(0.4) ? nil : round
            list[number] = element
            known[number] = element
            #expect(list[number] == element, "seed \(random.seed)")
        }
        #expect(list.numbers == known.keys.sorted(), "seed \(random.seed)")
        #expect(list.allSatisfy { known[$0] == $1 }, "seed \(random.seed)")
    }
}
