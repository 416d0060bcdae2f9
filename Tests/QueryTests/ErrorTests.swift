// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema
import Testing

@Suite struct ErrorTests {
    private let library: TestLibrary

    init() throws { library = try TestLibrary() }

    private func failure(
        _ entity: String, _ format: String? = nil, sort: [SortOrder] = []
    ) -> QueryError? {
        do {
            _ = try library.plan(entity, format, sort: sort)
            return nil
        } catch {
            return error as? QueryError
        }
    }

    @Test func unknownEntity() {
        let error = failure("Trak")
        #expect(error?.code == .unknownEntity)
        #expect(error?.message == "the model has no entity Trak; did you mean Track or Tag?")
    }

    @Test func unknownKeyPath() {
        let error = failure("Track", "nmae == 'a'")
        #expect(error?.code == .unknownKeyPath)
        #expect(
            error?.message == "entity Track has no property nmae; did you mean name or note?")
        #expect(
            failure("Track", "ANY album.tracks.titel == 'a'")?.message
                == "entity Track has no property titel in key path album.tracks.titel; there are "
                + "added, album, art, cost, isLive, length, link, mark, name, note, plays, price "
                + "and 4 more")
        #expect(failure("Track", "album.titel == 'a'")?.description.contains("mean title?") == true)
        #expect(failure("Media", "album.title == 'a'")?.code == .unknownKeyPath)
        #expect(failure("Track", "name.first == 'a'")?.code == .unknownKeyPath)
        #expect(
            failure("Album", "SUBQUERY(tracks, $t, $t.nothing == 1).@count > 0")?.code
                == .unknownKeyPath)
        #expect(failure("Track", "tags.@max.weight > 1")?.code == .unknownKeyPath)
    }

    @Test func transientAttributes() {
        let error = failure("Track", "shown == 'a'")
        #expect(error?.code == .unsupported)
        #expect(
            error?.message == "Track.shown in key path shown is transient: the store does not know "
                + "its values; filter or sort the fetched objects instead")
        #expect(failure("Track", sort: [SortOrder(keyPath: ["shown"])])?.code == .unsupported)
    }

    @Test func unsuitableSortKeys() {
        let error = failure("Track", sort: [SortOrder(keyPath: ["tags", "label"])])
        #expect(error?.code == .unsupported)
        #expect(
            error?.message == "Track cannot be sorted by tags.label, which follows a to-many "
                + "relationship; sort by attributes, also through to-one relationships")
        #expect(failure("Track", sort: [SortOrder(keyPath: ["tags"])])?.code == .unsupported)
        #expect(
            failure("Track", sort: [SortOrder(keyPath: ["tags", "@count"])])?.code == .unsupported)
        #expect(failure("Track", sort: [SortOrder(keyPath: ["nome"])])?.code == .unknownKeyPath)
        #expect(
            failure("Track", sort: [SortOrder(keyPath: ["name", "length"])])?.code == .unsupported)
    }

    @Test func missingVariable() {
        let error = failure("Track", "name == $name")
        #expect(error?.code == .unsupported)
        #expect(
            error?.message
                == "the variable $name has no value; substitute a constant before fetching")
    }

    @Test func invalidPattern() {
        #expect(failure("Track", "name MATCHES '('")?.code == .typeMismatch)
    }

    /// The operands of a condition decide its type in evaluation only.
    @Test func wrongTypesFailWhereEvaluated() throws {
        library.add("Track", ["length": .integer32(3)])
        let snapshot = try library.save()
        let plan = try library.plan("Track", "TERNARY(plays > 1, name, length) CONTAINS 'a'")
        #expect(throws: PredicateEvaluationError.self) { try plan.count(in: snapshot) }
    }
}
