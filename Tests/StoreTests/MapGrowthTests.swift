// SPDX-License-Identifier: Apache-2.0

import LMDB
import Schema
import Store
import Testing
import _TestSupport

@Suite struct MapGrowthTests {
    private static func withStore(_ body: (Store) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            var options = StoreOptions.fast
            options.initialMapSizeBytes = 65_536
            try body(try openStore(directory + "/a.lode", FilmModel.rich(), options))
        }
    }

    /// Writes about 1 MiB.
    private func fill(_ store: Store) throws -> Int {
        var runs = 0
        try store.write { save in
            runs += 1
            for number in 0..<200 {
                let poster = Value.binaryData([UInt8](repeating: UInt8(number), count: 5_000))
                try save.insert(
                    "Film", ["year": .integer16(Int16(number)), "poster": poster])
            }
        }
        return runs
    }

    private func check(_ snapshot: StoreSnapshot) throws {
        let films = try snapshot.objects("Film")
        #expect(films.count == 200)
        for (key, values) in films {
            let byte = UInt8(key.row - 1)
            #expect(values["poster"] == .binaryData([UInt8](repeating: byte, count: 5_000)))
        }
        #expect(try snapshot.scan("Film", 0).map(\.row) == Array(1...200))
    }

    @Test func growsWithoutSnapshots() throws {
        try Self.withStore { store in
            #expect(try fill(store) > 1)
            try check(try store.makeSnapshot())
        }
    }

    @Test func growsWithAParkedSnapshot() throws {
        try Self.withStore { store in
            let snapshot = try store.makeSnapshot()
            snapshot.park()
            #expect(try fill(store) > 1)
            try snapshot.move()
            try check(snapshot)
        }
    }

    @Test func asksASnapshotToPark() throws {
        try Self.withStore { store in
            // nonisolated(unsafe): the handler runs on this thread, inside the write below.
            nonisolated(unsafe) let snapshot = try store.makeSnapshot()
            snapshot.onRemap {
                snapshot.park()
                return true
            }
            #expect(try fill(store) > 1)
            #expect(!snapshot.isActive)
            try snapshot.move()
            try check(snapshot)
            snapshot.onRemap(nil)
        }
    }

    @Test func throwsWhenASnapshotCannotPark() throws {
        try Self.withStore { store in
            let snapshot = try store.makeSnapshot()
            let error = storeError { _ = try fill(store) }
            #expect(error?.code == .storage)
            #expect(error?.storageCode == LMDBError.Code.snapshotInUse.rawValue)
            #expect(try snapshot.objects("Film").isEmpty)
            // Nothing is lost, and the write works once the snapshot is parked.
            snapshot.park()
            #expect(try fill(store) > 1)
            try snapshot.move()
            try check(snapshot)
        }
    }
}
