// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Events in which many results move.
@Suite struct ManyMovesTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    init() throws { stack = try Stack(PeopleModel.make()) }

    private func people(_ count: Int) throws -> [NSManagedObject] {
        let people = (0..<count).map { context.make("Person", ["name": "\($0)", "age": 0]) }
        try context.save()
        return people
    }

    private func controller(_ recorder: ResultsRecorder) throws -> ObjectController {
        let controller = context.controller("Person", by: ["age"], sections: "age")
        controller.delegate = recorder
        try controller.performFetch()
        return controller
    }

    /// What that costs for each of them is counted by the benchmarks.
    @Test func each_of_many_results_gets_a_section_of_its_own_and_comes_back() throws {
        let count = 3_000
        let all = try people(count)
        let recorder = ResultsRecorder()
        let controller = try controller(recorder)
        for (number, person) in all.enumerated() { person.setValue(-number, forKey: "age") }
        context.processPendingChanges()
        #expect(controller.sections?.count == count)
        #expect(controller.sections?.first?.name == "-2999")
        #expect(controller.indexPath(forObject: all[1])?.section == 2998)
        // The first one keeps its value, and with it its section; that it was set is an update.
        #expect(recorder.take().count == 3 + 2_999 * 2)
        for person in all { person.setValue(0, forKey: "age") }
        context.processPendingChanges()
        #expect(controller.sections?.map(\.name) == ["0"])
        #expect(recorder.take().count == 3 + 2_999 * 2)
    }

    /// New sections come before, between and behind those that stay, and several side by side.
    @Test func new_sections_take_their_places_among_those_that_stay() throws {
        let people = try people(12)
        let recorder = ResultsRecorder()
        let controller = try controller(recorder)
        func move(_ ages: [Int]) {
            for (person, age) in zip(people, ages) { person.setValue(age, forKey: "age") }
            context.processPendingChanges()
        }
        move([0, 0, 10, 10, 20, 20, 30, 30, 40, 40, 50, 50])
        _ = recorder.take()
        move([-2, -1, 10, 11, 12, 20, 30, 31, 32, 33, 60, 60])
        #expect(
            controller.lines == [
                "-2: 0", "-1: 1", "10: 2", "11: 3", "12: 4", "20: 5", "30: 6", "31: 7", "32: 8",
                "33: 9", "60: 10 11",
            ])
        let sections = recorder.take().filter { $0.contains("section") }
        #expect(
            sections == [
                "delete section 0 0", "delete section 40 4", "delete section 50 5",
                "insert section -2 0", "insert section -1 1", "insert section 11 3",
                "insert section 12 4", "insert section 31 7", "insert section 32 8",
                "insert section 33 9", "insert section 60 10",
            ])
    }
}
