// SPDX-License-Identifier: Apache-2.0

import LMDB
import Schema
import Store
import Testing
import _TestSupport

/// What LMDB refuses reaches callers as a `StoreError` with the file and what to do.
@Suite struct ParkedSnapshotTests {
    private static let reads: [(name: String, read: @Sendable (StoreSnapshot) throws -> Void)] = [
        ("record", { _ = try $0.record(for: key) }),
        ("count", { _ = try $0.count(of: try $0.store.table("Film")) }),
        ("records", { _ = try $0.objects("Film") }),
        ("scan", { _ = try $0.scan("Film", 0) }),
        ("scan backwards", { _ = try $0.scan("Film", 1, isReversed: true) }),
        ("destinations", { _ = try $0.destinations(of: key, links($0)) }),
        ("destinationCount", { _ = try $0.destinationCount(of: key, links($0)) }),
        (
            "externalValue",
            { _ = try $0.externalValue(of: key, PropertyNumber(rawValue: 1), byteCount: 9) }
        ),
        ("components", { _ = try $0.components(of: key, type: key.entity) }),
        ("gameObjects", { _ = try $0.gameObjects(withType: key.entity) }),
        ("owner", { _ = try $0.owner(ofData: key) }),
    ]

    private static let key = ObjectKey(entity: EntityNumber(rawValue: 1), row: 1)

    private static func links(_ snapshot: StoreSnapshot) throws -> RelationshipTable {
        try #require(try snapshot.store.table("Person").relationship(named: "films"))
    }

    @Test func everyReadNamesTheFile() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let snapshot = try openStore(path, FilmModel.sample()).makeSnapshot()
            for (name, read) in Self.reads where name != "externalValue" { try read(snapshot) }
            snapshot.park()
            for (name, read) in Self.reads {
                let error = storeError { try read(snapshot) }
                #expect(error?.code == .storage, "\(name)")
                #expect(error?.path == path, "\(name)")
                #expect(error?.storageCode == LMDBError.Code.badTransaction.rawValue, "\(name)")
                #expect(error?.message.contains(". ") == true, "\(name)")
            }
        }
    }

    @Test func scansLetErrorsOfTheirCallersThrough() throws {
        struct Stop: Error {}
        try withTemporaryDirectory { directory in
            let store = try openStore(directory + "/a.lode", FilmModel.sample())
            try store.write { _ = try $0.insert("Film", ["title": .string("Jaws")]) }
            let snapshot = try store.makeSnapshot()
            let titles = try store.table("Film").indexes[1]
            #expect(throws: Stop.self) {
                try snapshot.scan(titles, IndexRange(lower: [], upper: nil)) { _ in throw Stop() }
            }
        }
    }
}
