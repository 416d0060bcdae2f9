// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Sections are told apart as the order of their objects does.
@Suite struct ResultsSectionNameTests {
    private let stack: Stack
    private var context: NSManagedObjectContext { stack.context }

    /// `é` in one scalar.
    private let composed = "\u{E9}"
    /// `é` in two.
    private let decomposed = "e\u{301}"

    init() throws {
        stack = try Stack(
            Build.model(
                Build.entity(
                    "Song",
                    [
                        Build.attribute("name"), Build.attribute("album"),
                        Build.attribute("gain", .doubleAttributeType),
                    ])))
    }

    private func make(_ name: String, _ album: String, _ gain: Double = 0) {
        context.make("Song", ["name": name, "album": album, "gain": gain])
        context.processPendingChanges()
    }

    @Test func equal_texts_of_other_scalars_are_sections_of_their_own() throws {
        let controller = context.controller("Song", by: ["album", "name"], sections: "album")
        let recorder = ResultsRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        make("a", composed)
        make("b", "z")
        make("c", decomposed)
        make("d", composed)
        let lines = ["\(decomposed): c", "z: b", "\(composed): a d"]
        #expect(controller.lines.map { Array($0.utf8) } == lines.map { Array($0.utf8) })
        try controller.performFetch()
        #expect(controller.lines.map { Array($0.utf8) } == lines.map { Array($0.utf8) })
        for song in controller.fetchedObjects ?? [] where song.text("album") == composed {
            context.delete(song)
        }
        context.processPendingChanges()
        #expect(controller.lines == ["z: b"])
        make("e", decomposed)
        #expect(controller.lines == ["\(decomposed): e", "z: b"])
    }

    @Test func an_order_that_takes_texts_for_equal_has_one_section_of_them() throws {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Song")
        request.sortDescriptors = [
            NSSortDescriptor(key: "album", ascending: true, selector: "caseInsensitiveCompare:"),
            NSSortDescriptor(key: "name", ascending: true),
        ]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "album",
            cacheName: nil)
        let recorder = ResultsRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        make("a", composed)
        make("b", decomposed)
        make("c", composed)
        #expect(controller.sections?.map(\.numberOfObjects) == [3])
        try controller.performFetch()
        #expect(controller.sections?.map(\.numberOfObjects) == [3])
    }

    @Test func sections_that_are_ordered_by_another_key_are_not_told_apart_by_scalars() throws {
        let controller = context.controller("Song", by: ["gain", "name"], sections: "album")
        let recorder = ResultsRecorder()
        controller.delegate = recorder
        make("a", composed, 1)
        make("b", decomposed, 1)
        make("c", composed, 1)
        make("d", "z", 2)
        try controller.performFetch()
        #expect(controller.lines == ["\(composed): a b c", "z: d"])
        make("bb", decomposed, 1)
        #expect(controller.lines == ["\(composed): a b bb c", "z: d"])
    }

    @Test func both_zeros_are_one_section() throws {
        let controller = context.controller("Song", by: ["gain", "name"], sections: "gain")
        let recorder = ResultsRecorder()
        controller.delegate = recorder
        try controller.performFetch()
        make("a", "x", 0)
        make("b", "x", -0.0)
        make("c", "x", 0)
        make("d", "x", -1.5)
        #expect(controller.lines == ["-1.5: d", "0: a b c"])
        try controller.performFetch()
        #expect(controller.lines == ["-1.5: d", "0: a b c"])
    }

    @Test func a_snapshot_finds_a_section_by_its_scalars() throws {
        let delegate = SnapshotRecorder()
        let controller = context.controller("Song", by: ["album", "name"], sections: "album")
        controller.delegate = delegate
        try controller.performFetch()
        for (name, album) in [("a", composed), ("b", decomposed), ("c", composed), ("d", "ö")] {
            make(name, album)
        }
        let snapshot = try #require(delegate.last)
        #expect(snapshot.numberOfItems(inSection: composed) == 2)
        #expect(snapshot.numberOfItems(inSection: decomposed) == 1)
        #expect(snapshot.index(ofSectionIdentifier: composed) == 1)
        #expect(snapshot.index(ofSectionIdentifier: "o\u{308}") == 2)
    }
}
