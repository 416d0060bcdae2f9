// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Each target of `CAST` on each type of attribute: stores, unsaved objects and evaluation agree.
@Suite struct CastTableTests {
    private static let targets = [
        "NSString", "NSNumber", "NSDecimalNumber", "NSDate", "NSUUID", "NSURL", "NSData", "double",
        "float", "boolean",
    ]

    private static var attributes: [(String, NSAttributeType, Any)] {
        [
            ("small", .integer16AttributeType, 3), ("medium", .integer32AttributeType, 3),
            ("large", .integer64AttributeType, 3), ("exact", .decimalAttributeType, Decimal(3)),
            ("double", .doubleAttributeType, 3.0), ("float", .floatAttributeType, Float(3)),
            ("flag", .booleanAttributeType, true), ("text", .stringAttributeType, "3"),
            ("dayText", .stringAttributeType, "2001-01-01T00:00:03Z"),
            ("uuidText", .stringAttributeType, "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"),
            ("day", .dateAttributeType, Date(timeIntervalSinceReferenceDate: 3)),
            ("data", .binaryDataAttributeType, Data([51])),
            ("uuid", .UUIDAttributeType, UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")!),
            ("uri", .URIAttributeType, URL(string: "a:3")!),
        ]
    }

    private static var constants: [Any] {
        [
            3, 3.0, true, Decimal(3), "3", "2001-01-01T00:00:03Z", "a:3",
            "6BA7B810-9DAD-11D1-80B4-00C04FD430C8", Date(timeIntervalSinceReferenceDate: 3),
            Data([51]), UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8")!,
            URL(string: "a:3")!,
        ]
    }

    private func filled(_ type: NSPersistentStore.StoreType) throws -> NSManagedObjectContext {
        let entity = Build.entity(
            "Thing", Self.attributes.map { Build.attribute($0.0, $0.1) } + [Build.attribute("name")]
        )
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Build.model(entity))
        let place = FileManager.default.temporaryDirectory
            .appendingPathComponent("CastTableTests-\(UUID().uuidString)")
        _ = try coordinator.addPersistentStore(type: type, at: place)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        let full = context.make("Thing", ["name": "full"])
        for (name, _, value) in Self.attributes { full.setValue(value, forKey: name) }
        context.make("Thing", ["name": "none"])
        return context
    }

    /// The names of the matches, or the code of the refusal.
    private func outcome(
        _ context: NSManagedObjectContext, _ predicate: NSPredicate
    ) -> String {
        do {
            return try context.all("Thing", predicate).map { $0.text("name") }.sorted()
                .joined(separator: " ")
        } catch {
            return (error as? CocoaError).map { "\($0.errorCode)" } ?? "\(error)"
        }
    }

    @Test(arguments: targets) func all_agree(target: String) throws {
        let file = try filled(.sqlite)
        let memory = try filled(.inMemory)
        var predicates: [NSPredicate] = []
        for (name, _, _) in Self.attributes {
            for constant in Self.constants {
                for relation in ["==", "!=", "<", ">="] {
                    predicates.append(
                        NSPredicate(format: "CAST(\(name), '\(target)') \(relation) %@", constant))
                }
                predicates.append(
                    NSPredicate(format: "CAST(\(name), '\(target)') IN %@", [constant]))
            }
            for (other, _, _) in Self.attributes {
                for relation in ["==", "<="] {
                    predicates.append(
                        NSPredicate(format: "CAST(\(name), '\(target)') \(relation) \(other)"))
                }
            }
        }
        let unsaved = predicates.map { outcome(file, $0) }
        let unsavedInMemory = predicates.map { outcome(memory, $0) }
        try file.save()
        try memory.save()
        let saved = predicates.map { outcome(file, $0) }
        let savedInMemory = predicates.map { outcome(memory, $0) }
        for (index, predicate) in predicates.enumerated() {
            let outcomes = [
                unsaved[index], unsavedInMemory[index], saved[index], savedInMemory[index],
            ]
            #expect(Set(outcomes).count == 1, "\(predicate): \(outcomes)")
            guard Int(saved[index]) == nil else { continue }
            let held = try file.all("Thing").filter { predicate.evaluate(with: $0) }
                .map { $0.text("name") }.sorted().joined(separator: " ")
            #expect(held == saved[index], "\(predicate) in memory")
        }
    }
}
