// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _TestSupport

@testable import ManagedObjects

/// References to objects of other entities than the model says, as only a damaged file has them.
@Suite struct MisledReferenceTests {
    /// A container whose only person has a department, or an object of no entity, as its favourite.
    private func withMisled(
        _ body: (NSPersistentContainer) throws -> Void
    ) throws {
        for isOfSomeEntity in [true, false] {
            try withTemporaryDirectory { path throws in
                let container = NSPersistentContainer(
                    name: "Misled", managedObjectModel: PeopleModel.make())
                let url = URL(fileURLWithPath: path + "/misled.lode")
                container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
                if let error = load(container) { throw error }
                let context = container.viewContext
                let department = context.make("Department", ["name": "d"])
                let person = context.make("Person", ["name": "Ann"])
                try context.save()
                guard case .field(let position)? = person.runtime.references["favourite"] else {
                    Issue.record("a favourite is no field")
                    return
                }
                person.setField(
                    position,
                    .objectID(
                        isOfSomeEntity
                            ? department.key : .init(rawValue: 0x7FFF_0000_0000_0001)))
                try context.save()
                try body(container)
            }
        }
    }

    @Test func they_read_as_none() throws {
        try withMisled { container in
            let context = container.newBackgroundContext()
            try context.performAndWait {
                // Known to the context, its own object would be at hand.
                let departments = try context.all("Department")
                let person = try #require(try context.all("Person").first)
                #expect(person.value(forKey: "favourite") == nil)
                #expect(person.value(forKeyPath: "favourite.name") == nil)
                #expect(departments.count == 1)
                #expect(try context.names("Person", "favourite.name == 'd'").isEmpty)
                person.setValue(context.make("Tag", ["name": "t"]), forKey: "favourite")
                try context.save()
                #expect(try context.names("Person", "favourite.name == 't'") == ["Ann"])
            }
        }
    }
}
