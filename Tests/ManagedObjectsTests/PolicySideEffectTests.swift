// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// What a merge policy does to objects that have no conflict themselves: lists and observers hear
/// that their relationships have changed.
@Suite(.inBothPlaces) struct PolicySideEffectTests {
    typealias Policy = MergePolicyTests.Policy

    private let stack: Stack
    // Kept: a controller follows its context while it has a delegate.
    private let recorder = ResultsRecorder()
    private var context: NSManagedObjectContext { stack.context }

    init() throws { stack = try Stack(PeopleModel.make()) }

    /// A saved object that the context has read, and that others change then.
    private func changedElsewhere(
        _ entity: String, _ change: (NSManagedObject) -> Void
    ) throws -> NSManagedObject {
        let object = context.make(entity, ["name": "x"])
        try context.save()
        #expect(object.text("name") == "x")
        let other = stack.container.newBackgroundContext()
        try other.performAndWait {
            change(try other.existingObject(with: object.objectID))
            try other.save()
        }
        return object
    }

    private func list(_ format: String) throws -> ObjectController {
        let controller = context.controller("Person", by: ["name"], where: format)
        controller.delegate = recorder
        try controller.performFetch()
        return controller
    }

    /// Rolling the department back takes the new member out of it.
    @Test func a_new_person_leaves_the_list_of_a_department_that_is_rolled_back() throws {
        let department = try changedElsewhere("Department") { $0.setValue("y", forKey: "name") }
        context.mergePolicy = NSMergePolicy.rollback
        let controller = try list("department != nil")
        let ann = context.make("Person", ["name": "Ann", "department": department])
        context.processPendingChanges()
        #expect(controller.fetchedObjects == [ann])
        let changes = ChangeRecorder(context)
        try context.save()
        #expect(ann.one("department") == nil && department.text("name") == "y")
        #expect(controller.fetchedObjects == [])
        #expect(changes.take().contains { $0["refreshed"]?.contains(ann) == true })
    }

    @Test(arguments: [Policy.storeTrump, .rollback])
    func a_new_person_leaves_the_list_of_a_tag_that_others_have_deleted(
        _ policy: Policy
    ) throws {
        let tag = try changedElsewhere("Tag") { $0.managedObjectContext?.delete($0) }
        context.mergePolicy = policy.policy
        let controller = try list("tags.@count > 0")
        let ann = context.make("Person", ["name": "Ann", "tags": [tag] as Set])
        context.processPendingChanges()
        #expect(controller.fetchedObjects == [ann])
        let changes = ChangeRecorder(context)
        try context.save()
        #expect(ann.many("tags").isEmpty && tag.managedObjectContext == nil)
        #expect(controller.fetchedObjects == [])
        #expect(changes.take().contains { $0["refreshed"]?.contains(ann) == true })
    }
}
