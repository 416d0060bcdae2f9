// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store
import Testing
import _TestSupport

@Suite struct OpeningTests {
    @Test func createAndOpenAgain() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/films.lode"
            let schema = try FilmModel.sample()
            try {
                let store = try Store.open(at: path, schema: schema, uuid: FilmModel.uuid)
                #expect(store.path == path)
                #expect(store.uuid == FilmModel.uuid)
                #expect(store.schema == schema)
                #expect(store.tables.map(\.entity.name) == ["Film", "Person"])
                try store.write { _ = try $0.insert("Film", ["title": .string("Solaris")]) }
                try store.sync()
            }()
            let other = UUIDValue(high: 1, low: 1)
            let store = try Store.open(at: path, schema: schema, uuid: other)
            #expect(store.uuid == FilmModel.uuid)
            let snapshot = try store.makeSnapshot()
            #expect(try snapshot.count(of: store.table("Film")) == 1)
            #expect(try snapshot.count(of: store.table("Person")) == 0)
        }
    }

    @Test func fileBringsItsModel() throws {
        try withTemporaryDirectory { directory in
            let schema = try FilmModel.rich()
            _ = try openStore(directory + "/a.lode", schema)
            #expect(try openStore(directory + "/a.lode", nil).schema == schema)
        }
    }

    @Test func twoReferencesShareTheFile() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let one = try openStore(path, FilmModel.sample())
            let two = try openStore(path, nil)
            try one.write { _ = try $0.insert("Person", ["name": .string("Ida")]) }
            #expect(try two.makeSnapshot().count(of: two.table("Person")) == 1)
            #expect(one.lastTransactionID == two.lastTransactionID)
        }
    }

    @Test func missingFile() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/none.lode"
            let schema = try FilmModel.sample()
            #expect(refusal(path)?.code == .storage)
            #expect(refusal(path)?.storageCode == 2)
            var options = StoreOptions.fast
            options.createsIfMissing = false
            #expect(refusal(path, schema, options)?.storageCode == 2)
            options = .fast
            options.isReadOnly = true
            #expect(refusal(path, schema, options)?.storageCode == 2)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }

    @Test func readOnly() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let key = try openStore(path, FilmModel.sample()).write {
                try $0.insert("Person", ["name": .string("Ida")])
            }
            var options = StoreOptions.fast
            options.isReadOnly = true
            let store = try openStore(path, nil, options)
            #expect(store.isReadOnly)
            #expect(try store.makeSnapshot().values(key) == ["name": .string("Ida")])
            let error = storeError { try store.write { _ in } }
            #expect(error?.code == .readOnly)
            #expect(
                error?.description
                    == "\(path): the store was opened read-only; open it for writing to save")
        }
    }

    @Test func durabilityLevels() throws {
        try withTemporaryDirectory { directory in
            for durability in [StoreOptions.Durability.full, .relaxed, .none] {
                let path = directory + "/\(durability).lode"
                var options = StoreOptions()
                options.durability = durability
                let key = try openStore(path, FilmModel.sample(), options).write {
                    try $0.insert("Person", ["name": .string("Ida")])
                }
                let snapshot = try openStore(path, nil, options).makeSnapshot()
                #expect(try snapshot.values(key) == ["name": .string("Ida")])
            }
        }
    }

    @Test func creationThatWasInterrupted() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            _ = try openStore(path, FilmModel.sample())
            try {
                let file = try RawFile(path)
                for name in ["lode", "model", "catalog"] {
                    try file.delete(Array(name.utf8), in: "meta")
                }
            }()
            #expect(refusal(path)?.code == .notAStore)
            let store = try openStore(path, FilmModel.sample())
            #expect(store.tables.count == 2)
        }
    }

    @Test func aFileThatOthersMakeAtTheSameTime() async throws {
        try await withTemporaryDirectory { directory in
            for number in 0..<40 {
                let path = directory + "/\(number).lode"
                let open = { @Sendable in _ = try openStore(path, FilmModel.sample()) }
                try await runOnThreads([open, open, open])
            }
        }
    }

    @Test func userMetadata() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let store = try openStore(path, FilmModel.sample(), .fast.unsealed)
            try store.write { try $0.setMetadata([1, 2, 3], for: "colour") }
            #expect(try RawFile(path).meta("user/colour") == [1, 2, 3])
            try store.write { try $0.setMetadata(nil, for: "colour") }
            #expect(try RawFile(path).meta("user/colour") == nil)
        }
    }
}
