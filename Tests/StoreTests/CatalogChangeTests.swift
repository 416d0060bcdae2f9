// SPDX-License-Identifier: Apache-2.0

import Dispatch
import LMDB
import RecordFormat
import Schema
import Testing
import _TestSupport

@testable import Store

private let byYear = Index(name: "byYear", properties: ["year", "title"])
private let byRating = Index(name: "byRating", properties: ["rating"])
private let entryFlags: DatabaseFlags = [.dupSort, .dupFixed, .integerDup]

/// What a store does when another one changes the catalog of the file that both have open.
@Suite struct CatalogChangeTests {
    /// Runs a body with the path of a new file and a store without indexes.
    private static func withStore(_ body: (String, Store) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            try body(path, try openStore(path, FilmModel.rich(indexes: [])))
        }
    }

    private static func add(_ years: ClosedRange<Int16>, to store: Store) throws {
        try store.write { save in
            for year in years { try save.insert("Film", ["year": .integer16(year)]) }
        }
    }

    /// Puts another catalog in the place of the file's, as a program with another model would.
    private static func replaceCatalog(_ path: String, by schema: Schema, via store: Store) throws {
        let stored = try StoredCatalog(store.environment, store.databases.meta, path: path)
        let catalog = Catalog(schema: schema, isNarrow: true)
        try store.changeCatalog(stored.header) { try $0.replaceCatalog(catalog, emptying: []) }
    }

    @Test func a_change_that_begins_with_an_older_state_is_refused() throws {
        try ColumnFile.with { file throws in
            let (store, path) = (file.store, file.path)
            let former = store.catalog
            var header = try StoredCatalog(store.environment, store.databases.meta, path: path)
                .header
            header.raise(to: FormatVersion.columnKinds)
            // Another thread is faster, and the store knows.
            try store.makeColumns(withContents: true)
            #expect(throws: CatalogMoved.self) {
                try store.changeCatalog(header, from: former) { _ in }
            }
            let stored = try StoredCatalog(store.environment, store.databases.meta, path: path)
            #expect(stored.header.readableBy == FormatVersion.contents)
            #expect(stored.epoch == store.catalog.epoch)
            try store.write { _ = try $0.allocateRows(1, in: try store.table("GameObject")) }
        }
    }

    @Test func threads_that_raise_the_version_at_the_same_time() throws {
        for _ in 0..<20 {
            try ColumnFile.with { file throws in
                let (store, path) = (file.store, file.path)
                let other = try openStore(path, try ColumnFile.schema())
                DispatchQueue.concurrentPerform(iterations: 8) { number in
                    let mine = number % 2 == 0 ? store : other
                    #expect(throws: Never.self) {
                        try mine.makeColumns(withKinds: true, withContents: number % 4 > 1)
                        try mine.write {
                            _ = try $0.allocateRows(1, in: try mine.table("GameObject"))
                        }
                    }
                }
                let stored = try StoredCatalog(store.environment, store.databases.meta, path: path)
                #expect(stored.header.readableBy == FormatVersion.contents)
            }
        }
    }

    @Test func a_writer_fills_an_index_that_another_store_added() throws {
        try Self.withStore { path, writer in
            try Self.add(1_901...1_903, to: writer)
            let other = try openStore(path, FilmModel.rich(indexes: [byYear]))
            try Self.add(1_904...1_905, to: writer)
            try writer.write { save in
                try save.update(.film(1), ["year": .integer16(1_999)])
                try save.delete(.film(2))
            }
            let snapshot = try other.makeSnapshot()
            #expect(try snapshot.scan("Film", 0).map(\.row) == [3, 4, 5, 1])
            #expect(try writer.table("Film").indexes.map(\.index) == [byYear])
            #expect(try RawFile(path).entries("x.1", entryFlags).count == 4)
        }
    }

    @Test func a_writer_leaves_an_index_alone_that_another_store_dropped() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let writer = try openStore(path, FilmModel.rich(indexes: [byYear]))
            try Self.add(1_901...1_903, to: writer)
            _ = try openStore(path, FilmModel.rich(indexes: [byRating]), .dropping)
            try Self.add(1_904...1_905, to: writer)
            #expect(try RawFile(path).entries("x.1", entryFlags) == [])
            #expect(try RawFile(path).entries("x.2", entryFlags).count == 5)
        }
    }

    @Test func a_snapshot_keeps_the_indexes_of_its_state() throws {
        try Self.withStore { path, store in
            try Self.add(1_901...1_903, to: store)
            let table = try store.table("Film")
            let old = try store.makeSnapshot()
            _ = try openStore(path, FilmModel.rich(indexes: [byYear]))
            let new = try store.makeSnapshot()
            #expect(old.catalog.indexes(of: table).count == 0)
            #expect(new.catalog.indexes(of: table).map(\.index) == [byYear])
            #expect(try new.scan("Film", 0).map(\.row) == [1, 2, 3])
            #expect(try old.objects("Film").count == 3)
            try old.move { newest in #expect(newest == new.transactionID) }
            #expect(old.catalog === new.catalog)
            #expect(try old.scan("Film", 0).map(\.row) == [1, 2, 3])
        }
    }

    @Test func a_parked_snapshot_follows_when_it_moves() throws {
        try Self.withStore { path, store in
            let snapshot = try store.makeSnapshot()
            snapshot.park()
            let other = try openStore(path, FilmModel.rich(indexes: [byYear]))
            try Self.add(1_901...1_903, to: other)
            try snapshot.move()
            #expect(try snapshot.scan("Film", 0).map(\.row) == [1, 2, 3])
        }
    }

    /// Both change the catalog again and again, and neither misses a change of the other.
    @Test func stores_that_take_turns_stay_in_step() throws {
        try Self.withStore { path, writer in
            for round in 0..<6 as Range<Int16> {
                let indexes = [[byYear], [byRating], [byYear, byRating]][Int(round) % 3]
                let other = try openStore(path, FilmModel.rich(indexes: indexes), .dropping)
                try Self.add(round * 2...round * 2, to: writer)
                try Self.add(round * 2 + 1...round * 2 + 1, to: other)
                #expect(try writer.table("Film").indexes.map(\.index) == indexes)
                let snapshot = try writer.makeSnapshot()
                for index in indexes.indices {
                    let rows = try snapshot.scan("Film", index).map(\.row)
                    #expect(rows == Array(1...UInt64(round + 1) * 2))
                }
            }
        }
    }

    @Test func a_history_that_another_store_began_refuses_writes_without_one() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let writer = try openStore(path, FilmModel.sample())
            try writer.commit(1)
            #expect(!writer.hasHistory)
            let other = try openStore(path, FilmModel.sample(), .tracking)
            let error = storeError { try writer.commit(1) }
            #expect(error?.code == .readOnly)
            #expect(
                error?.message
                    == "the store keeps a history and was opened read-only or without one; open it "
                    + "for writing and with its history to save")
            try other.commit(1)
            #expect(try writer.history() == ["1: +2/p2"])
            #expect(writer.hasHistory)
            #expect(!writer.tracksHistory)
        }
    }

    @Test func a_writer_with_a_history_goes_on_after_an_index_came() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let writer = try openStore(path, FilmModel.rich(indexes: []), .tracking)
            try Self.add(1_901...1_901, to: writer)
            let other = try openStore(path, FilmModel.rich(indexes: [byYear]), .tracking)
            try Self.add(1_902...1_902, to: writer)
            try Self.add(1_903...1_903, to: other)
            #expect(try writer.history() == ["1: +1/p1", "2: +1/p2", "3: +1/p3"])
            #expect(try writer.makeSnapshot().scan("Film", 0).map(\.row) == [1, 2, 3])
        }
    }

    @Test(arguments: ["constraint", "entity"])
    func another_model_asks_for_opening_again(_ change: String) throws {
        try Self.withStore { path, store in
            try Self.add(1_901...1_903, to: store)
            let snapshot = try store.makeSnapshot()
            let schema =
                switch change {
                case "constraint":
                    try FilmModel.rich(
                        indexes: [Index(name: "titles", properties: ["title"], isUnique: true)])
                default: try FilmModel.tracks()
                }
            try Self.replaceCatalog(
                path, by: schema, via: try openStore(path, FilmModel.rich(indexes: [])))
            let message =
                "another program has changed the model of the open store; close the store and "
                + "open it again with the new model"
            var codes: [StoreError?] = []
            codes.append(storeError { try Self.add(1_904...1_904, to: store) })
            codes.append(storeError { _ = try store.makeSnapshot() })
            codes.append(storeError { try snapshot.move { _ in } })
            #expect(codes.map { $0?.code } == Array(repeating: .incompatibleModel, count: 3))
            #expect(codes.map { $0?.message } == Array(repeating: message, count: 3))
            // What was read so far stays readable, until the snapshot is parked.
            #expect(try snapshot.objects("Film").count == 3)
            snapshot.park()
            #expect(storeError { try snapshot.move() }?.message == message)
            #expect(!snapshot.isActive)
        }
    }

    @Test func a_change_that_came_too_late_is_tried_anew() throws {
        try Self.withStore { path, store in
            let stored = try StoredCatalog(store.environment, store.databases.meta, path: path)
            _ = try openStore(path, FilmModel.rich(indexes: [byYear]))
            #expect(throws: CatalogMoved.self) {
                try store.changeCatalog(stored.header) { _ in Issue.record("the body ran") }
            }
            #expect(throws: CatalogMoved.self) {
                try store.writeOnce(false) { try $0.writeHeader(stored.header, stored.catalog) }
            }
        }
    }

    @Test func an_unchanged_catalog_is_not_looked_at_again() throws {
        try Self.withStore { path, store in
            let other = try openStore(path, FilmModel.rich(indexes: []))
            try Self.add(1_901...1_901, to: store)
            #expect(store.catalog.covers(store.lastTransactionID))
            try Self.add(1_902...1_902, to: other)
            #expect(!store.catalog.covers(store.lastTransactionID))
            _ = try store.makeSnapshot()
            #expect(store.catalog.covers(store.lastTransactionID))
            #expect(store.catalog.epoch == 0)
        }
    }

    @Test func the_epoch_is_the_documented_one() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let samples = try HexSamples.ofFileFormat().samples
            let file = try {
                _ = try openStore(path, FilmModel.sample(), .fast.unsealed)
                return try RawFile(path)
            }()
            #expect(try file.meta("epoch") == nil)
            #expect(try file.meta("lode") == samples["header"])
            _ = try openStore(path, FilmModel.sample(), .tracking)
            #expect(try file.meta("epoch") == samples["epoch"])
            #expect(try file.meta("lode") == samples["header-epoch"])
        }
    }
}
