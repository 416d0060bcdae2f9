// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

/// The samples of the articles on fetching and importing, as they stand there.
@Suite struct DocumentedCallsTests {
    @Test func predicates_in_requests_and_in_memory() throws {
        let library = try Library()
        for (title, pages) in [("Emma", 474), ("Persuasion", 249), ("Moby-Dick", 635)] {
            let book = Book(context: library.context)
            book.title = title
            book.pages = Int32(pages)
        }
        func compare(_ key: String, _ symbol: String, _ value: Any?) -> NSPredicate {
            NSPredicate(format: "%K \(symbol) %@", key, value)
        }
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
            compare("pages", ">=", 300),
            NSCompoundPredicate(notPredicateWithSubpredicate: compare("title", "==", "Emma")),
        ])
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.predicate = both
        for isSaved in [false, true] {
            if isSaved { try library.context.save() }
            #expect(try library.context.fetch(request).map(\.title) == ["Moby-Dick"])
        }
        #expect(try library.context.explain(request).contains("Book"))
        let books = try library.context.fetch(NSFetchRequest<Book>(entityName: "Book"))
        let short = NSPredicate(format: "pages < $limit").withSubstitutionVariables(["limit": 500])
        let found = books.filter { short.evaluate(with: $0) }
        #expect(Set(found.map(\.title)) == ["Emma", "Persuasion"])
        let byTitle = [NSSortDescriptor(key: "title", ascending: true)]
        let sorted = NSArray(array: books).sortedArray(using: byTitle)
        #expect(sorted.compactMap { ($0 as? Book)?.title } == ["Emma", "Moby-Dick", "Persuasion"])
        #expect(NSSet(set: Set(books)).filtered(using: short).count == 2)
        #expect(short.evaluate(with: ["pages": 474, "title": "Emma"]))
        #expect(!short.evaluate(with: ["pages": 635, "title": "Moby-Dick"]))
        #expect(throws: PredicateSyntaxError.self) { _ = try NSPredicate.parse("title ==") }
    }

    @Test func an_unknown_key_is_thrown() throws {
        let library = try Library()
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.predicate = NSPredicate(format: "colour == 'red'")
        let error = try #require(throws: CocoaError.self) { try library.context.fetch(request) }
        #expect(error.code.rawValue == 134070)
    }

    @Test func a_mapping_in_code() throws {
        let folder = FileManager.default.temporaryDirectory
            .appendingPathComponent("DocumentedCalls-\(UUID().uuidString)")
        let data = folder.appendingPathComponent("chinook")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        defer { removeFolder(folder) }
        for (name, text) in [
            ("Playlist.csv", "PlaylistId,Name\n1,Jazz\n2,Rock\n"),
            ("Track.csv", "TrackId,Name,Composer\n1,Blue,Evans\n2,Green,\n"),
            ("PlaylistTrack.csv", "PlaylistId,TrackId\n1,1\n1,2\n2,2\n"),
        ] {
            try text.write(
                to: data.appendingPathComponent(name), atomically: true, encoding: .utf8)
        }
        var tracks = EntityMapping()
        var composer = AttributeMapping()
        composer.name = "composedBy"
        composer.isIndexed = true
        tracks.attributes["Composer"] = composer

        var links = EntityMapping()
        links.links = .ends(
            LinkEndMapping(column: "PlaylistId", destination: "Playlist", property: "tracks"),
            LinkEndMapping(column: "TrackId", destination: "Track", property: "playlists"))

        var options = ImportOptions()
        options.mapping = ImportMapping(entities: ["Track": tracks, "PlaylistTrack": links])
        options.isStrict = true
        options.batchSize = 50_000
        let url = folder.appendingPathComponent("chinook.lode")
        let importer = try LibraryImporter(path: data.path, into: url, options: options)
        let report = try importer.load()
        let counts = report.entities.map { "\($0.name) \($0.read) \($0.inserted) \($0.rejected)" }
        #expect(counts.sorted() == ["Playlist 2 2 0", "Track 2 2 0"])
        #expect(report.rejections.map(\.reason) == [])

        let model = try NSManagedObjectModel.stored(at: url)
        let track = try #require(model.entitiesByName["Track"])
        #expect(track.attributesByName["composedBy"]?.attributeType == .stringAttributeType)
        let playlists = try #require(track.relationshipsByName["playlists"])
        #expect(playlists.isToMany && playlists.inverseRelationship?.name == "tracks")
    }

    private func removeFolder(_ folder: URL) {
        do { try FileManager.default.removeItem(at: folder) } catch {
            Issue.record("\(folder.path) cannot be removed: \(error)")
        }
    }
}
