// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A child that moves leaves the set of the old parent and joins that of the new one.
@Suite(.inBothPlaces) struct MovingChildTests {
    private func stack() throws -> (Stack, [NSManagedObject], [NSManagedObject]) {
        let stack = try Stack(PeopleModel.make())
        let children = ["a", "b"].map { stack.context.make("Person", ["name": $0]) }
        let parents = ["p", "q"].map { stack.context.make("Person", ["name": $0]) }
        parents[0].setValue(Set(children), forKey: "children")
        try stack.context.save()
        return (stack, children, parents)
    }

    private func check(_ parents: [NSManagedObject], _ expected: [[String]]) {
        #expect(parents.map { $0.names("children") } == expected)
    }

    @Test(arguments: ["child", "parent", "custom"]) func from_either_side(side: String) throws {
        let (stack, children, parents) = try stack()
        switch side {
        case "child": children[0].setValue(parents[1], forKey: "parent")
        case "parent": parents[1].setValue([children[0]] as Set, forKey: "children")
        default:
            children[0].willChangeValue(forKey: "parent")
            children[0].setPrimitiveValue(parents[1], forKey: "parent")
            children[0].didChangeValue(forKey: "parent")
        }
        check(parents, [["b"], ["a"]])
        #expect(children[0].one("parent") === parents[1])
        #expect(stack.context.updatedObjects == [children[0], parents[0], parents[1]])
        try stack.context.save()
        check(parents, [["b"], ["a"]])
        try stack.reopen()
        let read = try ["p", "q"].map { try #require(try stack.context.named($0, "Person")) }
        check(read, [["b"], ["a"]])
    }

    @Test func an_unfired_parent_learns_of_it_too() throws {
        let (stack, _, _) = try stack()
        try stack.reopen()
        let context = stack.context
        let child = try #require(try context.named("a", "Person"))
        let target = try #require(try context.named("q", "Person"))
        child.setValue(target, forKey: "parent")
        check([try #require(try context.named("p", "Person")), target], [["b"], ["a"]])
    }
}
