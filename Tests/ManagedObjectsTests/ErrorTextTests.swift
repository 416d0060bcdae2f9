// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// What errors say of themselves, however a program prints them.
@Suite struct ErrorTextTests {
    /// Every way to print an error.
    private func texts(_ error: any Error) -> [String] {
        [
            "\(error)", String(reflecting: error), error.localizedDescription,
            (error as NSError).description, (error as NSError).localizedDescription,
            (error as NSError).localizedFailureReason ?? "(null)",
        ]
    }

    private func caught(_ body: () throws -> Void) throws -> CocoaError {
        do { try body() } catch { return try #require(error as? CocoaError) }
        Issue.record("nothing was thrown")
        return CocoaError(.featureUnsupported)
    }

    /// Checks that each text of what a block throws has all of some words.
    private func check(
        _ code: Int, _ words: [String], _ body: () throws -> Void,
        at location: SourceLocation = #_sourceLocation
    ) throws {
        let error = try caught(body)
        #expect(error.errorCode == code, sourceLocation: location)
        for text in texts(error) {
            #expect(!text.contains("(null)"), sourceLocation: location)
            for word in words { #expect(text.contains(word), sourceLocation: location) }
        }
    }

    private func thing(
        _ rules: [ValidationRule] = [], _ type: NSAttributeType = .stringAttributeType,
        isOptional: Bool = true, _ value: Any? = nil
    ) throws -> Stack {
        let attribute = Build.attribute("size", type, isOptional: isOptional)
        attribute.validationRules = rules
        let stack = try Stack(Build.model(Build.entity("Thing", [attribute])))
        stack.context.make("Thing").setValue(value, forKey: "size")
        return stack
    }

    @Test func a_missing_value() throws {
        let stack = try thing(isOptional: false)
        try check(1570, ["Thing.size", "required"]) { try stack.context.save() }
    }

    @Test func several_missing_values() throws {
        let stack = try thing(isOptional: false)
        stack.context.make("Thing")
        try check(1560, ["2 validation errors", "Thing.size", "required"]) {
            try stack.context.save()
        }
    }

    @Test func numbers_dates_and_texts_beyond_their_rules() throws {
        let date = Date(timeIntervalSinceReferenceDate: 0)
        let table: [(Int, ValidationRule, NSAttributeType, Any, String)] = [
            (1610, .maximum(5), .integer32AttributeType, 17, "17"),
            (1620, .minimum(5), .integer32AttributeType, 3, "3"),
            (1630, .latest(date), .dateAttributeType, date + 60, "2001-01-01"),
            (1640, .earliest(date), .dateAttributeType, date - 60, "2000-12-31"),
            (1660, .maximumLength(2), .stringAttributeType, "long", "long"),
            (1670, .minimumLength(2), .stringAttributeType, "x", "x"),
            (1680, .pattern("[a-z]+"), .stringAttributeType, "ABC", "ABC"),
        ]
        for (code, rule, type, value, shown) in table {
            let stack = try thing([rule], type, value)
            try check(code, ["Thing.size", shown]) { try stack.context.save() }
        }
    }

    @Test func a_predicate_with_and_without_a_message() throws {
        for (warning, word) in [("too short a size", "too short a size"), (nil, "BEGINSWITH")] {
            let attribute = Build.attribute("size")
            attribute.setValidationPredicates(
                [NSPredicate(format: "SELF BEGINSWITH 'a'")],
                withValidationWarnings: warning.map { [$0] })
            let stack = try Stack(Build.model(Build.entity("Thing", [attribute])))
            stack.context.make("Thing", ["size": "b"])
            try check(1550, ["Thing.size", word]) { try stack.context.save() }
        }
    }

    @Test func counts_and_a_denied_deletion() throws {
        let owner = Build.entity("Owner", [Build.attribute("name")])
        let thing = Build.entity("Thing", [])
        Build.inverse(
            Build.relationship(
                "things", of: owner, to: thing, max: 3, rule: .denyDeleteRule, min: 2),
            Build.relationship("owner", of: thing, to: owner, max: 1))
        let stack = try Stack(Build.model(owner, thing))
        let ann = stack.context.make("Owner")
        func fill(_ count: Int) {
            ann.setValue(
                Set((0..<count).map { _ in stack.context.make("Thing") }), forKey: "things")
        }
        fill(1)
        try check(1580, ["Owner.things", "1 ", "2 "]) { try stack.context.save() }
        fill(4)
        try check(1590, ["Owner.things", "4 ", "3 "]) { try stack.context.save() }
        fill(2)
        try stack.context.save()
        stack.context.delete(ann)
        try check(1600, ["Owner", "things"]) { try stack.context.save() }
    }

    @Test func conflicts() throws {
        let pair = try ConflictPair(["a"])
        pair.theirs("a").setValue("b", forKey: "name")
        try pair.other.save()
        pair.mine("a").setValue("c", forKey: "name")
        try check(133020, ["Item"]) { try pair.context.save() }
        let unique = try Stack(ItemModel.make(isUnique: true))
        unique.context.make("Item", ["name": "twin"])
        unique.context.make("Item", ["name": "twin"])
        try check(133021, ["Item", "name"]) { try unique.context.save() }
    }

    @Test func objects_that_are_gone() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item")
        try stack.context.save()
        let id = item.objectID
        stack.context.delete(item)
        try stack.context.save()
        try check(133000, ["Item"]) {
            _ = try stack.container.newBackgroundContext().existingObject(with: id)
        }
    }

    @Test func stores_that_cannot_be_added() throws {
        let stack = try Stack(ItemModel.make())
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: PeopleModel.make())
        func add(_ type: String, _ configuration: String? = nil, _ name: String = "test.lode")
            throws
        {
            try coordinator.addPersistentStore(
                ofType: type, configurationName: configuration,
                at: stack.directory.appendingPathComponent(name),
                options: [LodeDurabilityOption: "none"])
        }
        try check(134000, [NSBinaryStoreType]) { try add(NSBinaryStoreType) }
        try check(134020, ["Nowhere"]) { try add(NSSQLiteStoreType, "Nowhere") }
        try Data("Dear reader, this is a letter".utf8).write(
            to: stack.directory.appendingPathComponent("letter.txt"))
        try check(134080, ["letter.txt"]) { try add(NSSQLiteStoreType, nil, "letter.txt") }
        try check(134100, ["test.lode"]) { try add(NSSQLiteStoreType) }
    }

    @Test func operations_that_cannot_be_done() throws {
        let stack = try Stack(ItemModel.make())
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(format: "colour == 'red'")
        try check(134070, ["Item", "colour"]) { _ = try stack.context.fetch(request) }
        try stack.reopen { $0.isReadOnly = true }
        stack.context.make("Item")
        try check(134030, ["test.lode"]) { try stack.context.save() }
    }

    @Test func sections_out_of_order() throws {
        let stack = try Stack(ItemModel.make())
        for (name, number) in [("a", 1), ("b", 2), ("a", 3)] {
            stack.context.make("Item", ["name": name, "number": number])
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: stack.context, sectionNameKeyPath: "name",
            cacheName: nil)
        try check(134060, ["section a", "name"]) { try controller.performFetch() }
    }

    @Test func errors_of_other_types() throws {
        let error = try #require(throws: (any Error).self) { try NSPredicate.parse("name ==") }
        for text in texts(error) {
            #expect(text.contains("name ==") && !text.contains("(null)"))
        }
    }

    @Test func the_details_of_an_error_name_object_key_and_value() throws {
        let stack = try thing([.maximum(5)], .integer32AttributeType, 17)
        let error = try caught { try stack.context.save() }
        #expect(error.validationKey == "size")
        #expect((error.validationValue as? NSNumber)?.intValue == 17)
        #expect((error.validationObject as? NSManagedObject)?.entity.name == "Thing")
        #expect("\(error)".contains("NSValidationErrorKey=size"))
        #expect("\(error)".contains("NSValidationErrorValue=17"))
    }
}
