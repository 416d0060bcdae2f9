// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Many controllers on one context: a change asks those that it may concern, and no others.
@Suite struct ManyFetchedResultsTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }
    private static let groupCount = 100

    init() throws {
        stack = try Stack(PeopleModel.make(isIndexed: true))
        for number in 0..<Self.groupCount * 5 {
            stack.context.make(
                "Person", ["name": "\(number)", "age": number % Self.groupCount])
        }
        try stack.context.save()
    }

    private func controllers(
        _ recorder: ResultsRecorder, _ format: (Int) -> String
    ) throws -> [ObjectController] {
        try (0..<Self.groupCount).map { group in
            let controller = context.controller("Person", by: ["name"], where: format(group))
            controller.delegate = recorder
            try controller.performFetch()
            return controller
        }
    }

    private func asked(_ controllers: [ObjectController]) -> [Int] {
        controllers.indices.filter { controllers[$0].questionCount > 0 }
    }

    @Test func a_save_of_one_object_asks_only_the_controller_it_concerns() throws {
        let recorder = ResultsRecorder()
        let all = try controllers(recorder) { "age == \($0)" }
        let person = try #require(try context.named("207", "Person"))
        person.setValue("0", forKey: "name")
        try context.save()
        #expect(recorder.take() == ["will", "move 0 0.1 0.0", "did"])
        #expect(asked(all) == [7])
    }

    @Test func a_change_of_the_value_asks_two() throws {
        let recorder = ResultsRecorder()
        let all = try controllers(recorder) { "age == \($0) AND name != '3'" }
        let person = try #require(try context.named("207", "Person"))
        person.setValue(42, forKey: "age")
        try context.save()
        #expect(
            recorder.take() == [
                "will", "delete 207 0.1 -", "did", "will", "insert 207 - 0.1", "did",
            ])
        #expect(asked(all) == [7, 42])
        context.delete(person)
        context.make("Person", ["name": "9", "age": 99])
        try context.save()
        #expect(asked(all) == [7, 42, 99])
        context.make("Person", ["name": "none", "age": 1_000])
        try context.save()
        #expect(asked(all) == [7, 42, 99])
        #expect(all[42].lines == [": 142 242 342 42 442"])
    }

    @Test func what_demands_no_value_is_always_asked() throws {
        let recorder = ResultsRecorder()
        let all = try controllers(recorder) { "age > \($0 + 10_000)" }
        try #require(try context.named("207", "Person")).setValue("x", forKey: "name")
        try context.save()
        #expect(recorder.take() == [])
        #expect(all.allSatisfy { $0.questionCount == 1 })
    }

    @Test func a_controller_that_is_gone_is_not_asked() throws {
        let recorder = ResultsRecorder()
        var all = try controllers(recorder) { "age == \($0)" }
        all.removeSubrange(50...)
        try #require(try context.named("207", "Person")).setValue(60, forKey: "age")
        try context.save()
        #expect(recorder.take() == ["will", "delete 207 0.1 -", "did"])
        #expect(asked(all) == [7])
    }

    @Test func a_new_predicate_counts_from_the_next_fetch_on() throws {
        let recorder = ResultsRecorder()
        let all = try controllers(recorder) { "age == \($0)" }
        all[7].fetchRequest.predicate = NSPredicate(format: "age == 8")
        try all[7].performFetch()
        #expect(all[7].lines == all[8].lines)
        let person = try #require(try context.named("208", "Person"))
        person.setValue(7, forKey: "age")
        try context.save()
        #expect(asked(all) == [7, 8])
        #expect(all[7].lines == [": 108 308 408 8"] && all[8].lines == all[7].lines)
    }
}
