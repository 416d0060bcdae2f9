// SPDX-License-Identifier: Apache-2.0

import Schema
import Store
import Testing
import _TestSupport

@Suite struct ExternalValueTests {
    private static func withStore(_ body: (Store, () throws -> [Int]) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let store = try openStore(path, FilmModel.rich(), .fast.unsealed)
            try body(store) { try RawFile(path).entries("blobs").map(\.value.count) }
        }
    }

    private func poster(_ count: Int, _ seed: UInt64 = 71) -> [String: Value] {
        var random = SeededGenerator(seed: seed)
        return ["poster": .binaryData(random.bytes(count: count))]
    }

    @Test(
        arguments: [
            (1_024, []), (1_025, [1_025]), (65_520, [65_520]), (65_521, [65_520, 1]),
            (65_536, [65_520, 16]), (1 << 20, Array(repeating: 65_520, count: 16) + [256]),
        ] as [(Int, [Int])])
    func sizes(count: Int, chunks: [Int]) throws {
        try Self.withStore { store, blobs in
            let values = poster(count)
            let key = try store.write { try $0.insert("Film", values) }
            #expect(try blobs() == chunks)
            #expect(try store.makeSnapshot().values(key)?["poster"] == values["poster"])
        }
    }

    @Test func replacedAndDeleted() throws {
        try Self.withStore { store, blobs in
            let (key, other) = try store.write { save in
                (
                    try save.insert("Film", poster(1 << 20)),
                    try save.insert("Film", poster(2_000))
                )
            }
            let shorter = poster(70_000, 72)
            try store.write { try $0.update(key, shorter) }
            #expect(try blobs() == [65_520, 4_480, 2_000])
            #expect(try store.makeSnapshot().values(key)?["poster"] == shorter["poster"])
            // A change of something else keeps the value.
            try store.write { try $0.update(key, ["year": .integer16(1)]) }
            #expect(try store.makeSnapshot().values(key)?["poster"] == shorter["poster"])
            // A small value, and none, leave nothing behind.
            try store.write { try $0.update(key, poster(10)) }
            #expect(try blobs() == [2_000])
            try store.write { try $0.update(key, shorter) }
            try store.write { try $0.update(key, ["poster": .null]) }
            #expect(try blobs() == [2_000])
            try store.write { try $0.update(key, shorter) }
            try store.write { try $0.delete(key) }
            #expect(try blobs() == [2_000])
            try store.write { try $0.delete(other) }
            #expect(try blobs() == [])
        }
    }

    @Test func missingChunkIsDamage() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let store = try openStore(path, FilmModel.rich())
            let key = try store.write { try $0.insert("Film", poster(70_000)) }
            let file = try RawFile(path)
            try file.delete(try #require(try file.entries("blobs").last).key, in: "blobs")
            let error = storeError { _ = try store.makeSnapshot().values(key) }
            #expect(error?.code == .damaged)
            #expect(
                error?.message
                    == "chunk 1 of property 4 of object 1/p1 is missing; restore the file from "
                    + "a copy")
        }
    }
}
