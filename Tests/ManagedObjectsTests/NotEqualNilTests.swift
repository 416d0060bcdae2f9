// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// `!=` finds objects without a value, saved or not, with an index or without.
@Suite struct NotEqualNilTests {
    @Test(arguments: [false, true]) func objects_without_a_value_are_found(
        isIndexed: Bool
    ) throws {
        let stack = try Stack(PeopleModel.make(isIndexed: isIndexed))
        let context = stack.context
        context.make("Person", ["name": "a"])
        context.make("Person", ["age": 1])
        context.make("Person", ["name": "b", "age": 2])
        for _ in 0..<2 {
            #expect(try context.names("Person", "name != 'a'") == ["-", "b"])
            #expect(try context.names("Person", "NOT name == 'a'") == ["-", "b"])
            #expect(try context.names("Person", "name != nil") == ["a", "b"])
            #expect(try context.names("Person", "name != 'a' AND age < 2") == ["-"])
            try context.save()
        }
    }
}
