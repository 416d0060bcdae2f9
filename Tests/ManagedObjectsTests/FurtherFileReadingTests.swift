// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ManagedObjects

/// Objects of a file of a configuration are views on its records, as those of the main store.
@Suite struct FurtherFileReadingTests {
    private let stack: Stack

    init() throws {
        stack = try StackPlace.$current.withValue(.configuration) {
            try Stack(ItemModel.make())
        }
    }

    private func isInPlace(_ object: NSManagedObject) -> Bool {
        object.record != nil && object.extras?.ownedRecord == nil
            && object.boundStamp == object.context?.stamp
    }

    @Test func a_fetch_finds_the_bytes_and_a_save_leaves_them_in_the_file() throws {
        for name in ["a", "b", "c"] { stack.context.make("Item", ["name": name]) }
        try stack.context.save()
        let context = stack.container.newBackgroundContext()
        let items = try context.all("Item")
        #expect(items.count == 3 && items.allSatisfy { $0.isFault && isInPlace($0) })
        #expect(items.map { $0.text("name") } == ["a", "b", "c"])
        #expect(items.allSatisfy { !$0.isFault && isInPlace($0) })
        items[0].setValue("new", forKey: "name")
        let made = context.make("Item", ["name": "d"])
        try context.save()
        #expect((items + [made]).map { $0.text("name") } == ["new", "b", "c", "d"])
        #expect((items + [made]).allSatisfy(isInPlace))
    }

    @Test func what_others_change_is_copied_before_the_state_moves() throws {
        for name in ["a", "b"] { stack.context.make("Item", ["name": name]) }
        try stack.context.save()
        let context = stack.container.newBackgroundContext()
        let items = try context.all("Item")
        #expect(items.map { $0.text("name") } == ["a", "b"])
        try #require(try stack.context.named("a", "Item")).setValue("theirs", forKey: "name")
        try stack.context.save()
        #expect(try context.names("Item", "TRUEPREDICATE") == ["a", "b"])
        #expect(items[0].extras?.ownedRecord != nil && isInPlace(items[1]))
        context.refreshAllObjects()
        #expect(items.map { $0.text("name") } == ["theirs", "b"])
        #expect(items.allSatisfy(isInPlace))
    }

    @Test func a_pinned_context_stays_at_the_states_of_all_files() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("main.lode", nil), ("notes.lode", "Notes")])
        let other = folder.makeContext()
        let note = other.make("Note", ["text": "first"])
        other.assign(note, to: try folder.store("notes.lode"))
        try other.save()
        #expect(try context.count("Note") == 1)
        try context.setQueryGenerationFrom(.current)
        note.setValue("second", forKey: "text")
        try other.save()
        #expect(try context.all("Note").map { $0.text("text") } == ["first"])
        try context.setQueryGenerationFrom(nil)
        context.refreshAllObjects()
        #expect(try context.all("Note").map { $0.text("text") } == ["second"])
    }
}
