// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Collisions of uniqueness constraints: what is reported, and what each policy makes of them.
@Suite(.inBothPlaces) struct ConstraintConflictTests {
    typealias Policy = MergePolicyTests.Policy

    /// Authors of unique names, with their books; editors are authors, too.
    private func library() throws -> Stack {
        let author = Build.entity(
            "Author",
            [
                Build.attribute("name"), Build.attribute("town"),
                Build.attribute("age", .integer32AttributeType, default: 0),
            ])
        let book = Build.entity("Book", [Build.attribute("name")])
        Build.inverse(
            Build.relationship("books", of: author, to: book, max: 0),
            Build.relationship("author", of: book, to: author, max: 1))
        let editor = Build.entity("Editor", [Build.attribute("house")])
        author.subentities = [editor]
        author.uniquenessConstraints = [[author.attributesByName["name"] as Any]]
        return try Stack(Build.model(author, book, editor))
    }

    private func lines(_ stack: Stack) throws -> [String] {
        try stack.reading { context in
            try context.all("Author").map { author in
                let books = author.names("books").joined(separator: "+")
                let head = "\(author.text("name")) \(author.text("town"))"
                return "\(head) \(author.number("age")) \(books)"
            }.sorted()
        }
    }

    private func conflicts(_ context: NSManagedObjectContext) -> [NSConstraintConflict] {
        do {
            try context.save()
            return []
        } catch {
            let error = error as? CocoaError
            #expect(error?.errorCode == 133021)
            return error?.userInfo["conflictList"] as? [NSConstraintConflict] ?? []
        }
    }

    @Test func constraints_are_given_as_names() throws {
        let stack = try library()
        let author = try #require(stack.model.entities.first { $0.name == "Author" })
        #expect(author.uniquenessConstraints as? [[String]] == [["name"]])
    }

    @Test func members_of_a_collision_with_a_stored_object() throws {
        let stack = try library()
        let stored = stack.context.make("Author", ["name": "Le Guin", "town": "Portland"])
        try stack.context.save()
        let new = stack.context.make("Author", ["name": "Le Guin", "age": 88])
        let conflict = try #require(conflicts(stack.context).first)
        #expect(conflict.constraint == ["name"])
        #expect(conflict.constraintValues as? [String: String] == ["name": "Le Guin"])
        #expect(conflict.databaseObject === stored)
        #expect(conflict.databaseSnapshot?["town"] as? String == "Portland")
        #expect(conflict.conflictingObjects == [new])
        #expect(conflict.conflictingSnapshots.count == 1)
        #expect(conflict.conflictingSnapshots[0]["age"] as? Int == 88)
        #expect(conflict.description.hasPrefix("NSConstraintConflict (name = Le Guin): Author "))
        #expect(new.isInserted && new.objectID.isTemporaryID)
    }

    /// The context has not read the stored object, so the new instance takes its place.
    @Test func an_instance_that_was_replaced_keeps_its_store() throws {
        let stack = try library()
        let stored = stack.context.make("Author", ["name": "Le Guin", "town": "Portland"])
        try stack.context.save()
        let context = stack.container.newBackgroundContext()
        final class Seen { var found: NSManagedObject? }
        let seen = Seen()
        let policy = WatchingPolicy { seen.found = $0 }
        context.mergePolicy = policy
        let new = context.performAndWait { context.make("Author", ["name": "Le Guin"]) }
        try context.performAndWait { try context.save() }
        let old = try #require(seen.found)
        #expect(old !== new && old.managedObjectContext == nil)
        context.performAndWait {
            #expect(new.objectID == stored.objectID && new.text("town") == "Portland")
        }
        #expect(old.objectID == stored.objectID)
        #expect(old.objectID.persistentStore === stored.objectID.persistentStore)
        #expect(old.objectID.uriRepresentation() == stored.objectID.uriRepresentation())
    }

    /// Lets the stored object survive, and tells who it was.
    // SAFETY: one thread alone uses it.
    private final class WatchingPolicy: NSMergePolicy, @unchecked Sendable {
        private let tell: (NSManagedObject?) -> Void

        init(_ tell: @escaping (NSManagedObject?) -> Void) {
            self.tell = tell
            super.init(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        }

        override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
            tell(list.first?.databaseObject)
            try super.resolve(constraintConflicts: list)
        }
    }

    @Test func all_collisions_of_a_save_are_listed() throws {
        let stack = try library()
        let stored = stack.context.make("Author", ["name": "a"])
        try stack.context.save()
        let a = stack.context.make("Author", ["name": "a"])
        let twins = (0..<3).map { _ in stack.context.make("Author", ["name": "b"]) }
        let list = conflicts(stack.context)
        #expect(list.count == 2)
        let first = try #require(list.first { $0.constraintValues["name"] as? String == "a" })
        #expect(first.databaseObject === stored && first.conflictingObjects == [a])
        let second = try #require(list.first { $0.constraintValues["name"] as? String == "b" })
        #expect(second.databaseObject == nil && second.databaseSnapshot == nil)
        #expect(second.conflictingObjects == twins)
        #expect(stack.context.insertedObjects.count == 4)
    }

    @Test func subentities_share_a_constraint() throws {
        let stack = try library()
        stack.context.make("Author", ["name": "a"])
        stack.context.make("Editor", ["name": "a"])
        let list = conflicts(stack.context)
        #expect(list.map { $0.conflictingObjects.count } == [2])
    }

    @Test(arguments: [
        (Policy.storeTrump, ["Le Guin Portland 0 Dispossessed+Lathe"]),
        (.rollback, ["Le Guin Portland 0 Dispossessed+Lathe"]),
        (.objectTrump, ["Le Guin Portland 88 Dispossessed+Lathe"]),
        (.overwrite, ["Le Guin - 88 Dispossessed+Lathe"]),
    ])
    func a_new_duplicate_of_a_stored_object(_ policy: Policy, _ expected: [String]) throws {
        let stack = try library()
        let stored = stack.context.make("Author", ["name": "Le Guin", "town": "Portland"])
        stack.context.make("Book", ["name": "Lathe", "author": stored])
        try stack.context.save()
        let id = stored.objectID
        let other = stack.container.newBackgroundContext()
        other.mergePolicy = policy.policy
        let new = other.make("Author", ["name": "Le Guin", "age": 88])
        let temporary = new.objectID
        let book = other.make("Book", ["name": "Dispossessed", "author": new])
        try other.save()
        #expect(try lines(stack) == expected)
        #expect(try stack.container.newBackgroundContext().count("Author") == 1)
        // That context did not know the stored object, so the new instance becomes it.
        #expect(new.objectID == id && new.managedObjectContext === other && !new.hasChanges)
        #expect(other.object(with: temporary) === new)
        #expect(book.one("author") === new)
        new.setValue("Napa", forKey: "town")
        try other.save()
        #expect(try lines(stack)[0].hasPrefix("Le Guin Napa"))
    }

    @Test(arguments: Policy.allCases)
    func a_known_stored_object_stays_the_instance(_ policy: Policy) throws {
        let stack = try library()
        let stored = stack.context.make("Author", ["name": "a", "age": 1])
        try stack.context.save()
        stack.context.mergePolicy = policy.policy
        let new = stack.context.make("Author", ["name": "a", "age": 2])
        let book = stack.context.make("Book", ["name": "b", "author": new])
        try stack.context.save()
        let wins = policy == .objectTrump || policy == .overwrite
        #expect(try lines(stack) == [wins ? "a - 2 b" : "a - 1 b"])
        #expect(stored.number("age") == (wins ? 2 : 1))
        #expect(stored.managedObjectContext === stack.context)
        #expect(new.managedObjectContext == nil && !new.isInserted)
        #expect(book.one("author") === stored && stored.many("books") == [book])
        #expect(!stack.context.hasChanges)
    }

    @Test(arguments: [
        (Policy.storeTrump, "a x 1 p+q"), (.rollback, "a x 1 p+q"), (.objectTrump, "a y 2 p+q"),
        (.overwrite, "a y 2 p+q"),
    ])
    func two_new_duplicates(_ policy: Policy, _ expected: String) throws {
        let stack = try library()
        stack.context.mergePolicy = policy.policy
        let first = stack.context.make("Author", ["name": "a", "town": "x", "age": 1])
        let second = stack.context.make("Author", ["name": "a", "town": "y", "age": 2])
        stack.context.make("Book", ["name": "p", "author": first])
        stack.context.make("Book", ["name": "q", "author": second])
        try stack.context.save()
        #expect(try lines(stack) == [expected])
        #expect(!first.objectID.isTemporaryID && second.managedObjectContext == nil)
        #expect(first.names("books") == ["p", "q"])
    }

    @Test(arguments: [
        (Policy.storeTrump, ["a x 1 p", "b z 3 q"]), (.rollback, ["a x 1 p", "b y 2 q"]),
        (.objectTrump, ["a z 3 p+q"]), (.overwrite, ["a z 3 p+q"]),
    ])
    func a_change_to_the_values_of_another_object(
        _ policy: Policy, _ expected: [String]
    ) throws {
        let stack = try library()
        let first = stack.context.make("Author", ["name": "a", "town": "x", "age": 1])
        let second = stack.context.make("Author", ["name": "b", "town": "y", "age": 2])
        stack.context.make("Book", ["name": "p", "author": first])
        stack.context.make("Book", ["name": "q", "author": second])
        try stack.context.save()
        stack.context.mergePolicy = policy.policy
        for (key, value) in ["name": "a", "town": "z"] { second.setValue(value, forKey: key) }
        second.setValue(3, forKey: "age")
        try stack.context.save()
        #expect(try lines(stack) == expected)
        #expect(!stack.context.hasChanges)
    }

    @Test func many_upserts_at_once() throws {
        let stack = try library()
        for number in 0..<500 {
            stack.context.make("Author", ["name": "a\(number)", "town": "old", "age": 1])
        }
        try stack.context.save()
        let other = stack.container.newBackgroundContext()
        other.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
        for number in 250..<750 { other.make("Author", ["name": "a\(number)", "age": 2]) }
        try other.save()
        try stack.reading { context in
            let authors = try context.all("Author")
            #expect(authors.count == 750)
            #expect(authors.count { $0.number("age") == 2 } == 500)
            #expect(authors.count { $0.number("age") == 2 && $0.text("town") == "old" } == 250)
        }
    }

    @Test func versions_are_resolved_before_constraints() throws {
        let stack = try library()
        let a = stack.context.make("Author", ["name": "a", "town": "x"])
        stack.context.make("Author", ["name": "b"])
        try stack.context.save()
        let other = stack.container.newBackgroundContext()
        try other.existingObject(with: a.objectID).setValue("y", forKey: "town")
        try other.save()
        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        a.setValue("b", forKey: "name")
        a.setValue(7, forKey: "age")
        try stack.context.save()
        #expect(try lines(stack) == ["a y 7 ", "b - 0 "])
    }

    @Test func a_file_refuses_a_model_with_another_constraint() throws {
        let stack = try Stack(ItemModel.make())
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: ItemModel.make(isUnique: true))
        let options = [LodeDurabilityOption: "none"]
        #expect(
            code {
                try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: stack.url,
                    options: options)
            } == 134100)
    }
}
