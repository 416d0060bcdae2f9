// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Batch requests and what the model demands of attributes.
@Suite struct BatchMandatoryTests {
    private func stack() throws -> Stack {
        let name = Build.attribute("name", isOptional: false)
        let size = Build.attribute("size", .integer16AttributeType, isOptional: false, default: 3)
        let words = Build.attribute("words", .transformableAttributeType)
        return try Stack(
            Build.model(
                Build.entity("Thing", [name, size, words, Build.attribute("note")]),
                Build.entity("Other", [Build.attribute("note")])))
    }

    private func failure(_ body: () throws -> Void) throws -> CocoaError {
        do { try body() } catch { return try #require(error as? CocoaError) }
        Issue.record("nothing was thrown")
        return CocoaError(.featureUnsupported)
    }

    private func insert(_ rows: [[String: Any]], _ stack: Stack) throws {
        try stack.context.execute(NSBatchInsertRequest(entityName: "Thing", objects: rows))
    }

    @Test(arguments: ["objects", "dictionaries", "managed objects"])
    func an_insertion_without_a_mandatory_value_throws(_ form: String) throws {
        let stack = try stack()
        let rows: [[String: Any]] = [["name": "a"], ["note": "nameless"]]
        var index = 0
        let request =
            switch form {
            case "objects": NSBatchInsertRequest(entityName: "Thing", objects: rows)
            case "dictionaries":
                NSBatchInsertRequest(
                    entityName: "Thing",
                    dictionaryHandler: { row in
                        guard index < rows.count else { return true }
                        for (key, value) in rows[index] { row[key] = value }
                        index += 1
                        return false
                    })
            default:
                NSBatchInsertRequest(
                    entityName: "Thing",
                    managedObjectHandler: { object in
                        guard index < rows.count else { return true }
                        for (key, value) in rows[index] { object.setValue(value, forKey: key) }
                        index += 1
                        return false
                    })
            }
        let error = try failure { try stack.context.execute(request) }
        #expect(error.errorCode == 1570 && error.validationKey == "name")
        #expect("\(error)".contains("Thing.name of row 1"))
        #expect(try stack.context.count("Thing") == 0)
    }

    @Test func a_default_or_a_value_satisfies_an_insertion() throws {
        let stack = try stack()
        try insert([["name": "a"], ["name": "b", "size": 4]], stack)
        #expect(try stack.context.all("Thing").map { $0.number("size") }.sorted() == [3, 4])
        let error = try failure { try insert([["name": "c", "size": NSNull()]], stack) }
        #expect(error.errorCode == 1570 && error.validationKey == "size")
        #expect(try stack.context.count("Thing") == 2)
    }

    @Test func a_wrong_value_names_entity_key_and_value() throws {
        let stack = try stack()
        for (key, value) in [("size", "big"), ("size", 40_000), ("name", 7), ("words", 1.5)]
            as [(String, Any)]
        {
            var row: [String: Any] = ["name": "a"]
            row[key] = value
            let inserted = try failure { try insert([row], stack) }
            let request = NSBatchUpdateRequest(entityName: "Thing")
            request.propertiesToUpdate = [key: value]
            let updated = try failure { try stack.context.execute(request) }
            for error in [inserted, updated] {
                #expect(error.errorCode == 134070 && error.validationKey == key)
                #expect("\(error)".contains("Thing.\(key)") && "\(error)".contains("\(value)"))
            }
        }
        #expect(try stack.context.count("Thing") == 0)
    }

    @Test func unknown_keys_are_ignored_by_insertions_and_refused_by_updates() throws {
        let stack = try stack()
        try insert([["name": "a", "colour": "red"]], stack)
        let request = NSBatchUpdateRequest(entityName: "Thing")
        request.propertiesToUpdate = ["colour": "red"]
        let error = try failure { try stack.context.execute(request) }
        #expect(error.errorCode == 134070 && "\(error)".contains("Thing.colour"))
    }

    @Test func an_update_cannot_take_a_mandatory_value_away() throws {
        let stack = try stack()
        try insert([["name": "a", "note": "n"], ["name": "b"]], stack)
        for value in [NSNull(), NSExpression(forConstantValue: nil)] as [Any] {
            let request = NSBatchUpdateRequest(entityName: "Thing")
            request.propertiesToUpdate = ["name": value]
            let error = try failure { try stack.context.execute(request) }
            #expect(error.errorCode == 1570 && error.validationKey == "name")
            #expect("\(error)".contains("Thing.name"))
        }
        let request = NSBatchUpdateRequest(entityName: "Thing")
        request.propertiesToUpdate = ["name": NSExpression(forKeyPath: "note")]
        let error = try failure { try stack.context.execute(request) }
        #expect(error.errorCode == 1570 && error.validationKey == "name")
        #expect(try stack.context.names("Thing", "TRUEPREDICATE") == ["a", "b"])
        request.propertiesToUpdate = ["note": NSNull()]
        try stack.context.execute(request)
        #expect(try stack.context.names("Thing", "note != nil").isEmpty)
    }

    @Test func further_files_and_memory_refuse_as_well() throws {
        let model = Build.model(
            Build.entity("Note", [Build.attribute("text", isOptional: false)]),
            Build.entity("Book", [Build.attribute("title")]))
        model.setEntities(
            [try #require(model.entitiesByName["Note"])], forConfigurationName: "Notes")
        let folder = try StoreFolder()
        for stores in [
            [("a.memory", nil)], [("a.lode", nil), ("b.lode", "Notes")],
        ] as [[(name: String, configuration: String?)]] {
            let context = try folder.open(stores, model: model)
            let request = NSBatchInsertRequest(entityName: "Note", objects: [["text": NSNull()]])
            request.affectedStores = folder.coordinator.persistentStores.suffix(1)
            let error = try failure { try context.execute(request) }
            #expect(error.errorCode == 1570 && error.validationKey == "text")
            #expect(try context.count("Note") == 0)
        }
    }
}
