// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// An object that another context deleted is written anew with all that it was connected with,
/// whatever the context has read of the other ends.
@Suite struct RecreatedRelationshipTests {
    /// How much the context knows of the other ends.
    enum Reading: CaseIterable {
        case none, realised, changed
    }

    private let stack: Stack
    /// Objects by their names, which the context keeps.
    private var known: [String: NSManagedObject] = [:]

    init() throws {
        stack = try Stack(PeopleModel.make())
        let context = stack.context
        for name in ["ann", "bob", "cid", "dan", "eve"] {
            known[name] = context.make("Person", ["name": name])
        }
        known["A"] = context.make("Department", ["name": "A"])
        known["p"] = context.make("Passport", ["name": "p"])
        for name in ["x", "y"] { known[name] = context.make("Tag", ["name": name]) }
        let ann = known["ann"]
        ann?.setValue(known["A"], forKey: "department")
        ann?.setValue(known["p"], forKey: "passport")
        ann?.setValue(known["bob"], forKey: "parent")
        ann?.setValue(known["bob"], forKey: "spouse")
        ann?.setValue(known["x"], forKey: "favourite")
        set(["cid", "dan"], "children")
        set(["bob", "eve"], "friends")
        set(["x", "y"], "tags")
        set(["y"], "watched")
        try context.save()
        context.refreshAllObjects()
    }

    private func set(_ names: [String], _ key: String) {
        known["ann"]?.setValue(Set(names.compactMap { known[$0] }), forKey: key)
    }

    /// All that the person has, and what leads back.
    private func connections(_ context: NSManagedObjectContext) throws -> [String] {
        let ann = try #require(try context.named("ann", "Person"))
        var texts = ["department", "passport", "parent", "spouse", "favourite"].map {
            "\($0) \(ann.one($0)?.text("name") ?? "-")"
        }
        texts += ["children", "friends", "tags", "watched"].map {
            "\($0) \(ann.names($0).joined(separator: " "))"
        }
        func back(_ name: String, _ entity: String, _ key: String) throws {
            let object = try #require(try context.named(name, entity))
            let isThere = object.one(key) === ann || object.names(key).contains("ann")
            if !isThere { texts.append("\(name).\(key) lacks ann") }
        }
        try back("A", "Department", "employees")
        try back("p", "Passport", "holder")
        try back("bob", "Person", "children")
        try back("bob", "Person", "spouse")
        for name in ["cid", "dan"] { try back(name, "Person", "parent") }
        for name in ["bob", "eve"] { try back(name, "Person", "friends") }
        for name in ["x", "y"] { try back(name, "Tag", "people") }
        return texts
    }

    private static let expected = [
        "department A", "passport p", "parent bob", "spouse bob", "favourite x",
        "children cid dan", "friends bob eve", "tags x y", "watched y",
    ]

    private func delete(_ names: [String]) throws {
        let other = stack.container.newBackgroundContext()
        for name in names { other.delete(try #require(try other.named(name, "Person"))) }
        try other.save()
    }

    /// Reads the other ends as far as a test wants.
    private func read(_ reading: Reading) {
        for key in ["children", "friends", "tags", "watched"] { _ = known["ann"]?.names(key) }
        stack.context.processPendingChanges()
        for (name, object) in known where name != "ann" {
            stack.context.refresh(object, mergeChanges: false)
            if reading == .none { continue }
            _ = object.text("name")
            for (key, relationship) in object.entity.relationshipsByName {
                _ = relationship.isToMany ? object.many(key).count : object.one(key).map { _ in 1 }
            }
            if reading == .changed, name.count > 1 { object.setValue(7, forKey: "age") }
        }
    }

    @Test(
        arguments: [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite], Reading.allCases)
    func everything_comes_back(_ policy: NSMergePolicy, _ reading: Reading) throws {
        stack.context.mergePolicy = policy
        read(reading)
        known["ann"]?.setValue(40, forKey: "age")
        try delete(["ann"])
        try stack.context.save()
        #expect(try connections(stack.context) == Self.expected)
        #expect(try stack.reading { try connections($0) } == Self.expected)
        #expect(try stack.reading { try $0.named("ann", "Person")?.number("age") } == 40)
        try stack.reopenChecked()
    }

    @Test(
        arguments: [NSMergePolicy.mergeByPropertyObjectTrump, .overwrite], Reading.allCases)
    func two_of_them_find_each_other(_ policy: NSMergePolicy, _ reading: Reading) throws {
        stack.context.mergePolicy = policy
        read(reading)
        for name in ["ann", "bob", "cid", "eve"] { known[name]?.setValue(40, forKey: "age") }
        try delete(["ann", "bob", "cid", "eve"])
        try stack.context.save()
        #expect(try connections(stack.context) == Self.expected)
        #expect(try stack.reading { try connections($0) } == Self.expected)
        try stack.reopenChecked()
    }
}
