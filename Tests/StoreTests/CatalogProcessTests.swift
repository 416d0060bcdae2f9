// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Schema
import Testing
import _TestSupport

@testable import Store

private let byYear = Index(name: "byYear", properties: ["year", "title"])

private func addFilm(_ year: Int16, to store: Store) throws {
    try store.write { _ = try $0.insert("Film", ["year": .integer16(year)]) }
}

/// Other processes that change the catalog of an open file: an exit test runs its body in one.
@Suite struct CatalogProcessTests {
    @Test func an_index_of_another_process_is_filled_and_used() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let store = try openStore(path, FilmModel.rich(indexes: []))
            try addFilm(1_903, to: store)
            let old = try store.makeSnapshot()
            await #expect(processExitsWith: .success) { [path = path as String] in
                let other = try openStore(path, FilmModel.rich(indexes: [byYear]))
                try addFilm(1_902, to: other)
            }
            try addFilm(1_901, to: store)
            #expect(try store.makeSnapshot().scan("Film", 0).map(\.row) == [3, 2, 1])
            #expect(try old.objects("Film").count == 1)
            try old.move { _ in }
            #expect(try old.scan("Film", 0).map(\.row) == [3, 2, 1])
        }
    }

    @Test func an_index_that_another_process_dropped_is_no_longer_used() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let store = try openStore(path, FilmModel.rich(indexes: [byYear]))
            try addFilm(1_903, to: store)
            let old = try store.makeSnapshot()
            await #expect(processExitsWith: .success) { [path = path as String] in
                _ = try openStore(path, FilmModel.rich(indexes: []), .dropping)
            }
            #expect(try old.scan("Film", 0).map(\.row) == [1])
            try addFilm(1_901, to: store)
            #expect(try store.table("Film").indexes.isEmpty)
            #expect(
                try RawFile(path).entries("x.1", [.dupSort, .dupFixed, .integerDup]) == [])
        }
    }

    @Test func a_history_of_another_process_has_no_gaps() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let store = try openStore(path, FilmModel.rich())
            try addFilm(1_903, to: store)
            await #expect(processExitsWith: .success) { [path = path as String] in
                let other = try openStore(path, FilmModel.rich(), .tracking)
                try addFilm(1_902, to: other)
            }
            #expect(storeError { try addFilm(1_901, to: store) }?.code == .readOnly)
            #expect(try store.historyRange() == HistoryRange(first: 1, last: 1))
        }
    }

    /// The writer in the other process is at work while the index comes.
    @Test func a_running_writer_follows_an_index_that_comes() async throws {
        try await withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            _ = try openStore(path, FilmModel.rich(indexes: []))
            async let exit: Void = {
                await #expect(processExitsWith: .success) { [path = path as String] in
                    let writer = try openStore(path, FilmModel.rich(indexes: []))
                    // Until it has written some more with the index.
                    var rest = 20
                    for number in 0..<1_000_000 where rest > 0 {
                        try addFilm(Int16(number % 2_000), to: writer)
                        // Others want to write, too.
                        sched_yield()
                        if try !writer.table("Film").indexes.isEmpty { rest -= 1 }
                    }
                }
            }()
            // Not before the other one writes.
            let reader = try openStore(path, nil)
            while try reader.makeSnapshot().objects("Film").isEmpty { await Task.yield() }
            let store = try openStore(path, FilmModel.rich(indexes: [byYear]))
            await exit
            let snapshot = try store.makeSnapshot()
            let films = try snapshot.objects("Film")
            #expect(films.count > 20)
            #expect(Set(try snapshot.scan("Film", 0)) == Set(films.keys))
        }
    }
}

/// Files that another process is just making a store of.
@Suite struct FileInTheMakingTests {
    /// A commit writes the header's page first, and then tells readers of its number.
    @Test func a_commit_that_readers_do_not_see_yet_is_awaited() async throws {
        try await withTemporaryDirectory { directory in
            let (made, path) = (directory + "/made.lode", directory + "/a.lode")
            try RawFile(made).create("meta", [])
            let holder = try Environment.open(at: path)
            let bytes = try Data(contentsOf: URL(fileURLWithPath: made))
            let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try file.write(contentsOf: bytes)
            #expect(holder.lastTransactionID == 1)
            #expect(try holder.read { $0.transactionID } == 0)
            await #expect(processExitsWith: .success) { [path = path as String] in
                let store = try openStore(path, FilmModel.rich())
                try addFilm(1_902, to: store)
                #expect(try store.makeSnapshot().objects("Film").count == 1)
            }
            #expect(holder.lastTransactionID > 1)
        }
    }
    @Test func readers_are_told_of_a_file_without_a_store_yet() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try Store.createEmptyFile(at: path)
            var options = StoreOptions()
            options.isReadOnly = true
            let error = refusal(path, try FilmModel.rich(), options)
            #expect(error?.code == .notAStore)
            #expect(
                error?.message
                    == "there is no store in the file yet: a program is making it, or ended before "
                    + "it was there; try again, or open the file for writing with a model")
            try addFilm(1_902, to: openStore(path, FilmModel.rich()))
            #expect(refusal(path, try FilmModel.rich(), options) == nil)
        }
    }
}
