// SPDX-License-Identifier: Apache-2.0

import Foundation
import LMDB
import Schema
import Store
import Testing
import _TestSupport

private func key(_ entity: UInt16, _ row: UInt64) -> ObjectKey {
    ObjectKey(entity: EntityNumber(rawValue: entity), row: row)
}

private func owner(_ component: UInt64, of gameObject: UInt64) -> ComponentOwner {
    ComponentOwner(component: key(1, component), gameObject: key(2, gameObject))
}

@Suite struct ComponentTests {
    private static let stats = EntityNumber(rawValue: 7)
    private static let names = EntityNumber(rawValue: 8)

    private static func withStore(_ body: (Store) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            try body(try openStore(directory + "/a.lode", FilmModel.sample()))
        }
    }

    @Test func lookUps() throws {
        try Self.withStore { store in
            try store.write { save in
                // Rows that sort differently as bytes and as numbers.
                for row in [UInt64(256), 1, 255, 65_536] {
                    try save.putComponent(data: key(7, row), owner: owner(row, of: 10))
                }
                try save.putComponent(data: key(8, 1), owner: owner(900, of: 10))
                try save.putComponent(data: key(7, 2), owner: owner(901, of: 300))
                try save.putComponent(data: key(8, 2), owner: owner(902, of: 11))
            }
            let snapshot = try store.makeSnapshot()
            #expect(
                try snapshot.components(of: key(2, 10), type: Self.stats).map(\.row)
                    == [1, 255, 256, 65_536])
            #expect(try Array(snapshot.components(of: key(2, 10), type: Self.names)) == [key(8, 1)])
            #expect(try snapshot.components(of: key(2, 11), type: Self.stats).isEmpty)
            #expect(
                try snapshot.gameObjects(withType: Self.stats).map(\.row) == [10, 300])
            #expect(
                try snapshot.gameObjects(withType: Self.names).map(\.row) == [10, 11])
            #expect(try snapshot.gameObjects(withType: EntityNumber(rawValue: 9)).isEmpty)
            #expect(try snapshot.owner(ofData: key(7, 255)) == owner(255, of: 10))
            #expect(try snapshot.owner(ofData: key(7, 3)) == nil)
        }
    }

    @Test func deleting() throws {
        try Self.withStore { store in
            try store.write { save in
                try save.putComponent(data: key(7, 1), owner: owner(1, of: 10))
                try save.putComponent(data: key(7, 2), owner: owner(2, of: 10))
            }
            try store.write { save in
                try save.deleteComponent(data: key(7, 1), owner: owner(1, of: 10))
                try save.deleteComponent(data: key(7, 9), owner: owner(9, of: 10))
            }
            let snapshot = try store.makeSnapshot()
            #expect(try Array(snapshot.components(of: key(2, 10), type: Self.stats)) == [key(7, 2)])
            #expect(try snapshot.owner(ofData: key(7, 1)) == nil)
            #expect(try snapshot.owner(ofData: key(7, 2)) == owner(2, of: 10))
        }
    }

    @Test func claimByAnotherComponentOfTheSameObject() throws {
        try Self.withStore { store in
            try store.write { save in
                try save.putComponent(data: key(7, 1), owner: owner(1, of: 10))
                try save.putComponent(data: key(7, 1), owner: owner(2, of: 10))
                try save.deleteComponent(data: key(7, 1), owner: owner(1, of: 10))
            }
            let snapshot = try store.makeSnapshot()
            #expect(try Array(snapshot.components(of: key(2, 10), type: Self.stats)) == [key(7, 1)])
            #expect(try snapshot.owner(ofData: key(7, 1)) == owner(2, of: 10))
        }
    }

    @Test(arguments: [
        [0, 0, 0, 7], [0, 0, 0, 7, 1, 2], [0, 0, 0, 7] + Array(repeating: 1, count: 9),
    ])
    func damagedKeys(key: [UInt8]) throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let store = try openStore(path, FilmModel.sample())
            try RawFile(path).put(
                [1, 0, 0, 0, 0, 0, 7, 0], for: key, in: "components",
                [.dupSort, .dupFixed, .integerDup])
            let snapshot = try store.makeSnapshot()
            let error = storeError { _ = try snapshot.gameObjects(withType: Self.stats) }
            #expect(error?.code == .damaged)
            #expect(error?.path == path)
            #expect(error?.message.contains("\(key.count) bytes instead of 12") == true)
            #expect(error?.message.contains("restore the file from a copy") == true)
            #expect(try snapshot.gameObjects(withType: Self.names).isEmpty)
        }
    }

    @Test func damagedOwners() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let store = try openStore(path, FilmModel.sample(), .fast.unsealed)
            let data = ObjectKey(entity: Self.stats, row: 1)
            try RawFile(path).put(
                [1, 2, 3], for: withUnsafeBytes(of: data.rawValue) { Array($0) }, in: "owners",
                .integerKey)
            let snapshot = try store.makeSnapshot()
            let error = storeError { _ = try snapshot.owner(ofData: data) }
            #expect(error?.code == .damaged)
            #expect(error?.path == path)
            #expect(error?.message.contains("3 bytes instead of 16") == true)
        }
    }

    /// Many of one type in one game object; that took the square of their number once.
    @Test func checkingManyComponents() async {
        await #expect(processExitsWith: .success) {
            try ComponentTests.withStore { store in
                try store.write { save in
                    for row in 1...20_000 as ClosedRange<UInt64> {
                        try save.putComponent(data: key(7, row), owner: owner(row, of: 10))
                    }
                }
                alarm(30)
                try store.verifyContents()
            }
        }
    }

    @Test func ownersWithoutAnEntryAreFound() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/a.lode"
            let store = try openStore(path, FilmModel.sample())
            try store.write { save in
                for row in 1...9 as ClosedRange<UInt64> {
                    try save.putComponent(data: key(7, row), owner: owner(row, of: 10))
                }
            }
            try store.verifyContents()
            let flags: DatabaseFlags = [.dupSort, .dupFixed, .integerDup]
            let raw = try RawFile(path)
            let entry = try #require(try raw.entries("components", flags).first)
            try raw.delete(entry.key, in: "components", flags)
            for row in [1, 2, 3, 4, 6, 7, 8, 9] as [UInt64] {
                let value = withUnsafeBytes(of: key(7, row).rawValue) { Array($0) }
                try raw.put(value, for: entry.key, in: "components", flags)
            }
            let error = storeError { try store.verifyContents() }
            #expect(error?.code == .damaged)
            #expect(error?.objects == [key(2, 10), key(7, 5)])
        }
    }

    @Test func claimByAnotherObject() throws {
        try Self.withStore { store in
            try store.write { save in
                try save.putComponent(data: key(7, 1), owner: owner(1, of: 10))
                try save.putComponent(data: key(7, 1), owner: owner(2, of: 11))
                try save.deleteComponent(data: key(7, 1), owner: owner(1, of: 10))
            }
            let snapshot = try store.makeSnapshot()
            #expect(try snapshot.components(of: key(2, 10), type: Self.stats).isEmpty)
            #expect(try Array(snapshot.components(of: key(2, 11), type: Self.stats)) == [key(7, 1)])
            #expect(try Array(snapshot.gameObjects(withType: Self.stats)) == [key(2, 11)])
            #expect(try snapshot.owner(ofData: key(7, 1)) == owner(2, of: 11))
        }
    }

    @Test func componentsOfNewData() throws {
        try Self.withStore { store in
            try store.write { save in
                #expect(try save.putComponent(ofNewData: key(7, 3), owner: owner(1, of: 10)))
                #expect(try save.putComponent(ofNewData: key(8, 1), owner: owner(2, of: 10)))
                #expect(try save.putComponent(ofNewData: key(7, 4), owner: owner(3, of: 11)))
                // The save may have given it away, and has given away the other.
                #expect(try !save.putComponent(ofNewData: key(7, 2), owner: owner(4, of: 12)))
                #expect(try !save.putComponent(ofNewData: key(7, 4), owner: owner(5, of: 12)))
                #expect(try save.componentOwner(ofData: key(7, 2)) == nil)
                #expect(try save.componentOwner(ofData: key(7, 4)) == owner(3, of: 11))
                try save.putComponent(data: key(7, 9), owner: owner(6, of: 9))
                #expect(try !save.putComponent(ofNewData: key(7, 8), owner: owner(7, of: 12)))
                #expect(try save.putComponent(ofNewData: key(7, 10), owner: owner(8, of: 10)))
                try save.deleteComponent(data: key(7, 10), owner: owner(8, of: 10))
                #expect(try save.putComponent(ofNewData: key(7, 11), owner: owner(9, of: 10)))
            }
            let snapshot = try store.makeSnapshot()
            #expect(
                try Array(snapshot.components(of: key(2, 10), type: Self.stats))
                    == [key(7, 3), key(7, 11)])
            #expect(try Array(snapshot.components(of: key(2, 10), type: Self.names)) == [key(8, 1)])
            #expect(
                try snapshot.gameObjects(withType: Self.stats).map(\.row) == [9, 10, 11])
            #expect(try snapshot.owner(ofData: key(7, 4)) == owner(3, of: 11))
            #expect(try snapshot.owner(ofData: key(7, 10)) == nil)
            #expect(try snapshot.owner(ofData: key(8, 1)) == owner(2, of: 10))
            try store.verifyContents()
        }
    }

    /// Types and game objects come in any order, in several saves, with many data of some.
    @Test(arguments: 1...6 as ClosedRange<UInt64>) func manyComponents(_ seed: UInt64) throws {
        var random = SplitMix64(state: seed)
        try Self.withStore { store in
            var rows: [UInt16: UInt64] = [:]
            var expected: [[UInt64]: [ObjectKey]] = [:]
            var owners: [ObjectKey: ComponentOwner] = [:]
            var component: UInt64 = 0
            for _ in 0..<4 {
                try store.write { save in
                    var gameObject = random.next() % 50
                    for _ in 0..<3_000 {
                        // Mostly upwards, as they are made.
                        if random.next() % 3 == 0 { gameObject += random.next() % 4 }
                        if random.next() % 500 == 0 { gameObject = random.next() % 900 }
                        let type = 6 + UInt16(random.next() % 3)
                        rows[type, default: 0] += 1 + random.next() % 2
                        let data = key(type, rows[type, default: 0])
                        component += 1
                        let owner = owner(component, of: gameObject + 1)
                        let isNew = try save.putComponent(ofNewData: data, owner: owner)
                        #expect(isNew)
                        expected[[UInt64(type), gameObject + 1], default: []].append(data)
                        owners[data] = owner
                    }
                }
            }
            let snapshot = try store.makeSnapshot()
            for (place, data) in expected {
                let type = EntityNumber(rawValue: UInt16(place[0]))
                #expect(
                    try Array(snapshot.components(of: key(2, place[1]), type: type)) == data)
            }
            for (data, owner) in owners { #expect(try snapshot.owner(ofData: data) == owner) }
            for type in 6..<9 as Range<UInt16> {
                let games = expected.keys.filter { $0[0] == UInt64(type) }.map { $0[1] }.sorted()
                let found = try snapshot.gameObjects(withType: EntityNumber(rawValue: type))
                #expect(found.map(\.row) == games)
            }
            try store.verifyContents()
        }
    }

    @Test func componentsInThePlaceOfData() throws {
        try Self.withStore { store in
            try store.write { save in
                for row in [1, 2, 3, 5, 6, 9] as [UInt64] {
                    try save.putComponent(data: key(7, row), owner: owner(100 + row, of: 10))
                }
                try save.putComponent(data: key(8, 1), owner: owner(201, of: 10))
            }
            let snapshot = try store.makeSnapshot()
            var keys = ContiguousArray([5, 6, 7, 8, 9, 3, 4, 1, 2, 3].map { key(7, $0) })
            keys += [key(8, 1), key(8, 2), key(6, 1)]
            try snapshot.replaceByComponents(&keys)
            #expect(
                keys.map(\.description)
                    == ["105", "106", "109", "103", "101", "102", "103", "201"].map { "1/p" + $0 })
            keys = [key(7, 4)]
            try snapshot.replaceByComponents(&keys)
            #expect(keys.isEmpty)
        }
    }

    /// More than a batch, whose game objects come in another order than their data.
    @Test func manyComponentsOfNewData() throws {
        try Self.withStore { store in
            try store.write { save in
                for row in 1...10_000 as ClosedRange<UInt64> {
                    let isNoted = try save.putComponent(
                        ofNewData: key(7, row), owner: owner(row, of: 5_001 - (row + 1) / 2))
                    #expect(isNoted)
                }
            }
            try store.verifyContents()
            let snapshot = try store.makeSnapshot()
            #expect(
                try snapshot.gameObjects(withType: Self.stats).map(\.row)
                    == (1...5_000).map(UInt64.init))
            // The cursor of a look-up goes on where the last one was, and also back.
            for object in [1, 2, 5_000, 4_999, 3, 5_001, 3] as [UInt64] {
                let data = try snapshot.components(of: key(2, object), type: Self.stats)
                let last = 2 * (5_001 - object)
                #expect(data.map(\.row) == (object == 5_001 ? [] : [last - 1, last]))
                for data in data {
                    #expect(try snapshot.owner(ofData: data) == owner(data.row, of: object))
                }
            }
        }
    }
}
