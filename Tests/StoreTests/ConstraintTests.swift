// SPDX-License-Identifier: Apache-2.0

import Schema
import Store
import Testing
import _TestSupport

@Suite struct ConstraintTests {
    private static func withStore(_ body: (Store) throws -> Void) throws {
        try withTemporaryDirectory { directory in
            try body(try openStore(directory + "/a.lode", FilmModel.tracks()))
        }
    }

    private func track(_ album: Value, _ side: Value) -> [String: Value] {
        ["album": album, "side": side]
    }

    @Test func equalValuesAreRefused() throws {
        try Self.withStore { store in
            let first = try store.write {
                try $0.insert("Track", track(.string("Low"), .integer16(1)))
            }
            let error = storeError {
                try store.write { save in
                    try save.insert("Track", track(.string("Low"), .integer16(2)))
                    try save.insert("Track", track(.string("Low"), .integer16(1)))
                }
            }
            #expect(error?.code == .constraint)
            #expect(
                error?.message
                    == "two objects of Track have the same album, side; change one of them, or "
                    + "choose a merge policy that decides")
            #expect(error?.objects.map(\.row) == [3, 1])
            #expect(error?.constraint?.entity == "Track")
            #expect(error?.constraint?.index == "places")
            let snapshot = try store.makeSnapshot()
            #expect(try snapshot.objects("Track").keys.sorted() == [first])
            #expect(try snapshot.scan("Track", 0) == [first])
        }
    }

    @Test func twoNewObjectsCollide() throws {
        try Self.withStore { store in
            let error = storeError {
                try store.write { save in
                    try save.insert("Track", track(.string("Low"), .integer16(1)))
                    try save.insert("Track", track(.string("Low"), .integer16(1)))
                }
            }
            #expect(error?.code == .constraint)
            #expect(error?.objects.map(\.row) == [2, 1])
        }
    }

    /// Values that ascend, as numbers that others give mostly do: with the last one that is stored,
    /// with each other, and with keys that are cut.
    @Test(arguments: [0, 300]) func ascendingValuesCollide(_ padding: Int) throws {
        func album(_ number: Int) -> Value {
            .string(String(repeating: "x", count: 2 * padding) + String(number))
        }
        try Self.withStore { store in
            try store.write { save in
                for number in 100..<140 {
                    try save.insert("Track", track(album(number), .integer16(1)))
                }
            }
            // The last one that is there, then one that comes twice, then nothing.
            for (numbers, rows) in [
                (Array(139..<160), [41, 40]), (Array(150..<180) + [179], [71, 70]),
                (Array(150..<165) + [157] + Array(165..<180), [56, 48]),
            ] as [([Int], [UInt64])] {
                let error = storeError {
                    try store.write { save in
                        for number in numbers {
                            try save.insert("Track", track(album(number), .integer16(1)))
                        }
                    }
                }
                #expect(error?.code == .constraint)
                #expect(error?.objects.map(\.row) == rows)
            }
            let keys = try store.write { save in
                try (140..<200).map { try save.insert("Track", track(album($0), .integer16(1))) }
            }
            let snapshot = try store.makeSnapshot()
            #expect(try snapshot.scan("Track", 0).count == 100)
            #expect(try snapshot.scan("Track", 0).suffix(60) == keys)
            try store.verifyContents()
        }
    }

    @Test func updatesCollideToo() throws {
        try Self.withStore { store in
            let (first, second) = try store.write { save in
                (
                    try save.insert("Track", track(.string("Low"), .integer16(1))),
                    try save.insert("Track", track(.string("Low"), .integer16(2)))
                )
            }
            let error = storeError {
                try store.write { try $0.update(second, ["side": .integer16(1)]) }
            }
            #expect(error?.objects == [second, first])
            // A change that keeps the values does not collide.
            try store.write { try $0.update(second, ["side": .integer16(2)]) }
        }
    }

    @Test func nullsAreExempt() throws {
        try Self.withStore { store in
            try store.write { save in
                for _ in 0..<3 {
                    try save.insert("Track", track(.string("Low"), .null))
                    try save.insert("Track", track(.null, .null))
                    try save.insert("Track", track(.null, .integer16(1)))
                }
            }
            #expect(try store.makeSnapshot().objects("Track").count == 9)
        }
    }

    @Test func valuesMayMoveWithinOneTransaction() throws {
        try Self.withStore { store in
            let (first, second) = try store.write { save in
                (
                    try save.insert("Track", track(.string("Low"), .integer16(1))),
                    try save.insert("Track", track(.string("Low"), .integer16(2)))
                )
            }
            try store.write { save in
                try save.update(first, ["side": .integer16(2)])
                try save.update(second, ["side": .integer16(1)])
            }
            let third = try store.write { save in
                try save.delete(first)
                return try save.insert("Track", track(.string("Low"), .integer16(2)))
            }
            #expect(try store.makeSnapshot().scan("Track", 0) == [second, third])
        }
    }

    @Test func longKeysAreToldApartByTheirRecords() throws {
        try Self.withStore { store in
            let start = String(repeating: "x", count: 600)
            var keys: [ObjectKey] = []
            for end in ["a", "b", "c"] {
                keys.append(
                    try store.write {
                        try $0.insert("Track", track(.string(start + end), .integer16(1)))
                    })
            }
            // The cut keys are equal; the collision is with the second of them.
            let error = storeError {
                try store.write {
                    _ = try $0.insert("Track", track(.string(start + "b"), .integer16(1)))
                }
            }
            #expect(error?.code == .constraint)
            #expect(error?.objects.last == keys[1])
            // The last value lies wholly behind the cut.
            try store.write {
                _ = try $0.insert("Track", track(.string(start + "b"), .integer16(2)))
            }
            try store.write { try $0.update(keys[2], ["album": .string(start + "d")]) }
            let renamed = storeError {
                try store.write { try $0.update(keys[0], ["album": .string(start + "d")]) }
            }
            #expect(renamed?.objects == [keys[0], keys[2]])
            #expect(try store.makeSnapshot().scan("Track", 0).count == 4)
        }
    }
}
