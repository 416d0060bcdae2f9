// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing
import _TestSupport

@testable import ManagedObjects

/// What is appended to an ordered relationship and taken out again, beside a list that has it all.
@Suite struct OrderedStateTests {
    private func key(_ row: Int) -> ObjectKey {
        ObjectKey(entity: EntityNumber(rawValue: 1), row: UInt64(row))
    }

    @Test func what_comes_back_comes_last() {
        let state = ToManyState(isOrdered: true)
        state.load([])
        for row in 1...4 { state.add(key(row)) }
        state.remove(key(1))
        state.remove(key(3))
        state.add(key(1))
        #expect(state.appended == [key(2), key(4), key(1)])
        #expect(state.members == [key(2), key(4), key(1)] && state.count == 3)
        state.remove(key(1))
        state.remove(key(4))
        state.add(key(3))
        #expect(state.members == [key(2), key(3)])
        for row in [2, 3] { state.remove(key(row)) }
        #expect(state.members.isEmpty && state.appended.isEmpty && !state.hasChanges)
    }

    @Test func stored_members_that_leave_and_come_back() {
        let state = ToManyState(isOrdered: true)
        state.load([key(1), key(2)])
        state.add(key(3))
        state.remove(key(1))
        state.add(key(1))
        #expect(state.members == [key(2), key(3), key(1)])
        state.remove(key(1))
        state.remove(key(3))
        #expect(state.members == [key(2)] && state.appended.isEmpty)
        state.add(key(1))
        #expect(state.members == [key(2), key(1)])
    }

    @Test(arguments: [0, 3, 40]) func random_changes_are_those_of_a_list(storedCount: Int) {
        var random = SplitMix64(state: UInt64(storedCount) + 5)
        for _ in 0..<60 {
            let state = ToManyState(isOrdered: true)
            var list = (0..<storedCount).map { key($0 + 1) }
            state.load(ContiguousArray(list))
            for _ in 0..<200 {
                let chosen = key(Int.random(in: 1...60, using: &random))
                if list.contains(chosen) {
                    list.removeAll { $0 == chosen }
                    state.remove(chosen)
                } else if Int.random(in: 0..<40, using: &random) == 0, !list.isEmpty {
                    let place = Int.random(in: 0..<list.count, using: &random)
                    list.insert(chosen, at: place)
                    state.insert(chosen, at: place)
                } else {
                    list.append(chosen)
                    state.add(chosen)
                }
                if Int.random(in: 0..<4, using: &random) == 0 {
                    #expect(Array(state.members) == list)
                }
            }
            #expect(Array(state.members) == list && state.count == list.count)
        }
    }
}
