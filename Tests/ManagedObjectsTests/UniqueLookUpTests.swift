// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Fetches of one value of a unique attribute, which go without a plan.
@Suite struct UniqueLookUpTests {
    private func model() -> NSManagedObjectModel {
        let thing = Build.entity(
            "Thing",
            [
                Build.attribute("code"), Build.attribute("number", .integer32AttributeType),
                Build.attribute("note"),
            ])
        let box = Build.entity("Box", [Build.attribute("size", .integer16AttributeType)])
        thing.subentities = [box]
        thing.uniquenessConstraints = [["code"], ["number"]]
        return Build.model(thing, box)
    }

    private func stack() throws -> Stack {
        let stack = try Stack(model())
        for number in 0..<40 {
            stack.context.make(
                number % 4 == 3 ? "Box" : "Thing",
                ["code": "c\(number)", "number": number, "note": "n\(number)"])
        }
        try stack.context.save()
        return stack
    }

    private func request(
        _ format: String, _ value: Any?, in entity: String = "Thing"
    ) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format, value)
        return request
    }

    private func notes(
        _ context: NSManagedObjectContext, _ request: NSFetchRequest<NSManagedObject>
    ) throws -> [String] {
        let found = try context.fetch(request).map { $0.text("note") }
        #expect(try context.count(for: request) == found.count)
        return found
    }

    @Test func a_value_has_one_object_or_none() throws {
        let stack = try stack()
        let context = stack.container.newBackgroundContext()
        for round in 0..<2 {
            #expect(try notes(context, request("code == %@", "c7")) == ["n7"], "\(round)")
            #expect(try notes(context, request("code == %@", "c40")) == [])
            #expect(try notes(context, request("code == %@", "")) == [])
            #expect(try notes(context, request("code == %@", nil)) == [])
            #expect(try notes(context, request("number == %d", 12)) == ["n12"])
            #expect(try notes(context, request("number == %d", Int64.max)) == [])
            #expect(try notes(context, request("number == %@", 12.0)) == ["n12"])
            #expect(try notes(context, request("number == %@", 12.5)) == [])
            #expect(try notes(context, request("number == %@", "12")) == ["n12"])
            #expect(code { _ = try context.fetch(request("number == %@", "x")) } == 134070)
            #expect(try notes(context, request("note == %@", "n5")) == ["n5"])
            #expect(code { _ = try context.fetch(request("unknown == %@", "x")) } == 134070)
        }
    }

    /// What says the same in other words is looked up in the same way, and stays what it is.
    @Test func an_equality_may_be_said_in_other_words() throws {
        let stack = try stack()
        let context = stack.container.newBackgroundContext()
        for hasChanges in [false, true] {
            if hasChanges {
                for number in 100..<130 {
                    context.make("Thing", ["code": "c\(number)", "note": "n\(number)"])
                }
                let seven = try context.fetch(request("code == %@", "c8"))
                seven.first?.setValue("moved", forKey: "code")
                #expect(try notes(context, request("%@ == code", "c120")) == ["n120"])
                #expect(try notes(context, request("code IN %@", ["moved"])) == ["n8"])
                #expect(try notes(context, request("%@ == code", "c8")) == [])
            }
            #expect(try notes(context, request("%@ == code", "c7")) == ["n7"])
            #expect(try notes(context, request("%@ == code", "c3", in: "Box")) == ["n3"])
            #expect(try notes(context, request("%@ == code", "c4", in: "Box")) == [])
            #expect(try notes(context, request("code IN %@", ["c7"])) == ["n7"])
            #expect(try notes(context, request("code IN %@", [String]())) == [])
            #expect(try notes(context, request("number IN %@", [12.0])) == ["n12"])
            #expect(try notes(context, request("%@ == number", 12.5)) == [])
            #expect(code { _ = try context.fetch(request("%@ == number", "x")) } == 134070)
        }
        #expect(NSPredicate(format: "%@ == code", "x").description == "\"x\" == code")
        #expect(NSPredicate(format: "code IN %@", ["x"]).description == "code IN {\"x\"}")
        #expect(NSPredicate(format: "%@ == code", "x") != NSPredicate(format: "code == %@", "x"))
    }

    @Test func other_entities_are_left_out() throws {
        let stack = try stack()
        #expect(try notes(stack.context, request("code == %@", "c3")) == ["n3"])
        #expect(try notes(stack.context, request("code == %@", "c3", in: "Box")) == ["n3"])
        #expect(try notes(stack.context, request("code == %@", "c4", in: "Box")) == [])
        let plain = request("code == %@", "c3")
        plain.includesSubentities = false
        #expect(try notes(stack.context, plain) == [])
        #expect(try notes(stack.context, request("code == %@", "c3")) == ["n3"])
    }

    @Test func windows_orders_and_kinds_of_results() throws {
        let stack = try stack()
        let found = request("code == %@", "c9")
        for (limit, offset, wanted) in [(1, 0, 1), (5, 0, 1), (0, 1, 0), (-1, -1, 1), (.max, 0, 1)]
        {
            (found.fetchLimit, found.fetchOffset) = (limit, offset)
            #expect(try notes(stack.context, found).count == wanted, "\(limit) \(offset)")
        }
        (found.fetchLimit, found.fetchOffset) = (0, 0)
        found.sortDescriptors = [NSSortDescriptor(key: "note", ascending: true)]
        #expect(try notes(stack.context, found) == ["n9"])
        found.sortDescriptors = [NSSortDescriptor(key: "unknown", ascending: true)]
        #expect(code { _ = try stack.context.fetch(found) } == 134070)
        found.sortDescriptors = nil
        found.returnsObjectsAsFaults = false
        let fresh = stack.container.newBackgroundContext()
        #expect(try fresh.fetch(found).map(\.isFault) == [false])
        found.returnsObjectsAsFaults = true
        #expect(
            try stack.container.newBackgroundContext().fetch(found).map(\.isFault) == [true])
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Thing")
        ids.predicate = found.predicate
        ids.resultType = .managedObjectIDResultType
        let object = try #require(try stack.context.fetch(found).first)
        #expect(try stack.context.fetch(ids) == [object.objectID])
    }

    @Test func unsaved_changes_count() throws {
        let stack = try stack()
        let context = stack.context
        func found(_ code: String) throws -> [String] {
            try notes(context, request("code == %@", code))
        }
        let seven = try #require(try context.fetch(request("code == %@", "c7")).first)
        seven.setValue("other", forKey: "code")
        #expect(try found("c7") == [])
        #expect(try found("other") == ["n7"])
        let eight = try #require(try context.fetch(request("code == %@", "c8")).first)
        context.delete(eight)
        #expect(try found("c8") == [])
        context.make("Box", ["code": "new", "note": "made"])
        #expect(try found("new") == ["made"])
        #expect(try found("c6") == ["n6"])
        // A twin of a saved value is found with it, before the save refuses it.
        context.make("Thing", ["code": "c6", "note": "twin"])
        #expect(try Set(found("c6")) == ["n6", "twin"])
        let saved = request("code == %@", "c7")
        saved.includesPendingChanges = false
        #expect(try context.fetch(saved) == [seven])
        context.rollback()
        #expect(try found("c7") == ["n7"] && found("other") == [] && found("c6") == ["n6"])
        // Many, so that they are looked up in a table.
        for number in 100..<200 {
            context.make("Thing", ["code": "c\(number)", "note": "n\(number)"])
        }
        #expect(try found("c150") == ["n150"] && found("c7") == ["n7"] && found("c99") == [])
    }

    @Test func children_and_further_contexts_see_what_is_theirs() throws {
        let stack = try stack()
        let child = Stack.child(of: stack.context)
        stack.context.make("Thing", ["code": "parent", "note": "p"])
        try child.performAndWait {
            let unsaved = try notes(child, request("code == %@", "parent"))
            let saved = try notes(child, request("code == %@", "c1"))
            #expect(unsaved == ["p"] && saved == ["n1"])
        }
        let other = stack.container.newBackgroundContext()
        try other.performAndWait {
            #expect(try notes(other, request("code == %@", "parent")) == [])
            let one = try #require(try other.fetch(request("code == %@", "c1")).first)
            one.setValue("moved", forKey: "code")
            try other.save()
        }
        #expect(try notes(stack.context, request("code == %@", "c1")) == [])
        #expect(try notes(stack.context, request("code == %@", "moved")) == ["n1"])
    }

    /// Long values share their keys.
    @Test func long_values_are_told_apart() throws {
        let stack = try stack()
        let start = String(repeating: "x", count: 600)
        for end in ["a", "b"] {
            stack.context.make("Thing", ["code": start + end, "note": end])
        }
        try stack.context.save()
        for context in [stack.context, stack.container.newBackgroundContext()] {
            try context.performAndWait {
                let found = try ["a", "b", ""].map {
                    try notes(context, request("code == %@", start + $0))
                }
                #expect(found == [["a"], ["b"], []])
            }
        }
    }

    /// Texts that Swift takes for equal, and a text with a zero.
    @Test func values_are_compared_by_their_bytes() throws {
        let stack = try stack()
        for code in ["caf\u{E9}", "cafe\u{301}", "a\0b", "a\0", "a"] {
            stack.context.make("Thing", ["code": code, "note": "\(code.utf8.count)"])
        }
        try stack.context.save()
        for (code, note) in [
            ("caf\u{E9}", "5"), ("cafe\u{301}", "6"), ("a\0b", "3"), ("a\0", "2"), ("a", "1"),
        ] {
            #expect(try notes(stack.context, request("code == %@", code)) == [note])
        }
    }

    @Test func templates_of_a_model_and_variables() throws {
        let stack = try stack()
        let template = NSPredicate(format: "code == $code")
        let found = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        for (value, wanted) in [("c2", ["n2"]), ("none", []), ("c3", ["n3"])] {
            found.predicate = template.withSubstitutionVariables(["code": value, "more": 1])
            #expect(try notes(stack.context, found) == wanted)
        }
        #expect(
            template.withSubstitutionVariables(["code": "c2"])
                == NSPredicate(format: "code == %@", "c2"))
        #expect(template.withSubstitutionVariables(["other": 1]) == template)
    }

    @Test func what_has_gone_with_its_store_is_not_found() throws {
        let stack = try Stack(ItemModel.make(isUnique: true))
        let (root, child) = (stack.context, Stack.child(of: stack.context))
        root.make("Item", ["name": "a"])
        try root.save()
        let theirs = try #require(try child.named("a", "Item"))
        theirs.setValue("b", forKey: "name")
        #expect(try child.named("b", "Item") === theirs)
        let coordinator = stack.container.persistentStoreCoordinator
        let store = try #require(coordinator.persistentStores.first)
        let (url, options) = (try #require(store.url), store.options)
        try coordinator.remove(store)
        _ = try coordinator.addPersistentStore(
            ofType: store.type, configurationName: nil, at: url, options: options)
        #expect(try child.named("b", "Item") == nil)
        #expect(theirs.managedObjectContext == nil)
    }
}
