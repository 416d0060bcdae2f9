// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

@testable import ManagedObjects

/// The indexed copy of an atomic store, whose rows are those of the store's references.
@Suite struct AtomicInvariantTests {
    init() { PropertyListStore.register() }

    private func violations(_ folder: StoreFolder) throws -> [String] {
        let store = try folder.store("notes.plist")
        let further = try #require(folder.coordinator.further(store.tag))
        guard case .file(let mapping) = further.content else { return ["no copy"] }
        return try #require(mapping.coordinator.firstStore?.store).invariantViolations()
    }

    @Test func the_copy_keeps_the_invariants_of_a_store() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("notes.plist", "Notes")])
        #expect(try violations(folder) == [])
        let notes = ["a", "b", "c"].map { context.make("Note", ["text": $0]) }
        try context.save()
        #expect(try violations(folder) == [])
        context.delete(notes[1])
        try context.obtainPermanentIDs(for: [context.make("Note", ["text": "d"])])
        try context.save()
        #expect(try violations(folder) == [])
        let again = try folder.open([("notes.plist", "Notes")])
        #expect(try violations(folder) == [])
        #expect(try again.values("text", of: "Note", by: "text") == ["a", "c", "d"])
        again.make("Note", ["text": "e"])
        try again.save()
        #expect(try violations(folder) == [])
    }
}
