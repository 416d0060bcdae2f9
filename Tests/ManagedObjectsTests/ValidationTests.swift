// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Required values and counts; a failed save leaves everything pending.
@Suite struct ValidationTests {
    private func model() -> NSManagedObjectModel {
        let order = Build.entity(
            "Order",
            [
                Build.attribute("name", isOptional: false),
                Build.attribute("total", .doubleAttributeType, isOptional: false),
                Build.attribute("note"),
            ])
        let line = Build.entity("Line", [Build.attribute("name")])
        Build.inverse(
            Build.relationship("lines", of: order, to: line, max: 3, isOptional: false, min: 2),
            Build.relationship("order", of: line, to: order, max: 1, isOptional: false))
        return Build.model(order, line)
    }

    private func lines(_ count: Int, _ context: NSManagedObjectContext) -> Set<NSManagedObject> {
        Set((0..<count).map { context.make("Line", ["name": "\($0)"]) })
    }

    private func order(_ count: Int, _ context: NSManagedObjectContext) -> NSManagedObject {
        context.make("Order", ["name": "o", "total": 1, "lines": lines(count, context)])
    }

    private func failure(_ context: NSManagedObjectContext) throws -> CocoaError {
        let error = #expect(throws: CocoaError.self) { try context.save() }
        return try #require(error)
    }

    @Test func a_complete_object_is_saved() throws {
        let stack = try Stack(model())
        _ = order(2, stack.context)
        _ = order(3, stack.context)
        try stack.context.save()
        #expect(try stack.context.count("Line") == 5)
    }

    @Test func a_missing_value_is_named() throws {
        let stack = try Stack(model())
        let order = order(2, stack.context)
        order.setValue(nil, forKey: "name")
        let error = try failure(stack.context)
        #expect(error.errorCode == 1570)
        #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "name")
        #expect(error.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === order)
        #expect(error.userInfo[NSDetailedErrorsKey] == nil)
        order.setValue("", forKey: "name")
        try stack.context.save()
    }

    @Test(arguments: [(0, 1570), (1, 1580), (4, 1590)])
    func counts(_ count: Int, expected: Int) throws {
        let stack = try Stack(model())
        let order = order(count, stack.context)
        let error = try failure(stack.context)
        #expect(error.errorCode == expected)
        #expect(error.userInfo[NSValidationKeyErrorKey] as? String == "lines")
        order.setValue(lines(2, stack.context), forKey: "lines")
        for line in try stack.context.all("Line", NSPredicate(format: "order == nil")) {
            stack.context.delete(line)
        }
        try stack.context.save()
    }

    @Test func counts_are_checked_for_updates() throws {
        let stack = try Stack(model())
        let order = order(2, stack.context)
        try stack.context.save()
        let line = try #require(order.many("lines").first)
        stack.context.delete(line)
        #expect(try failure(stack.context).errorCode == 1580)
        stack.context.delete(order)
        for line in order.many("lines") { stack.context.delete(line) }
        try stack.context.save()
        #expect(try stack.context.count("Line") == 0)
    }

    @Test func several_errors_come_together() throws {
        let stack = try Stack(model())
        let order = stack.context.make("Order", ["lines": lines(2, stack.context)])
        stack.context.make("Line")
        let error = try failure(stack.context)
        #expect(error.errorCode == 1560)
        let details = try #require(error.userInfo[NSDetailedErrorsKey] as? [CocoaError])
        #expect(details.map(\.errorCode) == [1570, 1570, 1570])
        let keys = details.compactMap { $0.userInfo[NSValidationKeyErrorKey] as? String }
        #expect(keys.sorted() == ["name", "order", "total"])
        #expect(order.isInserted && stack.context.insertedObjects.count == 4)
        #expect(order.objectID.isTemporaryID)
        stack.context.rollback()
        #expect(!stack.context.hasChanges)
        #expect(try stack.context.count("Order") == 0)
    }

    @Test func a_failed_save_keeps_updates_and_deletions_pending() throws {
        let stack = try Stack(model())
        let first = order(2, stack.context)
        let second = order(2, stack.context)
        try stack.context.save()
        first.setValue(nil, forKey: "name")
        first.setValue("kept", forKey: "note")
        stack.context.delete(second)
        for line in second.many("lines") { stack.context.delete(line) }
        for _ in 0..<2 {
            #expect(try failure(stack.context).errorCode == 1570)
            #expect(first.isUpdated && second.isDeleted)
            #expect(first.text("note") == "kept")
            #expect(stack.context.deletedObjects.count == 3)
        }
        #expect(try stack.container.newBackgroundContext().count("Order") == 2)
        first.setValue("named", forKey: "name")
        try stack.context.save()
        try stack.reopen()
        #expect(try stack.context.names("Order", "TRUEPREDICATE") == ["named"])
        #expect(try stack.context.all("Order").first?.text("note") == "kept")
    }

    @Test func an_update_to_nil_is_caught() throws {
        let stack = try Stack(model())
        let order = order(2, stack.context)
        try stack.context.save()
        order.setValue(nil, forKey: "total")
        #expect(try failure(stack.context).errorCode == 1570)
        stack.context.rollback()
        #expect(order.value(forKey: "total") as? Double == 1)
    }

    @Test func deleted_objects_need_no_values() throws {
        let stack = try Stack(model())
        let order = order(2, stack.context)
        try stack.context.save()
        order.setValue(nil, forKey: "name")
        for line in order.many("lines") { stack.context.delete(line) }
        stack.context.delete(order)
        try stack.context.save()
        #expect(try stack.context.count("Order") == 0)
    }

    @Test func counts_of_ordered_relationships_tell_an_ordered_value() throws {
        let list = Build.entity("List", [])
        let entry = Build.entity("Entry", [])
        let entries = Build.relationship("entries", of: list, to: entry, max: 0, min: 2)
        entries.isOrdered = true
        Build.inverse(entries, Build.relationship("list", of: entry, to: list, max: 1))
        let stack = try Stack(Build.model(list, entry))
        let only = stack.context.make("Entry")
        stack.context.make("List", ["entries": NSOrderedSet(object: only)])
        let error = try failure(stack.context)
        #expect(error.errorCode == 1580)
        #expect((error.validationValue as? NSOrderedSet)?.array as? [NSManagedObject] == [only])
    }

    @Test func each_relationship_that_denies_a_deletion_is_told() throws {
        let box = Build.entity("Box", [])
        let thing = Build.entity("Thing", [])
        let things = Build.relationship("things", of: box, to: thing, max: 0)
        let lid = Build.relationship("lid", of: box, to: thing, max: 1)
        for relationship in [things, lid] { relationship.deleteRule = .denyDeleteRule }
        Build.inverse(things, Build.relationship("box", of: thing, to: box, max: 1))
        Build.inverse(lid, Build.relationship("closes", of: thing, to: box, max: 1))
        let stack = try Stack(Build.model(box, thing))
        let (first, second) = (stack.context.make("Thing"), stack.context.make("Thing"))
        let full = stack.context.make("Box", ["things": Set([first]), "lid": second])
        try stack.context.save()
        stack.context.delete(full)
        let error = try failure(stack.context)
        #expect(error.errorCode == 1560)
        let details = error.detailedErrors.compactMap { $0 as? CocoaError }
            .sorted { ($0.validationKey ?? "") > ($1.validationKey ?? "") }
        #expect(details.map(\.errorCode) == [1600, 1600])
        #expect(details.map(\.validationKey) == ["things", "lid"])
        #expect(details.first?.validationValue as? Set<NSManagedObject> == [first])
        #expect(details.last?.validationValue as? NSManagedObject === second)
    }
}
