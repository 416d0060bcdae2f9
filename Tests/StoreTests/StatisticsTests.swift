// SPDX-License-Identifier: Apache-2.0

import Schema
import Store
import Testing
import _TestSupport

@Suite struct StatisticsTests {
    private func withFilms(_ count: Int, _ body: (StoreStatistics) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            let store = try openStore(
                directory + "/a.lode", FilmModel.rich(storesPostersOutside: true))
            try store.write { save in
                for number in 0..<count {
                    let key = try save.insert(
                        "Film",
                        [
                            "title": .string("Film \(number)"),
                            "poster": .binaryData([UInt8](repeating: 1, count: 100)),
                        ])
                    let person = ObjectKey(entity: try store.table("Person").number, row: 7)
                    let films = try #require(try store.table("Person").relationship(named: "films"))
                    save.link(person, to: key, films)
                }
            }
            try body(try store.statistics())
        }
    }

    private func names(_ statistics: StoreStatistics) -> [String] {
        statistics.tables.map {
            "\($0.kind) \($0.entity ?? "-") \($0.name ?? "-") \($0.entries)"
        }
    }

    @Test func countsEntriesOfEveryTable() throws {
        try withFilms(3) { statistics in
            #expect(
                names(statistics) == [
                    "objects Film - 3", "index Film byYear 3", "index Film byDirector 3",
                    "objects Person - 0", "links Person films 3", "largeValues - blobs 3",
                    "components - components 0", "components - owners 0", "catalog - meta 4",
                ])
            for table in statistics.tables {
                #expect(table.pages == (table.entries == 0 ? 0 : 1), "\(table)")
                #expect(table.depth == (table.entries == 0 ? 0 : 1), "\(table)")
                #expect(table.bytes == table.pages * statistics.pageSizeBytes)
            }
        }
    }

    @Test func largerTablesHaveMorePages() throws {
        try withFilms(2_000) { statistics in
            let films = try #require(statistics.tables.first)
            #expect(films.entries == 2_000)
            #expect(films.depth == 2)
            // A record has more than 32 bytes.
            #expect(films.bytes > 64_000)
            #expect(films.bytes == films.pages * statistics.pageSizeBytes)
            #expect(statistics.tableBytes == statistics.tables.reduce(0) { $0 + $1.bytes })
            #expect(statistics.tableBytes <= statistics.fileSizeBytes)
            #expect(statistics.otherBytes == statistics.fileSizeBytes - statistics.tableBytes)
        }
    }

    @Test func inheritedTablesCountOnce() throws {
        let schema = try Schema(entities: [
            Entity(
                name: "Animal", attributes: [Attribute(name: "name", type: .string)],
                relationships: [
                    Relationship(
                        name: "friends", destination: "Animal", inverse: "friends", isToMany: true)
                ], indexes: [Index(name: "byName", properties: ["name"])]),
            Entity(
                name: "Cat", superentity: "Animal",
                attributes: [
                    Attribute(name: "name", type: .string),
                    Attribute(name: "lives", type: .integer16),
                ],
                relationships: [
                    Relationship(
                        name: "friends", destination: "Animal", inverse: "friends", isToMany: true)
                ],
                indexes: [
                    Index(name: "byName", properties: ["name"]),
                    Index(name: "byLives", properties: ["lives"]),
                ]),
        ])
        try withTemporaryDirectory { directory in
            let store = try openStore(directory + "/a.lode", schema)
            try store.write { _ = try $0.insert("Cat", ["name": .string("Tom")]) }
            #expect(
                names(try store.statistics()).prefix(5) == [
                    "objects Animal - 0", "links Animal friends 0", "index Animal byName 1",
                    "objects Cat - 1", "index Cat byLives 1",
                ])
        }
    }
}
