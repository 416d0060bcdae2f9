// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// A row of a batch insertion whose unique value an object of another entity of the hierarchy has:
/// what becomes of it is what becomes of a new object of a context.
@Suite struct BatchInsertHierarchyTests {
    private func stack() throws -> Stack {
        let base = Build.entity(
            "Base",
            [
                Build.attribute("name"), Build.attribute("number", .integer64AttributeType),
                Build.attribute("data", .binaryDataAttributeType),
            ])
        let other = Build.entity(
            "Other", [Build.attribute("a"), Build.attribute("size", .doubleAttributeType)])
        let sub = Build.entity("Sub", [Build.attribute("code"), Build.attribute("size")])
        base.uniquenessConstraints = [["name"]]
        base.subentities = [other, sub]
        (base.propertiesByName["data"] as? NSAttributeDescription)?
            .allowsExternalBinaryDataStorage = true
        let stack = try Stack(Build.model(base, other, sub))
        stack.context.make("Base", ["name": "a", "number": 1])
        stack.context.make("Other", ["name": "b", "number": 2, "size": 0.5, "a": "kept"])
        try stack.context.save()
        return stack
    }

    /// What is stored: entity, name, number and what the entity has by itself.
    private func stored(_ stack: Stack) throws -> [String] {
        try stack.reading { context in
            try context.all("Base").map { object in
                let name = object.entity.name ?? "-"
                let own =
                    name == "Other"
                    ? "\(object.value(forKey: "size") ?? "-") \(object.text("a"))"
                    : name == "Sub" ? "\(object.text("size")) \(object.text("code"))" : ""
                return "\(name) \(object.text("name")) \(object.number("number")) \(own)"
            }.sorted()
        }
    }

    private let rows: [[String: Any]] = [
        ["name": "a", "number": 10, "code": "x", "size": "s"],
        ["name": "b", "number": 20, "code": "y", "size": "m"],
        ["name": "c", "number": 30, "code": "z", "size": "l"],
    ]

    @Test(
        arguments: [
            (
                NSMergePolicy.mergeByPropertyObjectTrump,
                ["Base a 10 ", "Other b 20 0.5 kept", "Sub c 30 l z"]
            ),
            (.overwrite, ["Base a 10 ", "Other b 20 0.5 kept", "Sub c 30 l z"]),
            (
                .mergeByPropertyStoreTrump,
                ["Base a 1 ", "Other b 2 0.5 kept", "Sub c 30 l z"]
            ),
            (.rollback, ["Base a 1 ", "Other b 2 0.5 kept", "Sub c 30 l z"]),
        ] as [(NSMergePolicy, [String])])
    func a_policy_decides(_ policy: NSMergePolicy, _ wanted: [String]) throws {
        let batch = try stack()
        batch.context.mergePolicy = policy
        try batch.context.execute(NSBatchInsertRequest(entityName: "Sub", objects: rows))
        #expect(try stored(batch) == wanted)
        try batch.reopenChecked()
        #expect(try stored(batch) == wanted)
        let saved = try stack()
        saved.context.mergePolicy = policy
        for row in rows { saved.context.make("Sub", row) }
        try saved.context.save()
        #expect(try stored(saved) == wanted)
    }

    @Test func data_outside_the_record_moves_with_the_row() throws {
        let stack = try stack()
        stack.context.mergePolicy = NSMergePolicy.overwrite
        let data = Data(repeating: 7, count: 1_000_000)
        let request = NSBatchInsertRequest(
            entityName: "Sub", objects: [["name": "b", "data": data]])
        request.resultType = .objectIDs
        let result = try stack.context.execute(request) as? NSBatchInsertResult
        let ids = result?.result as? [NSManagedObjectID]
        #expect(ids?.map(\.entity.name) == ["Other"])
        try stack.reading { context in
            let object = try #require(try context.named("b", "Base"))
            #expect(object.value(forKey: "data") as? Data == data)
        }
        try stack.reopenChecked()
    }

    @Test func without_a_policy_the_error_names_both_entities() throws {
        let stack = try stack()
        let request = NSBatchInsertRequest(entityName: "Sub", objects: [["name": "b"]])
        let error = #expect(throws: CocoaError.self) { try stack.context.execute(request) }
        #expect(error?.code == .managedObjectConstraintMerge)
        #expect(
            error?.message.contains("an object of Sub and one of Other have the same name") == true)
        #expect(try stored(stack) == ["Base a 1 ", "Other b 2 0.5 kept"])
    }
}
