// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Two stores give the same rows to different objects: IDs of one mean nothing in the other.
@Suite struct ForeignObjectTests {
    private func people(_ name: String) throws -> (Stack, NSManagedObject, NSManagedObject) {
        let stack = try Stack(PeopleModel.make())
        let department = stack.context.make("Department", ["name": "of \(name)"])
        let person = stack.context.make("Person", ["name": name, "department": department])
        try stack.context.save()
        return (stack, person, department)
    }

    private func names(_ stack: Stack, _ format: String, _ argument: Any) throws -> [String] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSPredicate(format: format, argument)
        return try stack.context.fetch(request).map { $0.text("name") }
    }

    @Test func predicates_match_objects_of_their_own_store_only() throws {
        let (here, ann, sales) = try people("Ann")
        let (there, bob, stock) = try people("Bob")
        _ = there
        #expect(try names(here, "SELF == %@", ann.objectID) == ["Ann"])
        #expect(try names(here, "SELF == %@", bob.objectID) == [])
        #expect(try names(here, "SELF != %@", bob) == ["Ann"])
        #expect(try names(here, "SELF IN %@", [bob.objectID, ann.objectID]) == ["Ann"])
        #expect(try names(here, "SELF IN %@", [bob]) == [])
        #expect(try names(here, "SELF IN %@", Set([bob])) == [])
        #expect(try names(here, "department == %@", stock) == [])
        #expect(try names(here, "department == %@", sales) == ["Ann"])
    }

    @Test func evaluation_knows_the_store_of_its_object() throws {
        let (here, ann, _) = try people("Ann")
        let (there, bob, _) = try people("Bob")
        let isBob = NSPredicate(format: "SELF == %@", bob.objectID)
        #expect(isBob.evaluate(with: bob))
        #expect(!isBob.evaluate(with: ann))
        withExtendedLifetime((here, there)) {}
    }

    @Test func attributes_refuse_ids_of_another_store() async {
        await #expect(processExitsWith: .failure) {
            let stacks = try (0..<2).map { _ in
                let link = Build.attribute("link", .objectIDAttributeType)
                let entity = Build.entity("Note", [link])
                let model = NSManagedObjectModel()
                model.entities = [entity]
                return try Stack(model)
            }
            let other = stacks[1].context.make("Note")
            try stacks[1].context.save()
            stacks[0].context.make("Note", ["link": other.objectID])
            exit(0)
        }
    }
}
