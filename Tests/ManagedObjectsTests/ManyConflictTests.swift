// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Synchronization
import Testing

/// A department that counts how often one was read.
final class CountedDepartment: NSManagedObject {
    // Guarded, as the class is one for all threads.
    static let reads = Mutex(0)

    override func awakeFromFetch() {
        super.awakeFromFetch()
        Self.reads.withLock { $0 += 1 }
    }
}

/// Saves with many conflicts at once.
@Suite(.serialized) struct ManyConflictTests {
    private static func model() -> NSManagedObjectModel {
        let department = Build.entity(
            "Department", [Build.attribute("name")], class: CountedDepartment.self)
        let person = Build.entity("Person", [Build.attribute("name"), Build.attribute("title")])
        Build.inverse(
            Build.relationship("department", of: person, to: department, max: 1),
            Build.relationship("employees", of: department, to: person, max: 0))
        Build.inverse(
            Build.relationship("boss", of: person, to: person, max: 1),
            Build.relationship("staff", of: person, to: person, max: 0))
        return Build.model(person, department)
    }

    /// People of a department, each the next one's boss.
    private func people(_ stack: Stack, _ names: String) throws -> [NSManagedObject] {
        let department = stack.context.make("Department", ["name": "A"])
        let people = names.map { name in
            stack.context.make("Person", ["name": "\(name)", "department": department])
        }
        for (boss, person) in zip(people, people.dropFirst()) {
            person.setValue(boss, forKey: "boss")
        }
        try stack.context.save()
        stack.context.refreshAllObjects()
        return people
    }

    private func same(
        _ objects: [NSManagedObject], _ context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        try objects.map { try context.existingObject(with: $0.objectID) }
    }

    @Test func the_owner_of_all_is_read_once() throws {
        let stack = try Stack(Self.model())
        let people = try people(stack, "abcdefgh")
        let other = stack.container.newBackgroundContext()
        for person in try same(people, other) { person.setValue("theirs", forKey: "title") }
        for person in people { person.setValue(person.text("name") + "1", forKey: "name") }
        try other.save()
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        CountedDepartment.reads.withLock { $0 = 0 }
        try stack.context.save()
        #expect(CountedDepartment.reads.withLock { $0 } == 1)
        let fresh = stack.container.newBackgroundContext()
        let saved = try same(people, fresh)
        #expect(saved.map { $0.text("name") } == ["a1", "b1", "c1", "d1", "e1", "f1", "g1", "h1"])
        #expect(saved.allSatisfy { $0.text("title") == "theirs" })
        #expect(saved[0].one("department")?.many("employees") == Set(saved))
    }

    @Test(arguments: [MergePolicyTests.Policy.storeTrump, .rollback])
    func many_that_others_deleted_leave_together(_ policy: MergePolicyTests.Policy) throws {
        let stack = try Stack(Self.model())
        let people = try people(stack, "abcdef")
        let other = stack.container.newBackgroundContext()
        for person in try same(people, other).dropLast() { other.delete(person) }
        for person in people { person.setValue("mine", forKey: "title") }
        // A new one that two of the deleted ones lead to.
        let new = stack.context.make("Person", ["name": "g", "boss": people[1]])
        new.mutableSetValue(forKey: "staff").add(people[2])
        new.mutableSetValue(forKey: "staff").add(people[5])
        try other.save()
        stack.context.mergePolicy = policy.policy
        try stack.context.save()
        #expect(people.dropLast().allSatisfy { $0.managedObjectContext == nil })
        #expect(new.one("boss") == nil)
        let fresh = stack.container.newBackgroundContext()
        #expect(try fresh.all("Person").map { $0.text("name") }.sorted() == ["f", "g"])
        let rest = try #require(try fresh.named("f", "Person"))
        #expect(rest.one("department")?.many("employees") == [rest])
        #expect(rest.one("boss") == nil)
        #expect(rest.text("title") == (policy == .storeTrump ? "mine" : "-"))
    }
}
