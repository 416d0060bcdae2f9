// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import RecordFormat
import Schema
import Testing
import _TestSupport

@testable import Store

private let ascending = Index(name: "byYear", properties: ["year", "title"])
private let newest = Index(
    name: "byYear", properties: ["year", "title"], descending: [true, false])

/// Indexes with forms, in files that have them and in those that cannot.
@Suite struct IndexFormTests {
    private static func bytes(_ path: String) throws -> Data {
        try Data(contentsOf: URL(fileURLWithPath: path))
    }

    private static func version(_ path: String) throws -> [UInt8]? {
        try RawFile(path).meta("lode").map { [$0[4], $0[6]] }
    }

    private static func addFilms(to store: Store) throws {
        try store.write { save in
            for (year, title) in [(1977, "b"), (1980, "c"), (1977, "a"), (0, "d")] {
                let value = year == 0 ? Value.null : .integer16(Int16(year))
                try save.insert("Film", ["year": value, "title": .string(title)])
            }
        }
    }

    private static func rows(_ store: Store) throws -> [UInt64] {
        try store.makeSnapshot().scan("Film", 0).map(\.row)
    }

    @Test func only_files_that_need_it_have_version_12() throws {
        try withTemporaryDirectory { directory in
            let (plain, formed) = (directory + "/plain.lode", directory + "/formed.lode")
            _ = try openStore(plain, FilmModel.rich(indexes: [ascending]))
            #expect(try Self.version(plain) == [11, 11])
            let store = try openStore(formed, FilmModel.rich(indexes: [newest]))
            #expect(try Self.version(formed) == [12, 12])
            try Self.addFilms(to: store)
            #expect(try Self.rows(store) == [2, 3, 1, 4])
            try store.verifyContents()
            let again = try openStore(formed, nil)
            #expect(try again.table("Film").indexes.map(\.index) == [newest])
            #expect(try Self.rows(again) == [2, 3, 1, 4])
        }
    }

    @Test func another_direction_builds_the_index_anew() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try Self.addFilms(to: openStore(path, FilmModel.rich(indexes: [ascending])))
            let store = try openStore(path, FilmModel.rich(indexes: [newest]))
            #expect(try Self.version(path) == [12, 12])
            #expect(try store.table("Film").indexes.map(\.index) == [newest])
            #expect(try Self.rows(store) == [2, 3, 1, 4])
            try store.verifyContents()
            #expect(try RawFile(path).entries("x.1", [.dupSort, .dupFixed, .integerDup]) == [])
            // And back again; versions never fall.
            let back = try openStore(path, FilmModel.rich(indexes: [ascending]))
            #expect(try Self.rows(back) == [4, 3, 1, 2])
            #expect(try Self.version(path) == [12, 12])
            try back.verifyContents()
        }
    }

    @Test(arguments: 1...4 as ClosedRange<UInt16>)
    func files_without_seals_keep_plain_indexes(version: UInt16) throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/old.lode"
            var options = StoreOptions.fast
            options.newFileVersion = version
            try Self.addFilms(to: openStore(path, FilmModel.rich(indexes: [ascending]), options))
            let before = try Self.bytes(path)
            for _ in 0..<2 {
                let store = try openStore(path, FilmModel.rich(indexes: [newest]))
                #expect(try store.table("Film").indexes.map(\.index) == [ascending])
                #expect(try Self.rows(store) == [4, 3, 1, 2])
                try store.verifyContents()
            }
            #expect(try Self.bytes(path) == before)
        }
    }

    @Test func an_entry_of_the_other_direction_is_found() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let store = try openStore(path, FilmModel.rich(indexes: [newest]))
            try Self.addFilms(to: store)
            let flags: DatabaseFlags = [.dupSort, .dupFixed, .integerDup]
            let file = try RawFile(path)
            let entry = try #require(try file.entries("x.1", flags).first)
            try file.delete(entry.key, in: "x.1", flags)
            let error = storeError { try store.verifyContents() }
            #expect(error?.message.hasPrefix("the index byYear of Film does not have") == true)
        }
    }

    private static func recent(_ year: Int64, _ title: String = "c") -> Index {
        Index(
            name: "recent", properties: ["year"], descending: [true],
            condition: .any([
                .compares("year", .greater, .integer64(year)),
                .compares("title", .equal, .string(title)),
            ]))
    }

    @Test func a_partial_index_follows_each_change() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let store = try openStore(path, FilmModel.rich(indexes: [Self.recent(1978, "b")]))
            try Self.addFilms(to: store)
            #expect(try Self.rows(store) == [2, 1])
            let films = (1...4).map { ObjectKey(entity: EntityNumber(rawValue: 1), row: $0) }
            try store.write { save in
                // One comes by a value that is not indexed, one goes, one stays elsewhere.
                try save.update(films[2], ["title": .string("b")])
                try save.update(films[0], ["title": .string("x")])
                try save.update(films[1], ["year": .integer16(1990)])
                try save.update(films[3], ["rating": .double(5)])
            }
            #expect(try Self.rows(store) == [2, 3])
            try store.verifyContents()
            try store.write { try $0.delete(films[1]) }
            #expect(try Self.rows(store) == [3])
            try store.write { try $0.delete(films[3]) }
            try store.verifyContents()
            #expect(try Self.version(path) == [12, 12])
            #expect(try openStore(path, nil).schema == store.schema)
        }
    }

    @Test func another_condition_builds_the_index_anew() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try Self.addFilms(to: openStore(path, FilmModel.rich(indexes: [])))
            for (number, (index, rows)) in [
                (Self.recent(1978), [2]), (Self.recent(1970), [2, 1, 3]),
                (Self.recent(1970, "d"), [2, 1, 3, 4]), (Self.recent(2000, "z"), []),
            ].enumerated() {
                let store = try openStore(path, FilmModel.rich(indexes: [index]))
                #expect(try Self.rows(store) == rows.map { UInt64($0) })
                #expect(try store.table("Film").indexes[0].number.rawValue == UInt32(number + 1))
                try store.verifyContents()
                let commits = store.lastTransactionID
                _ = try openStore(path, FilmModel.rich(indexes: [index]))
                #expect(store.lastTransactionID == commits)
            }
        }
    }

    @Test func an_entry_that_a_condition_leaves_out_is_found() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let store = try openStore(path, FilmModel.rich(indexes: [Self.recent(1978)]))
            try Self.addFilms(to: store)
            let flags: DatabaseFlags = [.dupSort, .dupFixed, .integerDup]
            let key = IndexKey([.integer16(1977)], of: Self.recent(1978)).bytes
            try RawFile(path).put([1, 0, 0, 0, 0, 0, 1, 0], for: key, in: "x.1", flags)
            let error = storeError { try store.verifyContents() }
            #expect(error?.message.hasPrefix("the index recent of Film does not have") == true)
        }
    }

    @Test(
        arguments: [
            (.isNull("author"), "author is no stored attribute"),
            (
                .compares("year", .less, .integer16(5)),
                "year of the type integer16 cannot be compared"
            ),
            (.compares("year", .begins, .integer64(5)), "year of the type integer16 cannot be"),
            (.compares("rating", .less, .double(.nan)), "rating cannot be compared with NaN"),
            (
                .compares("poster", .equal, .binaryData([1])),
                "poster of the type binaryData cannot be"
            ),
            (.not(.isNull("director")), "director is no stored attribute"),
            (
                (0..<70).reduce(IndexCondition.isNull("year")) { inner, _ in .not(inner) },
                "it has too many parts inside each other"
            ),
        ] as [(IndexCondition, String)])
    func an_impossible_condition_is_refused(condition: IndexCondition, reason: String) throws {
        let index = Index(name: "odd", properties: ["year"], condition: condition)
        let error = #expect(throws: SchemaError.self) { try FilmModel.rich(indexes: [index]) }
        let start = "index odd of Film has an impossible condition: "
        #expect(error?.description.hasPrefix(start + reason) == true, "\(error?.description ?? "")")
    }

    @Test func a_condition_without_an_end_is_refused() throws {
        let formed = Index(
            name: "odd", properties: ["year"],
            condition: .not(.not(.not(.isNull("year")))))
        let bytes = SchemaCoding.encode(try FilmModel.rich(indexes: [formed]))
        let nots = Array(repeating: UInt8(3), count: 3)
        let place = try #require(
            bytes.indices.first { bytes[$0...].starts(with: nots + [4, 4, 0, 0, 0]) })
        var deep = bytes
        deep.replaceSubrange(place..<place + 3, with: Array(repeating: 3, count: 100_000))
        let error = #expect(throws: RecordFormatError.self) { try SchemaCoding.decode(deep) }
        #expect(
            error?.description.contains("the condition of an index has too many parts") == true)
        var odd = bytes
        odd[place] = 9
        #expect(throws: RecordFormatError.self) { try SchemaCoding.decode(odd) }
        #expect(try SchemaCoding.decode(bytes).entity("Film")?.indexes == [formed])
    }

    @Test func a_model_with_a_wrong_form_is_refused() throws {
        let error = #expect(throws: SchemaError.self) {
            try FilmModel.rich(indexes: [
                Index(name: "odd", properties: ["year"], descending: [true, true])
            ])
        }
        #expect(
            error?.description
                == "index odd of Film has directions for other properties than its own, or is a "
                + "uniqueness constraint, which has none")
    }
}
