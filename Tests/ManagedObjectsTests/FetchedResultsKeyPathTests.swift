// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Orders and sections by what a relationship leads to.
@Suite struct FetchedResultsKeyPathTests {
    private let stack: Stack
    private let recorder = ResultsRecorder()
    private let departments: [String: NSManagedObject]
    private var context: NSManagedObjectContext { stack.context }

    init() throws {
        stack = try Stack(PeopleModel.make())
        var made: [String: NSManagedObject] = [:]
        for name in ["art", "law", "zoo"] {
            made[name] = stack.context.make("Department", ["name": name])
        }
        departments = made
        for (name, department) in [("ann", "law"), ("bob", "art"), ("cid", "law"), ("dan", "")] {
            let person = stack.context.make("Person", ["name": name])
            person.setValue(made[department], forKey: "department")
        }
        try stack.context.save()
    }

    private func followed(sections: String? = nil) throws -> ObjectController {
        let controller = context.controller(
            "Person", by: ["department.name", "name"], sections: sections)
        controller.delegate = recorder
        try controller.performFetch()
        return controller
    }

    private func named(_ name: String) throws -> NSManagedObject {
        try #require(try context.named(name, "Person"))
    }

    private func told() -> [String] {
        context.processPendingChanges()
        return recorder.take()
    }

    @Test func a_new_destination_moves_an_object() throws {
        let controller = try followed()
        #expect(controller.lines == [": dan bob ann cid"])
        try named("bob").setValue(departments["zoo"], forKey: "department")
        #expect(told() == ["will", "move bob 0.1 0.3", "did"])
        try named("ann").setValue(nil, forKey: "department")
        #expect(told() == ["will", "move ann 0.1 0.0", "did"])
        #expect(controller.lines == [": ann dan cid bob"])
    }

    @Test func a_change_at_the_other_end_counts_with_the_object() throws {
        let controller = try followed()
        departments["art"]?.setValue("zzz", forKey: "name")
        #expect(told() == [] && controller.lines == [": dan bob ann cid"])
        try named("bob").setValue(1, forKey: "age")
        #expect(told() == ["will", "move bob 0.1 0.3", "did"])
        departments["law"]?.setValue("aaa", forKey: "name")
        #expect(told() == [])
        context.make("Person", ["name": "eve", "department": departments["law"] as Any])
        try named("cid").setValue(1, forKey: "age")
        _ = told()
        try named("ann").setValue(1, forKey: "age")
        _ = told()
        #expect(controller.lines == [": dan ann cid eve bob"])
    }

    @Test func sections_come_and_go_with_destinations() throws {
        let controller = try followed(sections: "department.name")
        #expect(controller.lines == [": dan", "art: bob", "law: ann cid"])
        try named("bob").setValue(departments["zoo"], forKey: "department")
        #expect(
            told() == [
                "will", "delete section art 1", "insert section zoo 2", "move bob 1.0 2.0", "did",
            ])
        try named("dan").setValue(departments["law"], forKey: "department")
        #expect(told() == ["will", "delete section  0", "move dan 0.0 0.2", "did"])
        #expect(controller.lines == ["law: ann cid dan", "zoo: bob"])
    }

    @Test func a_destination_may_be_saved_later_than_the_fetch() throws {
        let new = context.make("Department", ["name": "new"])
        let ann = try named("ann")
        ann.setValue(new, forKey: "department")
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "department == %@", new)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let controller = ObjectController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
            cacheName: nil)
        controller.delegate = recorder
        try controller.performFetch()
        let bob = try named("bob")
        try context.save()
        #expect(told() == [])
        ann.setValue(9, forKey: "age")
        #expect(told() == ["will", "update ann 0.0 -", "did"])
        bob.setValue(new, forKey: "department")
        #expect(told() == ["will", "insert bob - 0.1", "did"])
        ann.setValue(nil, forKey: "department")
        #expect(told() == ["will", "delete ann 0.0 -", "did"])
    }

    @Test func a_predicate_of_one_destination_follows_it() throws {
        let law = try #require(departments["law"])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: "department == %@ AND age < 50", law)
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        let controller = ObjectController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
            cacheName: nil)
        controller.delegate = recorder
        try controller.performFetch()
        let (bob, cid) = try (named("bob"), named("cid"))
        bob.setValue(law, forKey: "department")
        cid.setValue(departments["art"], forKey: "department")
        #expect(told() == ["will", "delete cid 0.0 -", "insert bob - 0.0", "did"])
        try named("ann").setValue(60, forKey: "age")
        #expect(told() == ["will", "delete ann 0.1 -", "did"])
        context.delete(law)
        #expect(told() == ["will", "delete bob 0.0 -", "did"])
    }
}
