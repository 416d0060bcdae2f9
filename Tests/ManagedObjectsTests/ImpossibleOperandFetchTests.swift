// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Predicates that ask one value for its members: a fetch names the attribute and its type, and in
/// memory they trap.
@Suite struct ImpossibleOperandFetchTests {
    private func message(_ predicate: NSPredicate, _ isSaved: Bool = true) throws -> String {
        let stack = try Stack(PeopleModel.make())
        let boss = stack.context.make("Person", ["name": "a", "age": 10])
        stack.context.make("Person", ["name": "b", "age": 20, "parent": boss])
        if isSaved { try stack.context.save() }
        var message = "nothing"
        do {
            _ = try stack.context.all("Person", predicate)
        } catch let error as CocoaError {
            #expect(error.errorCode == 134_070)
            message = error.message
        }
        return message
    }

    private static let messages: [(String, String)] = [
        (
            "sum:(age) == 10",
            "sum: needs a collection, and age of Person is one value of the type integer32"
        ),
        (
            "name == 'x' OR count:(SELF) == 1",
            "count: needs a collection, and SELF of Person is one object of Person"
        ),
    ]

    @Test(arguments: messages)
    func fetches_refuse_one_value(_ format: String, _ wanted: String) throws {
        for isSaved in [false, true] {
            #expect(try message(NSPredicate(format: format), isSaved).contains(wanted))
        }
    }

    @Test func fetches_refuse_what_a_program_builds() throws {
        func compare(
            _ key: String, _ type: NSComparisonPredicate.Operator, _ value: Any?,
            _ modifier: NSComparisonPredicate.Modifier = .direct
        ) -> NSPredicate {
            NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: key),
                rightExpression: NSExpression(forConstantValue: value), modifier: modifier,
                type: type)
        }
        #expect(
            try message(compare("name", .in, 3)).contains(
                "name IN 3 needs a collection or a text after IN, not a value of type integer64"))
        #expect(
            try message(compare("age", .between, [1])).contains(
                "age BETWEEN {1} needs two bounds such as {1, 5} after BETWEEN, not a list of 1"))
        #expect(
            try message(compare("children.@count", .greaterThan, 1, .any)).contains(
                "ANY children.@count > 1 needs a collection after ANY, not the one value of @count")
        )
    }

    @Test func what_may_be_many_is_asked() throws {
        #expect(NSPredicate(format: "ANY raw == 'b'").evaluate(with: ["raw": ["a", "b"]]))
        #expect(try message(NSPredicate(format: "ANY children.age > 3")) == "nothing")
        #expect(try message(NSPredicate(format: "sum:(children.age) > 3")) == "nothing")
        #expect(try message(NSPredicate(format: "max(age, parent.age) > 3")) == "nothing")
    }

    @Test(
        arguments: ["sum:(age) == 18", "name IN $list"])
    func in_memory_they_trap(_ format: String) async {
        await #expect(processExitsWith: .failure) { [format] in
            let stack = try Stack(PeopleModel.make())
            let object = stack.context.make("Person", ["name": "a"])
            _ = NSPredicate(format: format)
                .evaluate(with: object, substitutionVariables: ["list": 3])
        }
    }

    @Test func unknown_functions_trap_where_they_are_made() async {
        await #expect(processExitsWith: .failure) {
            _ = NSExpression(forFunction: "nosuch:", arguments: [1])
        }
        await #expect(processExitsWith: .failure) {
            _ = NSExpression(forFunction: "sum:", arguments: [])
        }
        await #expect(processExitsWith: .failure) {
            _ = NSExpression(format: "sqrt:(1, 2)")
        }
        await #expect(processExitsWith: .failure) {
            _ = NSPredicate(format: "name IN %@", 3)
        }
    }
}
