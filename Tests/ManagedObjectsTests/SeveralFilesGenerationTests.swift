// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Contexts that stay at one state of two files.
@Suite struct SeveralFilesGenerationTests {
    @Test func pinning_takes_the_newest_state_of_each_file() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        let note = context.make("Note", ["text": "first"])
        context.assign(note, to: try folder.store("b.lode"))
        try context.save()
        let reader = folder.makeContext()
        #expect(try reader.values("text", of: "Note") == ["first"])
        note.setValue("second", forKey: "text")
        try context.save()
        try reader.setQueryGenerationFrom(.current)
        let late = folder.makeContext()
        try late.setQueryGenerationFrom(reader.queryGenerationToken)
        note.setValue("third", forKey: "text")
        try context.save()
        for pinned in [reader, late] {
            #expect(try pinned.all("Note", NSPredicate(format: "text == 'second'")).count == 1)
            #expect(try pinned.all("Note", NSPredicate(format: "text == 'third'")).isEmpty)
        }
    }

    @Test func the_token_of_a_save_into_a_further_file_pins_other_contexts() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        context.make("Note", ["text": "main"])
        try context.save()
        try context.setQueryGenerationFrom(.current)
        context.assign(
            context.make("Note", ["text": "further"]), to: try folder.store("b.lode"))
        try context.save()
        let token = try #require(context.queryGenerationToken)
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: token, requiringSecureCoding: true)
        let copy = try #require(
            try NSKeyedUnarchiver.unarchivedObject(ofClass: NSQueryGenerationToken.self, from: data)
        )
        #expect(copy == token)
        let other = folder.makeContext()
        try other.setQueryGenerationFrom(copy)
        #expect(other.queryGenerationToken == token)
        #expect(try other.values("text", of: "Note") == ["further", "main"])
    }

    @Test func files_of_configurations_alone_are_pinned() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", "Catalogue"), ("b.lode", "Notes")])
        let note = context.make("Note", ["text": "first"])
        try context.save()
        let reader = folder.makeContext()
        try reader.setQueryGenerationFrom(.current)
        note.setValue("second", forKey: "text")
        try context.save()
        #expect(try reader.values("text", of: "Note") == ["first"])
        try reader.setQueryGenerationFrom(nil)
        #expect(try reader.values("text", of: "Note") == ["second"])
    }

    @Test func a_reset_pins_all_files_at_one_time() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("a.lode", nil), ("b.lode", nil)])
        let first = context.make("Note", ["text": "first"])
        let second = context.make("Note", ["text": "first"])
        context.assign(first, to: try folder.store("a.lode"))
        context.assign(second, to: try folder.store("b.lode"))
        try context.save()
        let reader = folder.makeContext()
        try reader.setQueryGenerationFrom(.current)
        reader.reset()
        // Reads the main store alone.
        let read = try reader.existingObject(with: first.objectID)
        #expect(read.value(forKey: "text") as? String == "first")
        second.setValue("second", forKey: "text")
        try context.save()
        #expect(try reader.values("text", of: "Note") == ["first", "first"])
        let late = folder.makeContext()
        #expect(code { try late.setQueryGenerationFrom(reader.queryGenerationToken) } == 134070)
    }
}
