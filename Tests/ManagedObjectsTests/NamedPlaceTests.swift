// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Numbers that Core Data takes, descriptions, and traps that name entity and key.
@Suite struct NamedPlaceTests {
    @Test func numbers_with_a_fraction_lose_it_in_integer_attributes() throws {
        let stack = try Stack(ItemModel.make())
        let item = stack.context.make("Item")
        item.setValue(NSNumber(value: 2.9), forKey: "number")
        #expect(item.number("number") == 2)
        item.setValue(-2.9, forKey: "number")
        #expect(item.number("number") == -2)
        item.setValue(Decimal(string: "7.5"), forKey: "number")
        #expect(item.number("number") == 7)
    }

    @Test func a_description_has_the_values_as_people_write_them() throws {
        let stack = try Stack(PeopleModel.make())
        let person = stack.context.make("Person", ["name": "ann"])
        person.setValue(stack.context.make("Department", ["name": "d"]), forKey: "department")
        let text = person.description
        #expect(text.contains("    age = 18;"))
        #expect(text.contains("    name = \"ann\";"))
        #expect(text.contains("    department = x-coredata:///Department/t"))
        #expect(text.contains("    passport = nil;"))
        #expect(text.contains("    friends = 0 objects;"))
        try stack.context.save()
        stack.context.refresh(person, mergeChanges: false)
        #expect(person.description.contains("data: <fault>") && person.isFault)
        _ = person.text("name")
        #expect(person.description.contains("    friends = <relationship fault>;"))
    }

    @Test func a_member_that_is_no_object_is_named() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let stack = try Stack(PeopleModel.make())
            stack.context.make("Person").mutableSetValue(forKey: "tags").add("x")
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("Person.tags takes managed objects, not x"))
    }

    @Test func a_sum_of_texts_is_named() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let stack = try Stack(PeopleModel.make())
            let person = stack.context.make("Person")
            person.setValue(Set([stack.context.make("Tag", ["name": "x"])]), forKey: "tags")
            _ = person.value(forKeyPath: "tags.@sum.name")
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("@sum.name cannot be computed of"))
    }

    @Test func an_object_without_a_context_is_named() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let stack = try Stack(PeopleModel.make())
            let person = stack.context.make("Person", ["name": "gone"])
            let department = stack.context.make("Department", ["name": "d"])
            try stack.context.save()
            stack.context.delete(person)
            try stack.context.save()
            person.setValue(department, forKey: "department")
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("Person.department cannot be changed"))
        #expect(text.contains("is in no context any more"))
    }

    @Test func a_place_that_a_live_set_lacks_is_named() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let stack = try Stack(MusicModel.make())
            let album = try stack.album("x", "ab")
            _ = album.mutableOrderedSetValue(forKey: "tracks").object(at: 9)
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("Album.tracks has no place 9: it has 2 members"))
    }
}
