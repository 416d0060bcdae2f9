// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Collisions of a constraint that sibling entities inherit: their relationships may have the same
/// names and be of different kinds.
@Suite(.inBothPlaces) struct SiblingConstraintTests {
    /// Dogs and cats with unique names; what they `chase` and who is their `friend` differs.
    private func animals() throws -> Stack {
        let animal = Build.entity("Animal", [Build.attribute("name"), Build.attribute("place")])
        let dog = Build.entity("Dog", [])
        let cat = Build.entity("Cat", [])
        let box = Build.entity("Box", [Build.attribute("name")])
        animal.uniquenessConstraints = [["name"]]
        animal.subentities = [dog, cat]
        Build.inverse(
            Build.relationship("chase", of: dog, to: cat, max: 0),
            Build.relationship("chase", of: cat, to: dog, max: 0))
        Build.inverse(
            Build.relationship("friend", of: dog, to: dog, max: 1),
            Build.relationship("friends", of: dog, to: dog, max: 0))
        Build.inverse(
            Build.relationship("friend", of: cat, to: box, max: 0),
            Build.relationship("cat", of: box, to: cat, max: 1))
        Build.relationship("owner", of: box, to: cat, max: 1)
        Build.relationship("guests", of: box, to: cat, max: 0)
        return try Stack(Build.model(animal, dog, cat, box))
    }

    @Test(
        arguments: [
            (NSMergePolicy.mergeByPropertyObjectTrump, "roof"), (.overwrite, "roof"),
            (.mergeByPropertyStoreTrump, "yard"), (.rollback, "yard"),
        ])
    func the_stored_sibling_stays_one_of_its_entity(
        _ policy: NSMergePolicy, _ place: String
    ) throws {
        let stack = try animals()
        let context = stack.context
        context.mergePolicy = policy
        let rex = context.make("Dog", ["name": "Rex", "place": "yard"])
        let max = context.make("Dog", ["name": "Max", "friend": rex])
        try context.save()
        let cat = context.make("Cat", ["name": "Rex", "place": "roof", "chase": [max] as Set])
        let box = context.make("Box", ["name": "b", "cat": cat, "owner": cat])
        box.setValue([cat] as Set, forKey: "guests")
        try context.save()
        #expect(try context.count("Cat") == 0 && context.count("Dog") == 2)
        #expect(rex.text("place") == place && rex.names("friends") == ["Max"])
        #expect(max.many("chase").isEmpty)
        #expect(box.one("cat") == nil && box.one("owner") == nil && box.many("guests").isEmpty)
        try stack.reading { context in
            let box = try #require(try context.named("b", "Box"))
            #expect(box.one("owner") == nil && box.many("guests").isEmpty)
            #expect(try context.names("Animal", "place == %@", place) == ["Rex"])
        }
        try stack.reopenChecked()
    }
}
