// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// The counts of a to-many relationship decide how many destinations it has, not `isOptional`.
@Suite struct CountRuleTests {
    private func stack(min: Int, max: Int = 0) throws -> Stack {
        let owner = Build.entity("Owner", [Build.attribute("name")])
        let thing = Build.entity("Thing", [Build.attribute("name")])
        Build.inverse(
            Build.relationship(
                "things", of: owner, to: thing, max: max, isOptional: false, min: min),
            Build.relationship("owner", of: thing, to: owner, max: 1))
        return try Stack(Build.model(owner, thing))
    }

    @Test func a_mandatory_relationship_without_minimum_may_be_empty() throws {
        let stack = try stack(min: 0)
        let owner = stack.context.make("Owner", ["name": "o"])
        try owner.validateForInsert()
        try stack.context.save()
        let thing = stack.context.make("Thing", ["owner": owner])
        try stack.context.save()
        owner.setValue(Set<NSManagedObject>(), forKey: "things")
        try stack.context.save()
        thing.setValue(owner, forKey: "owner")
        try stack.context.save()
        stack.context.delete(thing)
        try stack.context.save()
        #expect(owner.many("things").isEmpty)
    }

    @Test func a_child_context_saves_an_empty_one() throws {
        let stack = try stack(min: 0)
        let child = Stack.child(of: stack.context)
        child.performAndWait { _ = child.make("Owner", ["name": "o"]) }
        try child.performAndWait { try child.save() }
        try stack.context.save()
        #expect(try stack.context.count("Owner") == 1)
    }

    @Test func a_minimum_is_asked_for() throws {
        let stack = try stack(min: 1)
        let owner = stack.context.make("Owner")
        #expect(code { try stack.context.save() } == 1570)
        stack.context.make("Thing", ["owner": owner])
        try stack.context.save()
    }

    @Test func batches_may_leave_a_relationship_empty() throws {
        let stack = try stack(min: 0)
        let insertion = NSBatchInsertRequest(
            entityName: "Owner", objects: [["name": "a"], ["name": "b"]])
        try stack.context.execute(insertion)
        let owner = try #require(try stack.context.named("a", "Owner"))
        stack.context.make("Thing", ["name": "one", "owner": owner])
        stack.context.make("Thing", ["name": "two", "owner": owner])
        try stack.context.save()
        let update = NSBatchUpdateRequest(entityName: "Thing")
        update.predicate = NSPredicate(format: "name == 'one'")
        update.propertiesToUpdate = ["owner": NSNull()]
        try stack.context.execute(update)
        let deletion = NSBatchDeleteRequest(
            fetchRequest: NSFetchRequest<any NSFetchRequestResult>(entityName: "Thing"))
        try stack.context.execute(deletion)
        #expect(try stack.context.count("Thing") == 0 && stack.context.count("Owner") == 2)
    }

    @Test func any_great_maximum_is_no_bound() throws {
        for max in [Int.max, Int(UInt32.max) + 1] {
            let stack = try stack(min: 0, max: max)
            let things = stack.model.entitiesByName["Owner"]?.relationshipsByName["things"]
            #expect(things?.maxCount == max && things?.isToMany == true)
            let owner = stack.context.make("Owner")
            for _ in 0..<5 { stack.context.make("Thing", ["owner": owner]) }
            try stack.context.save()
            try stack.reopen()
            #expect(try stack.context.all("Owner").map { $0.many("things").count } == [5])
        }
    }
}
