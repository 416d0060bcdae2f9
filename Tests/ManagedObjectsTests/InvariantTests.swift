// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Testing

@testable import ManagedObjects

/// The check of a context's invariants: it finds what is broken on purpose.
@Suite struct InvariantTests {
    private let stack: Stack
    private let context: NSManagedObjectContext

    init() throws {
        stack = try Stack(PeopleModel.make())
        context = stack.container.newBackgroundContext()
    }

    private func saved(_ name: String) throws -> NSManagedObject {
        let object = context.make("Person", ["name": name])
        try context.save()
        return object
    }

    @Test func a_context_in_use_keeps_them() throws {
        #expect(context.invariantViolations() == [])
        let (ada, bob) = (try saved("Ada"), try saved("Bob"))
        ada.setValue(bob, forKey: "spouse")
        context.make("Person", ["name": "Cleo"])
        #expect(context.invariantViolations() == [])
        context.delete(bob)
        #expect(context.invariantViolations() == [])
        context.processPendingChanges()
        #expect(context.invariantViolations() == [])
        context.rollback()
        #expect(context.invariantViolations() == [])
        context.reset()
        #expect(context.invariantViolations() == [])
    }

    @Test(arguments: [
        (ObjectFlags.inserted, "is inserted, and not in the list"),
        (.updated, "is updated, and not in the list"),
        (.deleted, "is deleted, and not in the list"),
        (.eventUpdated, "was updated in this event, and is not in its list"),
        (.propagated, "is not deleted any more"),
    ])
    func a_flag_without_its_list_is_found(_ flag: ObjectFlags, _ rule: String) throws {
        let object = try saved("Ada")
        object.flags.insert(flag)
        #expect(context.invariantViolations().contains("\(object.objectID): \(rule)"))
        object.flags.remove(flag)
        #expect(context.invariantViolations() == [])
    }

    @Test func a_stamp_without_bytes_is_found() throws {
        let object = try saved("Ada")
        context.refresh(object, mergeChanges: false)
        object.readStamp = context.stamp
        #expect(
            context.invariantViolations() == [
                "\(object.objectID): is read at the stamp, and not bound at it",
                "\(object.objectID): is read at the stamp, and has no record",
                "\(object.objectID): is read at the stamp, and a fault",
            ])
        object.readStamp = 0
        object.boundStamp = context.stamp + 1
        #expect(
            context.invariantViolations() == ["\(object.objectID): is bound at a stamp to come"])
        object.boundStamp = 0
    }

    @Test func an_object_under_another_key_is_found() throws {
        let object = try saved("Ada")
        let key = object.key
        object.key = ObjectKey(rawValue: key.rawValue + 100)
        #expect(
            context.invariantViolations() == [
                "\(object.objectID): is registered under another key"
            ])
        object.key = key
    }
}
