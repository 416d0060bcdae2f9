// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// One request for one value of a unique attribute, asked again and again while things change.
@Suite struct KeptRequestTests {
    private func makeModel() -> NSManagedObjectModel {
        let item = Build.entity(
            "Item",
            [Build.attribute("name"), Build.attribute("number", .integer32AttributeType)])
        item.uniquenessConstraints = [["name"]]
        let special = Build.entity("Special", [Build.attribute("extra")])
        item.subentities = [special]
        let other = Build.entity("Other", [Build.attribute("name")])
        other.uniquenessConstraints = [["name"]]
        return Build.model(item, special, other)
    }

    private let template = NSPredicate(format: "name == $name")

    private func ask(
        _ name: String, _ request: NSFetchRequest<NSManagedObject>,
        _ context: NSManagedObjectContext
    ) throws -> [String] {
        request.predicate = template.withSubstitutionVariables(["name": name])
        let found = try context.fetch(request)
        #expect(try context.count(for: request) == found.count)
        return found.map { "\($0.entity.name ?? "") \($0.text("name"))" }
    }

    @Test func a_request_is_asked_while_it_and_the_objects_change() throws {
        let stack = try Stack(makeModel())
        let context = stack.context
        context.make("Item", ["name": "a", "number": 1])
        context.make("Special", ["name": "b", "extra": "x"])
        context.make("Other", ["name": "a"])
        try context.save()
        let reader = stack.container.newBackgroundContext()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        #expect(try ask("a", request, reader) == ["Item a"])
        #expect(try ask("b", request, reader) == ["Special b"])
        #expect(try ask("c", request, reader) == [])
        request.includesSubentities = false
        #expect(try ask("b", request, reader) == [])
        #expect(try ask("a", request, reader) == ["Item a"])
        request.includesSubentities = true
        request.entity = stack.model.entitiesByName["Other"]
        #expect(try ask("a", request, reader) == ["Other a"])
        request.entity = stack.model.entitiesByName["Special"]
        #expect(try ask("a", request, reader) == [])
        #expect(try ask("b", request, reader) == ["Special b"])
        request.entity = stack.model.entitiesByName["Item"]
        // Unsaved, then saved elsewhere.
        let new = reader.make("Item", ["name": "c"])
        #expect(try ask("c", request, reader) == ["Item c"])
        let held = try #require(try reader.all("Item", NSPredicate(format: "number == 1")).first)
        held.setValue("d", forKey: "name")
        #expect(try ask("a", request, reader) == [])
        #expect(try ask("d", request, reader) == ["Item d"])
        request.includesPendingChanges = false
        #expect(try ask("d", request, reader) == [])
        request.includesPendingChanges = true
        reader.delete(new)
        #expect(try ask("c", request, reader) == [])
        reader.rollback()
        context.make("Item", ["name": "e"])
        try context.save()
        #expect(try ask("e", request, reader) == ["Item e"])
        request.fetchOffset = 1
        #expect(try ask("e", request, reader) == [])
    }

    @Test func a_request_is_asked_of_several_contexts_and_stores() throws {
        try withTemporaryDirectory { directory in
            let container = NSPersistentContainer(name: "Test", managedObjectModel: makeModel())
            let coordinator = container.persistentStoreCoordinator
            func add(_ name: String) throws {
                try coordinator.addPersistentStore(
                    type: .sqlite, at: URL(fileURLWithPath: "\(directory)/\(name)"))
            }
            try add("a.lode")
            let context = container.newBackgroundContext()
            let child = Stack.child(of: context)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            try context.performAndWait {
                context.make("Item", ["name": "a"])
                try context.save()
                #expect(try ask("a", request, context) == ["Item a"])
                context.make("Item", ["name": "unsaved"])
            }
            let found = try child.performAndWait {
                try [ask("a", request, child), ask("unsaved", request, child)]
            }
            #expect(found == [["Item a"], ["Item unsaved"]])
            try context.performAndWait {
                context.rollback()
                try coordinator.remove(coordinator.persistentStores[0])
                #expect(code { _ = try ask("a", request, context) } == 134_070)
                try add("b.lode")
                #expect(try ask("a", request, context) == [])
                context.make("Special", ["name": "a"])
                try context.save()
                #expect(try ask("a", request, context) == ["Special a"])
                try add("a.lode")
                #expect(try ask("a", request, context).sorted() == ["Item a", "Special a"])
            }
        }
    }
}
