// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// What formats ask of transformable collections: stores in memory answer it, files what is asked
/// of whole values.
@Suite struct TransformableFetchTests {
    static let formats: [(String, [String])] = [
        ("ANY words == 'a'", ["1", "3"]),
        ("NOT ANY words == 'a'", ["2", "4", "5"]),
        ("NONE words == 'b'", ["3", "4", "5"]),
        ("ALL words == 'a'", ["3", "4", "5"]),
        ("ANY words BEGINSWITH 'c'", ["2"]),
        ("'b' IN words", ["1", "2"]),
        ("words CONTAINS 'b'", ["1", "2"]),
        ("words[FIRST] == 'a'", ["1", "3"]),
        ("words[0] == 'b'", ["2"]),
        ("words.@count == 2", ["1", "2"]),
        ("words[SIZE] == 1", ["3"]),
        ("SUBQUERY(words, $w, $w BEGINSWITH 'c').@count == 1", ["2"]),
        ("ANY words == 'a' AND name > '1'", ["3"]),
        ("ANY words == 'a' OR name == '4'", ["1", "3", "4"]),
        ("words == NULL", ["5"]),
        ("ANY next.words == 'a'", ["2", "4"]),
        ("SUBQUERY(others, $o, ANY $o.words == 'b').@count == 1", ["1"]),
    ]

    private func filled(_ type: NSPersistentStore.StoreType) throws -> NSManagedObjectContext {
        ManagedObjects.ValueTransformer.setValueTransformer(
            WordsTransformer(), forName: NSValueTransformerName("TransformableFetchTests"))
        let words = Build.attribute("words", .transformableAttributeType)
        words.valueTransformerName = "TransformableFetchTests"
        let entity = Build.entity("Item", [words, Build.attribute("name")])
        let next = Build.relationship("next", of: entity, to: entity, max: 1)
        let others = Build.relationship("others", of: entity, to: entity, max: 0)
        next.inverseRelationship = others
        others.inverseRelationship = next
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Build.model(entity))
        let place = FileManager.default.temporaryDirectory
            .appendingPathComponent("TransformableFetchTests-\(UUID().uuidString)")
        _ = try coordinator.addPersistentStore(type: type, at: place)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let lists: [[String]?] = [["a", "b"], ["b", "c"], ["a"], [], nil]
        var objects: [NSManagedObject] = []
        for (number, list) in lists.enumerated() {
            let item = context.make("Item", ["name": "\(number + 1)"])
            item.setValue(list, forKey: "words")
            objects.append(item)
        }
        objects[1].setValue(objects[0], forKey: "next")
        objects[3].setValue(objects[2], forKey: "next")
        return context
    }

    @Test(arguments: formats) func stores_in_memory_answer_them(
        format: String, names: [String]
    ) throws {
        let context = try filled(.inMemory)
        let predicate = NSPredicate(format: format)
        for _ in 0..<2 {
            let all = try context.all("Item", NSPredicate(value: true))
            #expect(try context.names("Item", format) == names)
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate = predicate
            #expect(try context.count(for: request) == names.count)
            #expect(
                all.filter { predicate.evaluate(with: $0) }.map { $0.text("name") }.sorted()
                    == names)
            try context.save()
        }
        let child = Stack.child(of: context)
        #expect(try child.names("Item", format) == names)
        let request = NSFetchRequest<NSDictionary>(entityName: "Item")
        request.predicate = predicate
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["name"]
        #expect(
            try context.fetch(request).compactMap { $0["name"] as? String }.sorted() == names)
    }

    @Test func files_refuse_what_they_do_not_know() throws {
        let context = try filled(.sqlite)
        try context.save()
        #expect { try context.names("Item", "ANY words == 'a'") } throws: { error in
            (error as? CocoaError)?.errorCode == 134070
        }
        #expect(try context.names("Item", "words == NULL") == ["5"])
        #expect(try context.names("Item", "words != nil") == ["1", "2", "3", "4"])
    }

    @Test func data_is_compared_alike_in_memory_and_in_files() throws {
        for type in [NSPersistentStore.StoreType.sqlite, .inMemory] {
            let context = try filled(type)
            try context.save()
            let (two, three) = (Data("b c".utf8), Data("a".utf8))
            #expect(try context.names("Item", "words == %@", two) == ["2"])
            #expect(try context.names("Item", "words IN %@", [two, three]) == ["2", "3"])
        }
    }

    @Test func data_beside_what_it_holds_is_refused() throws {
        let context = try filled(.inMemory)
        let data = Data("b c".utf8)
        for format in ["words == %@ AND words.@count == 2", "words.@count == 1 OR words IN {%@}"] {
            #expect { try context.names("Item", format, data) } throws: { error in
                (error as? CocoaError)?.errorCode == 134070
            }
        }
        #expect(try context.names("Item", "words != nil AND words.@count == 0") == ["4"])
    }

    @Test func whole_values_are_compared_alike_in_memory_and_in_files() throws {
        for type in [NSPersistentStore.StoreType.sqlite, .inMemory] {
            let context = try filled(type)
            for _ in 0..<2 {
                func names(_ format: String, _ arguments: Any?...) throws -> [String] {
                    let predicate = NSPredicate(format: format, argumentArray: arguments)
                    let found = try context.all("Item", predicate).map { $0.text("name") }.sorted()
                    let held = try context.all("Item").filter { predicate.evaluate(with: $0) }
                        .map { $0.text("name") }.sorted()
                    #expect(found == held, "\(format) in \(type)")
                    return found
                }
                #expect(try names("words == %@", ["a", "b"]) == ["1"])
                #expect(try names("words == %@", ["b", "a"]) == ["1"])
                #expect(try names("%@ == words", NSArray(array: ["b", "c"])) == ["2"])
                #expect(try names("words != %@", ["a", "b"]) == ["2", "3", "4", "5"])
                #expect(try names("words IN %@", [["a"], ["a", "b"]]) == ["1", "3"])
                #expect(try names("words IN %@", ["x": ["a"], "y": ["a", "b"]]) == ["1", "3"])
                #expect(try names("words == {'a'}") == ["3"])
                #expect(try names("words == %@", [String]()) == ["4"])
                #expect(try names("next.words == %@", ["a"]) == ["4"])
                #expect(try names("NOT words == %@ AND name < '3'", ["a", "b"]) == ["2"])
                #expect(
                    try names("SUBQUERY(others, $o, $o.words == %@).@count == 1", ["b", "c"])
                        == ["1"])
                #expect(
                    try names("SUBQUERY(others, $o, $o.words IN %@).@count > 0", [[], ["a"]])
                        == ["3"])
                #expect(
                    try names("SUBQUERY(others, $o, words == %@).@count > 0", ["a"]) == ["3"])
                #expect(
                    try names("SUBQUERY(others, $o, $o.words == nil).@count == 0").count == 5)
                #expect(try names("TERNARY(words == %@, 1, 2) == 1", ["a"]) == ["3"])
                #expect(try names("TERNARY(words == nil, 1, 2) == 1") == ["5"])
                try context.save()
            }
        }
    }

    /// A text as an index is a key of the object, not a member of it.
    @Test func a_key_in_brackets_leads_to_the_other_entity() throws {
        let color = Build.attribute("color", .transformableAttributeType)
        color.valueTransformerName = "NSSecureUnarchiveFromData"
        let group = Build.entity("Group", [color])
        let person = Build.entity("Person", [Build.attribute("color")])
        Build.inverse(
            Build.relationship("group", of: person, to: group, max: 1),
            Build.relationship("people", of: group, to: person, max: 0))
        let context = try Stack(Build.model(person, group)).context
        let red = context.make("Group")
        red.setValue(["red", "dark"], forKey: "color")
        let ann = context.make("Person", ["color": "red"])
        ann.setValue(red, forKey: "group")
        try context.save()
        for format in ["group.color == %@", "SELF['group'].color == %@"] {
            let predicate = NSPredicate(format: format, argumentArray: [["red", "dark"]])
            #expect(try context.all("Person", predicate) == [ann], "\(format)")
        }
    }

    @Test func a_fetch_beside_what_is_held_runs_once() throws {
        let context = try filled(.inMemory)
        try context.save()
        let runs = Counter()
        let inner = NSFetchRequest<NSManagedObject>(entityName: "Item")
        inner.predicate = NSPredicate { object, _ in
            if (object as? NSManagedObject)?.text("name") == "1" { runs.count += 1 }
            return true
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(
            format: "words.@count == 2 AND SELF IN FETCH(%@, %@, NO)", inner, context)
        #expect(try context.fetch(request).count == 2)
        #expect(runs.count == 1)
        #expect(try context.count(for: request) == 2)
        #expect(runs.count == 2)
    }

    private final class Counter { var count = 0 }

    @Test func values_of_other_types_are_equal_to_none() throws {
        for type in [NSPersistentStore.StoreType.sqlite, .inMemory] {
            let context = try filled(type)
            #expect(try context.names("Item", "words == 5") == [])
            #expect(try context.names("Item", "words != 5").count == 5)
        }
    }

    @Test func whole_values_are_refused_where_there_is_no_object_to_ask() throws {
        let context = try filled(.sqlite)
        try context.save()
        for predicate in [
            NSPredicate(format: "words == %@", ["a"]),
            NSPredicate(format: "words != %@", [String]()),
        ] {
            let update = NSBatchUpdateRequest(entityName: "Item")
            update.predicate = predicate
            update.propertiesToUpdate = ["name": "x"]
            let inner = NSFetchRequest<any NSFetchRequestResult>(entityName: "Item")
            inner.predicate = predicate
            for request in [update, NSBatchDeleteRequest(fetchRequest: inner)] {
                #expect { try context.execute(request) } throws: { error in
                    (error as? CocoaError)?.errorCode == 134070
                }
            }
        }
        #expect(try context.names("Item", "name != 'x'").count == 5)
    }

    @Test func asking_objects_of_a_file_is_a_scan() throws {
        let context = try filled(.sqlite)
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(format: "words == %@", ["a"])
        #expect(
            try context.explain(request).hasSuffix(
                "then these objects are asked, one after the other"))
        request.scanLimit = 4
        #expect { try context.fetch(request) } throws: { error in
            (error as? CocoaError)?.errorCode == 134070
        }
        request.scanLimit = 5
        #expect(try context.fetch(request).map { $0.text("name") } == ["3"])
    }

    @Test func an_empty_list_is_a_value() throws {
        let context = try filled(.inMemory)
        try context.save()
        let empty: [String] = []
        #expect(try context.names("Item", "words == %@", empty) == ["4"])
        #expect(try context.names("Item", "words IN %@", empty) == [])
    }

    @Test func attributes_of_other_entities_have_other_types() throws {
        let plain = Build.entity("Plain", [Build.attribute("tags"), Build.attribute("name")])
        let other = Build.entity(
            "Other", [Build.attribute("tags", .transformableAttributeType)])
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: Build.model(plain, other))
        _ = try coordinator.addPersistentStore(
            type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        context.make("Plain", ["tags": "x", "name": "1"])
        context.make("Plain", ["tags": "y", "name": "2"])
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Plain")
        request.predicate = NSPredicate(format: "tags == 'x'")
        request.includesPendingChanges = false
        #expect(try context.fetch(request).map { $0.text("name") } == ["1"])
        #expect(try context.count(for: request) == 1)
    }

    @Test func windows_and_controllers_count_what_objects_answered() throws {
        let context = try filled(.inMemory)
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
        request.predicate = NSPredicate(format: "words != nil AND words.@count < 2")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
        request.fetchLimit = 1
        #expect(try context.fetch(request).map { $0.text("name") } == ["4"])
        request.fetchOffset = 1
        #expect(try context.fetch(request).map { $0.text("name") } == ["3"])
        (request.fetchOffset, request.fetchLimit) = (0, 0)
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
            cacheName: nil)
        try controller.performFetch()
        let named = controller.fetchedObjects?.map { $0.text("name") }
        #expect(named == ["4", "3"])
    }
}
