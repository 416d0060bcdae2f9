// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Key-value coding along relationships.
@Suite struct KeyPathTests {
    private func family() throws -> (Stack, NSManagedObject) {
        let stack = try Stack(PeopleModel.make())
        let sales = stack.context.make("Department", ["name": "Sales"])
        let ann = stack.context.make("Person", ["name": "Ann", "department": sales])
        for name in ["Bob", "Cyd"] {
            let child = stack.context.make("Person", ["name": name, "parent": ann])
            stack.context.make("Person", ["name": name + "'s", "parent": child])
        }
        return (stack, ann)
    }

    @Test func paths_through_to_one_relationships() throws {
        let (stack, ann) = try family()
        defer { withExtendedLifetime(stack) {} }
        #expect(ann.value(forKeyPath: "name") as? String == "Ann")
        #expect(ann.value(forKeyPath: "department.name") as? String == "Sales")
        #expect(ann.value(forKeyPath: "passport.name") == nil)
        ann.setValue("Research", forKeyPath: "department.name")
        #expect(ann.value(forKeyPath: "department.name") as? String == "Research")
        ann.setValue("lost", forKeyPath: "passport.name")
        #expect(ann.value(forKeyPath: "passport") == nil)
    }

    @Test func paths_through_to_many_relationships() throws {
        let (stack, ann) = try family()
        defer { withExtendedLifetime(stack) {} }
        let names = try #require(ann.value(forKeyPath: "children.name") as? [String])
        #expect(names.sorted() == ["Bob", "Cyd"])
        let parents = try #require(ann.value(forKeyPath: "children.parent.name") as? [String])
        #expect(parents == ["Ann", "Ann"])
        let below = try #require(ann.value(forKeyPath: "children.children.name") as? [[String]])
        #expect(below.flatMap { $0 }.sorted() == ["Bob's", "Cyd's"])
        #expect((ann.value(forKeyPath: "children.department.name") as? [Any])?.isEmpty == true)
    }

    @Test func the_number_of_members() throws {
        let (stack, ann) = try family()
        defer { withExtendedLifetime(stack) {} }
        #expect(ann.value(forKeyPath: "children.@count") as? Int == 2)
        #expect(ann.value(forKeyPath: "tags.@count") as? Int == 0)
        #expect(ann.value(forKeyPath: "children.children.@count") as? [Int] == [1, 1])
    }
}
