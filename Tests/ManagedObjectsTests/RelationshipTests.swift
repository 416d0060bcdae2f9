// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Both sides change together, in memory and in the file.
@Suite(.inBothPlaces) struct RelationshipTests {
    private func people(_ names: String...) throws -> (Stack, [NSManagedObject]) {
        let stack = try Stack(PeopleModel.make())
        return (stack, names.map { stack.context.make("Person", ["name": $0]) })
    }

    @Test(arguments: [false, true]) func one_to_one_steals(isSaved: Bool) throws {
        let (stack, people) = try people("Ann", "Bob")
        let pass = stack.context.make("Passport", ["name": "P1"])
        let second = stack.context.make("Passport", ["name": "P2"])
        people[0].setValue(pass, forKey: "passport")
        people[1].setValue(second, forKey: "passport")
        #expect(pass.one("holder") === people[0])
        if isSaved { try stack.context.save() }
        people[1].setValue(pass, forKey: "passport")
        #expect(people[0].one("passport") == nil)
        #expect(people[1].one("passport") === pass)
        #expect(pass.one("holder") === people[1])
        #expect(second.one("holder") == nil)
        try stack.context.save()
        try stack.reopen()
        let ann = try #require(try stack.context.named("Ann", "Person"))
        let bob = try #require(try stack.context.named("Bob", "Person"))
        #expect(ann.one("passport") == nil)
        #expect(bob.one("passport")?.text("name") == "P1")
        #expect(try stack.context.named("P1", "Passport")?.one("holder") === bob)
        #expect(try stack.context.named("P2", "Passport")?.one("holder") == nil)
    }

    @Test(arguments: [false, true]) func a_child_moves_between_parents(isSaved: Bool) throws {
        let (stack, people) = try people("Ann", "Bob")
        let one = stack.context.make("Department", ["name": "one"])
        let two = stack.context.make("Department", ["name": "two"])
        one.setValue(Set(people), forKey: "employees")
        #expect(people.map { $0.one("department") === one } == [true, true])
        if isSaved { try stack.context.save() }
        two.setValue([people[0]] as Set, forKey: "employees")
        #expect(one.names("employees") == ["Bob"])
        #expect(two.names("employees") == ["Ann"])
        #expect(people[0].one("department") === two)
        people[1].setValue(two, forKey: "department")
        #expect(one.names("employees").isEmpty)
        #expect(two.names("employees") == ["Ann", "Bob"])
        people[1].setValue(nil, forKey: "department")
        #expect(two.names("employees") == ["Ann"])
        try stack.context.save()
        try stack.reopen()
        #expect(try stack.context.named("one", "Department")?.names("employees") == [])
        #expect(try stack.context.named("two", "Department")?.names("employees") == ["Ann"])
        #expect(try stack.context.named("Bob", "Person")?.one("department") == nil)
        #expect(try stack.context.names("Person", "department.name == 'two'") == ["Ann"])
    }

    @Test func moving_there_and_back_changes_nothing() throws {
        let (stack, people) = try people("Ann")
        let one = stack.context.make("Department", ["name": "one", "employees": Set(people)])
        let two = stack.context.make("Department", ["name": "two"])
        try stack.context.save()
        people[0].setValue(two, forKey: "department")
        people[0].setValue(one, forKey: "department")
        #expect(one.names("employees") == ["Ann"] && two.names("employees").isEmpty)
        try stack.context.save()
        try stack.reopen()
        #expect(try stack.context.named("one", "Department")?.names("employees") == ["Ann"])
        #expect(try stack.context.named("two", "Department")?.names("employees") == [])
    }

    @Test(arguments: [false, true]) func many_to_many(isSaved: Bool) throws {
        let (stack, people) = try people("Ann", "Bob")
        let red = stack.context.make("Tag", ["name": "red"])
        let blue = stack.context.make("Tag", ["name": "blue"])
        people[0].setValue([red, blue] as Set, forKey: "tags")
        red.setValue(Set(people), forKey: "people")
        #expect(people[1].names("tags") == ["red"])
        if isSaved { try stack.context.save() }
        people[0].setValue([blue] as Set, forKey: "tags")
        blue.setValue(Set(people), forKey: "people")
        #expect(red.names("people") == ["Bob"])
        #expect(people[1].names("tags") == ["blue", "red"])
        try stack.context.save()
        try stack.reopen()
        #expect(try stack.context.named("red", "Tag")?.names("people") == ["Bob"])
        #expect(try stack.context.named("blue", "Tag")?.names("people") == ["Ann", "Bob"])
        #expect(try stack.context.named("Ann", "Person")?.names("tags") == ["blue"])
        #expect(try stack.context.named("Bob", "Person")?.names("tags") == ["blue", "red"])
    }

    @Test(arguments: [false, true]) func friends_are_mutual(isSaved: Bool) throws {
        let (stack, people) = try people("Ann", "Bob", "Cid")
        people[0].setValue([people[0], people[1]] as Set, forKey: "friends")
        #expect(people[1].names("friends") == ["Ann"])
        if isSaved { try stack.context.save() }
        people[2].setValue([people[0]] as Set, forKey: "friends")
        people[0].setValue([people[2]] as Set, forKey: "friends")
        #expect(people[0].names("friends") == ["Cid"])
        #expect(people[1].names("friends").isEmpty)
        people[0].setValue([people[0], people[2]] as Set, forKey: "friends")
        #expect(people[0].names("friends") == ["Ann", "Cid"])
        try stack.context.save()
        try stack.reopen()
        #expect(try stack.context.named("Ann", "Person")?.names("friends") == ["Ann", "Cid"])
        #expect(try stack.context.named("Bob", "Person")?.names("friends") == [])
        #expect(try stack.context.named("Cid", "Person")?.names("friends") == ["Ann"])
    }

    @Test func spouses_are_mutual_and_exclusive() throws {
        let (stack, people) = try people("Ann", "Bob", "Cid", "Dan")
        people[0].setValue(people[1], forKey: "spouse")
        people[2].setValue(people[3], forKey: "spouse")
        try stack.context.save()
        people[0].setValue(people[2], forKey: "spouse")
        #expect(people.map { $0.one("spouse")?.text("name") } == ["Cid", nil, "Ann", nil])
        people[1].setValue(people[1], forKey: "spouse")
        #expect(people[1].one("spouse") === people[1])
        people[1].setValue(people[3], forKey: "spouse")
        #expect(people.map { $0.one("spouse")?.text("name") } == ["Cid", "Dan", "Ann", "Bob"])
        try stack.context.save()
        try stack.reopen()
        let names = ["Ann", "Bob", "Cid", "Dan"]
        let spouses = try names.map {
            try stack.context.named($0, "Person")?.one("spouse")?.text("name")
        }
        #expect(spouses == ["Cid", "Dan", "Ann", "Bob"])
    }

    @Test func a_tree_of_one_entity() throws {
        let (stack, people) = try people("root", "left", "right", "leaf")
        people[0].setValue([people[1], people[2]] as Set, forKey: "children")
        people[3].setValue(people[1], forKey: "parent")
        try stack.context.save()
        people[3].setValue(people[2], forKey: "parent")
        people[0].setValue(people[0], forKey: "parent")
        try stack.context.save()
        try stack.reopen()
        let root = try #require(try stack.context.named("root", "Person"))
        #expect(root.names("children") == ["left", "right", "root"])
        #expect(root.one("parent") === root)
        #expect(try stack.context.named("right", "Person")?.names("children") == ["leaf"])
        #expect(try stack.context.named("left", "Person")?.names("children") == [])
        #expect(try stack.context.names("Person", "parent.parent == %@", root).count == 4)
    }

    @Test func without_an_inverse() throws {
        let (stack, people) = try people("Ann")
        let red = stack.context.make("Tag", ["name": "red"])
        let blue = stack.context.make("Tag", ["name": "blue"])
        people[0].setValue(red, forKey: "favourite")
        people[0].setValue([red, blue] as Set, forKey: "watched")
        try stack.context.save()
        #expect(people[0].names("watched") == ["blue", "red"])
        stack.context.delete(blue)
        people[0].setValue([red] as Set, forKey: "watched")
        try stack.context.save()
        try stack.reopen()
        let ann = try #require(try stack.context.named("Ann", "Person"))
        #expect(ann.one("favourite")?.text("name") == "red")
        #expect(ann.names("watched") == ["red"])
        stack.context.delete(ann)
        try stack.context.save()
        #expect(try stack.context.count("Tag") == 1)
    }

    @Test func a_set_takes_nssets_arrays_and_nil() throws {
        let (stack, people) = try people("Ann", "Bob")
        let department = stack.context.make("Department")
        department.setValue(NSSet(array: people), forKey: "employees")
        #expect(department.names("employees") == ["Ann", "Bob"])
        department.setValue([people[0]], forKey: "employees")
        #expect(department.names("employees") == ["Ann"])
        department.setValue(nil, forKey: "employees")
        #expect(department.names("employees").isEmpty)
        #expect(people[0].one("department") == nil)
    }

    @Test func rollback_restores_both_sides() throws {
        let (stack, people) = try people("Ann", "Bob")
        let department = stack.context.make("Department", ["employees": [people[0]] as Set])
        let tag = stack.context.make("Tag", ["name": "red", "people": Set(people)])
        try stack.context.save()
        department.setValue([people[1]] as Set, forKey: "employees")
        people[0].setValue(Set<NSManagedObject>(), forKey: "tags")
        let extra = stack.context.make("Tag", ["name": "new", "people": Set(people)])
        #expect(extra.names("people") == ["Ann", "Bob"])
        stack.context.rollback()
        #expect(department.names("employees") == ["Ann"])
        #expect(people[1].one("department") == nil)
        #expect(tag.names("people") == ["Ann", "Bob"])
        #expect(people[0].names("tags") == ["red"])
    }

    @Test func the_other_side_counts_as_updated() throws {
        let (stack, people) = try people("Ann")
        let department = stack.context.make("Department")
        try stack.context.save()
        people[0].setValue(department, forKey: "department")
        #expect(department.isUpdated)
        #expect(department.changedValues().keys.sorted() == ["employees"])
        #expect(stack.context.updatedObjects == [department, people[0]])
    }

    @Test func many_members() throws {
        let (stack, _) = try people()
        let department = stack.context.make("Department", ["name": "big"])
        for number in 0..<1_000 {
            stack.context.make("Person", ["name": "\(number)", "department": department])
        }
        try stack.context.save()
        try stack.reopen()
        let read = try #require(try stack.context.named("big", "Department"))
        #expect(read.many("employees").count == 1_000)
        read.setValue(Set<NSManagedObject>(), forKey: "employees")
        try stack.context.save()
        #expect(try stack.context.names("Person", "department == nil").count == 1_000)
    }

    @Test func thousands_of_members_one_by_one() throws {
        let (stack, _) = try people()
        let department = stack.context.make("Department", ["name": "big"])
        let many = (0..<10_000).map { stack.context.make("Person", ["name": "\($0)"]) }
        try stack.context.save()
        department.setValue(Set(many.prefix(6_000)), forKey: "employees")
        department.setValue(Set(many.dropFirst(4_000)), forKey: "employees")
        #expect(department.many("employees").count == 6_000)
        #expect(many[3_999].one("department") == nil)
        try stack.context.save()
        department.setValue(Set(many), forKey: "employees")
        try stack.context.save()
        try stack.reopen()
        #expect(try stack.context.names("Person", "department.name == 'big'").count == 10_000)
    }
}
