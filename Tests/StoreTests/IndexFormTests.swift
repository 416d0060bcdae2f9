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

    @Test func only_files_that_need_it_have_version_6() throws {
        try withTemporaryDirectory { directory in
            let (plain, formed) = (directory + "/plain.lode", directory + "/formed.lode")
            _ = try openStore(plain, FilmModel.rich(indexes: [ascending]))
            #expect(try Self.version(plain) == [5, 5])
            let store = try openStore(formed, FilmModel.rich(indexes: [newest]))
            #expect(try Self.version(formed) == [6, 6])
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
            #expect(try Self.version(path) == [6, 6])
            #expect(try store.table("Film").indexes.map(\.index) == [newest])
            #expect(try Self.rows(store) == [2, 3, 1, 4])
            try store.verifyContents()
            #expect(try RawFile(path).entries("x.1", [.dupSort, .dupFixed, .integerDup]) == [])
            // And back again; versions never fall.
            let back = try openStore(path, FilmModel.rich(indexes: [ascending]))
            #expect(try Self.rows(back) == [4, 3, 1, 2])
            #expect(try Self.version(path) == [6, 6])
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
