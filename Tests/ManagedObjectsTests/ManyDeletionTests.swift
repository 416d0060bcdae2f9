// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Saves that delete many objects of several entities, in any order.
@Suite(.inBothPlaces) struct ManyDeletionTests {
    /// 300 people, each in one of 10 departments, with one of 20 tags and a passport.
    private func fill(_ stack: Stack) throws -> [NSManagedObject] {
        let departments = (0..<10).map { stack.context.make("Department", ["name": "d\($0)"]) }
        let tags = (0..<20).map { stack.context.make("Tag", ["name": "t\($0)"]) }
        let people = (0..<300).map { number in
            let passport = stack.context.make("Passport", ["name": "p\(number)"])
            return stack.context.make(
                "Person",
                [
                    "name": "\(number)", "age": Int32(number), "passport": passport,
                    "department": departments[number % 10], "tags": Set([tags[number % 20]]),
                ])
        }
        try stack.context.save()
        return people
    }

    /// What is left of people whose numbers leave a rest of 2 when divided by 3.
    private func expectThirds(_ stack: Stack) throws {
        #expect(try stack.context.count("Person") == 100)
        #expect(try stack.context.count("Passport") == 100)
        #expect(
            try stack.context.names("Person", "age < 12").sorted() == ["11", "2", "5", "8"])
        #expect(try stack.context.names("Person", "age == 3").isEmpty)
        let department = try #require(try stack.context.named("d4", "Department"))
        #expect(
            department.names("employees")
                == [
                    "104", "134", "14", "164", "194", "224", "254", "284", "44", "74",
                ])
        let tag = try #require(try stack.context.named("t19", "Tag"))
        #expect(tag.names("people") == ["179", "239", "299", "59", "119"].sorted())
        let person = try #require(try stack.context.named("44", "Person"))
        #expect(person.one("passport")?.text("name") == "p44")
        #expect(person.names("tags") == ["t4"])
    }

    @Test func objects_of_two_entities_go_in_any_order() throws {
        let stack = try Stack(PeopleModel.make(isIndexed: true))
        var generator = SplitMix64(state: 7)
        var gone = try fill(stack).filter { $0.number("age") % 3 != 2 }
        gone += gone.compactMap { $0.one("passport") }
        gone.shuffle(using: &generator)
        for object in gone { stack.context.delete(object) }
        try stack.context.save()
        #expect(gone.allSatisfy { $0.managedObjectContext == nil && !$0.hasChanges })
        #expect(Set(gone.map(\.objectID)).count == 400)
        try expectThirds(stack)
        try stack.reopenChecked()
        try expectThirds(stack)
    }

    @Test func faults_go_in_any_order() throws {
        let stack = try Stack(PeopleModel.make(isIndexed: true))
        _ = try fill(stack)
        try stack.reopen()
        var generator = SplitMix64(state: 8)
        let passports = Dictionary(
            uniqueKeysWithValues: try stack.context.all("Passport").map { ($0.text("name"), $0) })
        stack.context.refreshAllObjects()
        let people = try stack.context.all("Person").shuffled(using: &generator)
        for person in people where person.number("age") % 3 != 2 {
            stack.context.delete(try #require(passports["p\(person.text("name"))"]))
            stack.context.delete(person)
        }
        try stack.context.save()
        try expectThirds(stack)
        try stack.reopenChecked()
        try expectThirds(stack)
    }

    @Test func an_object_whose_deletion_was_taken_back_and_made_again_goes_once() throws {
        let stack = try Stack(PeopleModel.make(isIndexed: true))
        let people = try fill(stack)
        for person in people.reversed() {
            if let passport = person.one("passport") { stack.context.delete(passport) }
            stack.context.delete(person)
        }
        for person in people where person.number("age") % 2 == 0 { stack.context.insert(person) }
        for person in people where person.number("age") % 4 == 0 { stack.context.delete(person) }
        try stack.context.save()
        try stack.reopenChecked()
        #expect(try stack.context.count("Person") == 75)
        #expect(try stack.context.names("Person", "age < 12").sorted() == ["10", "2", "6"])
        #expect(try stack.context.names("Person", "passport != nil").isEmpty)
    }

    @Test func conflicts_come_in_the_order_of_the_file() throws {
        let stack = try Stack(PeopleModel.make())
        let people = try fill(stack)
        let other = stack.container.newBackgroundContext()
        let theirs = [200, 7, 120]
        for number in theirs {
            let same = try other.existingObject(with: people[number].objectID)
            same.setValue("theirs", forKey: "name")
        }
        try other.save()
        for person in people.reversed() { stack.context.delete(person) }
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey]
        let ages = (conflicts as? [NSMergeConflict])?.map { $0.sourceObject.number("age") }
        #expect(ages == [7, 120, 200])
        #expect(try other.count("Person") == 300)
        stack.context.mergePolicy = NSMergePolicy.overwrite
        try stack.context.save()
        #expect(try stack.context.count("Person") == 0)
    }
}
