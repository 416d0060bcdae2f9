// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Testing
import _TestSupport

@testable import Store

private let title = Attribute(name: "title", type: .string)
private let year = Attribute(name: "year", type: .integer16, defaultValue: .integer16(1977))

private func film(_ attributes: [Attribute]) -> [Entity] {
    [Entity(name: "Film", attributes: attributes), Entity(name: "Person")]
}

private func makeFile(
    _ directory: String, options: StoreOptions = .fast
) throws -> MigratedFile {
    try MigratedFile(directory, film([title]), options: options) { save in
        try save.insert("Film", ["title": .string("a")])
    }
}

/// When a file is not migrated.
@Suite struct MigrationGuardTests {
    @Test func nothing_is_migrated_unless_asked_for() throws {
        try withTemporaryDirectory { directory in
            let file = try makeFile(directory)
            let bytes = try file.bytes
            let error = try file.refusal(film([title, year]), .fast)
            #expect(error?.code == .incompatibleModel)
            #expect(try file.bytes == bytes)
            // And nothing where the model is the file's own.
            #expect(try file.refusal(film([title])) == nil)
            #expect(try RawFile(file.path).meta("former") == nil)
            #expect(try RawFile(file.path).meta("epoch") == nil)
        }
    }

    @Test func a_former_model_is_refused() throws {
        try withTemporaryDirectory { directory in
            let file = try makeFile(directory)
            try file.migrate(film([title, year]))
            let note = Attribute(name: "note", type: .string)
            try file.migrate(film([title, year, note]))
            let bytes = try file.bytes
            for attributes in [[title], [title, year]] {
                let error = try file.refusal(film(attributes))
                #expect(error?.code == .migration)
                #expect(
                    error?.message
                        == "the file was migrated from this model to a newer one, whose values "
                        + "would be lost; open it with the newer model")
            }
            #expect(try file.bytes == bytes)
            // The models are told apart by what decides whether objects fit them.
            let hashes = try [[title], [title, year]].map {
                try Schema(entities: film($0)).versionHash
            }
            var writer = ByteWriter()
            writer.write(UInt32(2))
            for hash in hashes { writer.write(hash) }
            #expect(try RawFile(file.path).meta("former")?.dropLast(4) == writer.bytes[...])
            // A model that never was is none of them.
            let store = try file.migrate(film([title, note]))
            #expect(try store.rows("Film") == [1: ["title": .string("a"), "note": .null]])
        }
    }

    @Test func a_file_that_is_open_by_a_small_model_has_no_room_for_a_large_one() throws {
        try withTemporaryDirectory { directory in
            let file = try makeFile(directory)
            let large = film([title]) + (1...200).map { Entity(name: "Kind\($0)") }
            do {
                let open = try openStore(file.path, Schema(entities: film([title])))
                let error = try file.refusal(large)
                #expect(error?.code == .storage)
                #expect(
                    error?.message
                        == "this process has the file open by a model with fewer entities, "
                        + "relationships and indexes, and no room is left for those of the new "
                        + "one; remove the store from the other coordinator first, then add it "
                        + "again")
                // It is of use as before.
                _ = try open.write { try $0.insert("Film", ["title": .string("b")]) }
                #expect(try open.rows("Film").count == 2)
                #expect(try RawFile(file.path).meta("former") == nil)
                // A model that has room is migrated to, although the file is open.
                let other = film([title]) + [Entity(name: "Studio")]
                #expect(try file.refusal(other) == nil)
            }
            let store = try file.migrate(large + [Entity(name: "Studio")])
            #expect(
                try store.rows("Film")
                    == [1: ["title": .string("a")], 2: ["title": .string("b")]])
        }
    }

    @Test func nothing_is_taken_away_unless_asked_for() throws {
        try withTemporaryDirectory { directory in
            let file = try makeFile(directory)
            try file.migrate(film([title, year]))
            let bytes = try file.bytes
            var careful = StoreOptions.migrating
            careful.migration = .inferred
            let note = Attribute(name: "note", type: .string)
            let error = try file.refusal(film([title, note]), careful)
            #expect(error?.code == .migration)
            #expect(error?.message.contains("Film.year") == true)
            #expect(try file.bytes == bytes)
            // Nothing of these is lost.
            try file.migrate(film([title, year, note]), careful)
            var renamed = year
            renamed.name = "since"
            renamed.renamingIdentifier = "year"
            try file.migrate(film([title, renamed, note]), careful)
            // Nor on the way back: the name is another one, the value is the same.
            try file.migrate(film([title, year, note]), careful)
        }
    }

    @Test func older_programs_refuse_migrated_files() throws {
        try withTemporaryDirectory { directory in
            let file = try makeFile(directory)
            #expect(try RawFile(file.path).meta("lode")?[4..<8] == [11, 0, 11, 0])
            try file.migrate(film([title, year]))
            #expect(try RawFile(file.path).meta("lode")?[4..<8] == [17, 0, 17, 0])
            // A form of an index raises the version within its range.
            let index = Index(name: "byYear", properties: ["year"], descending: [true])
            var entities = film([title, year])
            entities[0].indexes = [index]
            try file.migrate(entities)
            #expect(try RawFile(file.path).meta("lode")?[4..<8] == [18, 0, 18, 0])
            let header = try StoreHeader(
                try #require(try RawFile(file.path).meta("lode")), path: file.path)
            #expect(header.isNarrow && header.isMigrated && header.readableBy == 6)
        }
    }

    @Test func files_are_not_migrated_read_only() throws {
        try withTemporaryDirectory { directory in
            let file = try makeFile(directory)
            var options = StoreOptions.migrating
            options.isReadOnly = true
            let error = try file.refusal(film([title, year]), options)
            #expect(error?.code == .migration)
            #expect(
                error?.message
                    == "the file has another model and has to be migrated, but the store is "
                    + "opened read-only; open it for writing once")
        }
    }

    @Test func files_with_wide_slots_are_not_migrated() throws {
        try withTemporaryDirectory { directory in
            let file = try makeFile(directory, options: .fast.unsealed)
            let error = try file.refusal(film([title, year]))
            #expect(error?.code == .migration)
            #expect(
                error?.message
                    == "the file began as a format before 11, which is not migrated; open it with "
                    + "the model it was written with, and write its objects into a new file")
        }
    }

    @Test func value_components_need_their_game_objects() throws {
        try ColumnFile.with { file in
            let award = Entity(name: "Award")
            do {
                let more = try Schema(entities: file.store.schema.entities + [award])
                let store = try openStore(file.path, more, .migrating)
                #expect(store.hasColumns)
                try store.verifyContents()
            }
            let error = refusal(file.path, try Schema(entities: [award]), .migrating)
            #expect(error?.code == .migration)
            #expect(
                error?.message
                    == "the file has value components of GameObject, and that entity is another "
                    + "one in the new model; keep it under its name")
        }
    }
}

/// What stays when a file is migrated, and who notices.
@Suite struct MigrationContinuityTests {
    @Test func identity_metadata_and_history_stay() throws {
        try withTemporaryDirectory { directory in
            let file = try makeFile(directory, options: .tracking)
            do {
                let store = try openStore(file.path, nil, .tracking)
                try store.write { try $0.setMetadata([1, 2], for: "note") }
                _ = try store.write { try $0.insert("Person", [:]) }
            }
            let error = try file.refusal(film([title, year]))
            #expect(error?.code == .migration)
            #expect(
                error?.message
                    == "the file has another model and has to be migrated, but it keeps a history "
                    + "and is opened without one; open it with its history once")
            var options = StoreOptions.tracking
            options.migration = .inferredWithLosses
            // The entity of the second transaction goes.
            let store = try file.migrate(
                [Entity(name: "Award"), Entity(name: "Film", attributes: [title, year])], options)
            #expect(store.uuid == FilmModel.uuid)
            #expect(try store.metadata(for: "note") == [1, 2])
            #expect(try store.history() == ["1: +1/p1", "2: +2/p1"])
            try store.write { try $0.update(.film(1), ["year": .integer16(1)]) }
            _ = try store.write { try $0.insert("Award", [:]) }
            #expect(
                try store.history(after: 2) == ["3: *1/p1.2", "4: +3/p2"])
            try store.verifyContents()
        }
    }

    @Test func stores_that_have_the_file_open_notice() throws {
        try withTemporaryDirectory { directory in
            let file = try makeFile(directory)
            let other = try openStore(file.path, nil)
            let snapshot = try other.makeSnapshot()
            try file.migrate(film([title, year]))
            // The old state can be read to its end.
            #expect(try snapshot.objects("Film") == [.film(1): ["title": .string("a")]])
            let errors = [
                storeError { _ = try other.makeSnapshot() },
                storeError { _ = try other.write { try $0.insert("Film", [:]) } },
            ]
            for error in errors {
                #expect(error?.code == .incompatibleModel)
                #expect(
                    error?.message
                        == "another program has changed the model of the open store; close the "
                        + "store and open it again with the new model")
            }
            #expect(try openStore(file.path, nil).rows("Film").count == 1)
        }
    }

    @Test func another_process_migrates_an_open_file() async throws {
        try await withTemporaryDirectory { directory in
            let file = try makeFile(directory)
            let store = try openStore(file.path, nil)
            await #expect(processExitsWith: .success) { [path = file.path as String] in
                let schema = try Schema(entities: film([title, year]))
                _ = try openStore(path, schema, .migrating)
            }
            #expect(storeError { _ = try store.makeSnapshot() }?.code == .incompatibleModel)
            #expect(
                try openStore(file.path, nil).rows("Film")
                    == [1: ["title": .string("a"), "year": .integer16(1977)]])
        }
    }

    @Test func many_objects() throws {
        try withTemporaryDirectory { directory in
            let file = try MigratedFile(directory, film([title])) { save in
                for number in 0..<20_000 {
                    try save.insert("Film", ["title": .string("title \(number)")])
                }
            }
            let store = try file.migrate([
                Entity(
                    name: "Film",
                    attributes: [
                        Attribute(name: "name", type: .string, renamingIdentifier: "title"),
                        Attribute(
                            name: "note", type: .string,
                            defaultValue: .string(String(repeating: "n", count: 200))),
                    ], indexes: [Index(name: "byName", properties: ["name"], isUnique: true)])
            ])
            let rows = try store.rows("Film")
            #expect(rows.count == 20_000)
            #expect(rows[1]?["name"] == .string("title 0"))
            #expect(rows[20_000]?["name"] == .string("title 19999"))
            #expect(
                rows.values.allSatisfy {
                    $0["note"] == .string(String(repeating: "n", count: 200))
                })
            #expect(try store.makeSnapshot().scan("Film", 0).count == 20_000)
        }
    }

    @Test func a_full_file_stays_as_it_was() throws {
        try withTemporaryDirectory { directory in
            let file = try MigratedFile(directory, film([title])) { save in
                for number in 0..<5_000 {
                    try save.insert("Film", ["title": .string("title \(number)")])
                }
            }
            var note = Attribute(name: "note", type: .string)
            note.defaultValue = .string(String(repeating: "n", count: 500))
            var options = StoreOptions.migrating
            options.sizeLimitBytes = try file.bytes.count + 300_000
            let error = try file.refusal(film([title, note]), options)
            #expect(error?.code == .storage)
            let store = try openStore(file.path, Schema(entities: film([title])))
            let rows = try store.rows("Film")
            #expect(rows.count == 5_000)
            #expect(rows[5_000] == ["title": .string("title 4999")])
            #expect(try RawFile(file.path).meta("former") == nil)
            #expect(try RawFile(file.path).meta("lode")?[4] == 11)
            try store.verifyContents()
            #expect(try store.invariantViolations() == [])
            // The body runs again where the map grows.
            var small = StoreOptions.migrating
            small.initialMapSizeBytes = 1 << 20
            let migrated = try file.migrate(film([title, note]), small)
            #expect(try migrated.rows("Film")[5_000]?["note"] == note.defaultValue)
        }
    }
}
