// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema
import Store
import Testing
import _TestSupport

/// The check of the contents finds value components that are wrong on purpose.
@Suite struct ColumnCheckTests {
    private static let types = [ColumnFile.alive, ColumnFile.place]

    @Test func aHealthyFileIsFine() throws {
        try ColumnFile.with { file throws in
            #expect(try file.store.verifyContents() == 0)
            let columns = try file.store.statistics().tables.filter { $0.kind == .columns }
            #expect(columns.map(\.name) == ["columns"])
            #expect(columns.map(\.entries) == [2])
        }
    }

    @Test func everyFlippedBitIsFound() throws {
        try ColumnFile.with { file throws in
            for type in Self.types {
                let key = ColumnFile.key(type.number)
                let healthy = try #require(
                    try RawFile(file.path).entries("columns").first { $0.key == key }?.value)
                let end = type.format.valuesOffset
                let offsets = Array(0..<52) + [60, end - 1] + (type.stride > 0 ? [end + 9] : [])
                for offset in offsets {
                    for bit in 0..<8 {
                        var bytes = healthy
                        bytes[offset] ^= 1 << bit
                        #expect(
                            try file.complaint(bytes, key)
                                == "chunk 0 of the component \(type.name) does not match its "
                                + "checksum" + damagedAdvice, "bit \(bit) of byte \(offset)")
                    }
                }
                #expect(try file.complaint(healthy, key) == nil)
            }
        }
    }

    @Test func everyOtherSizeIsFound() throws {
        try ColumnFile.with { file throws in
            for size in [0, 1, 7, 47, 48, 52, 2_095, 2_097] {
                #expect(
                    try file.complaint(Array(repeating: 0, count: size), ColumnFile.key(1))
                        == "chunk 0 of the component GameObject has \(size) bytes instead of 2096"
                        + damagedAdvice)
            }
        }
    }

    @Test func headersThatDoNotFitAreFound() throws {
        try ColumnFile.with { file throws in
            let value: [Int: [UInt8]] = [1: [1, 2, 3, 4, 5, 6, 7, 8]]
            let place = ColumnFile.place
            let key = ColumnFile.key(2)
            let other = StoredColumnType(
                number: 3, name: "Other", size: 8, stride: 8, alignment: 8, fields: "")
            let foreign =
                "chunk 0 of the component Place has the header of another" + damagedAdvice
            #expect(try file.complaint(ColumnFile.chunk(other, value), key) == foreign)
            #expect(try file.complaint(ColumnFile.chunk(place, value, number: 1), key) == foreign)
            #expect(try file.complaint(ColumnFile.chunk(place, value, version: 0), key) == foreign)
            #expect(
                try file.complaint(ColumnFile.chunk(place, value, count: 2), key)
                    == "chunk 0 of the component Place has 1 values instead of 2" + damagedAdvice)
            #expect(
                try file.complaint(ColumnFile.chunk(place, [:]), key)
                    == "chunk 0 of the component Place has no values" + damagedAdvice)
            #expect(try file.complaint(ColumnFile.chunk(place, value), key) == nil)
        }
    }

    @Test func componentsOfNoGameObjectAreFound() throws {
        try ColumnFile.with { file throws in
            let dead: [Int: [UInt8]] = [1: [], 70: []]
            #expect(
                try file.complaint(ColumnFile.chunk(ColumnFile.place, dead), ColumnFile.key(2))
                    == "chunk 0 of the component Place has a value of the game object 70, which "
                    + "there is not; restore the file from a copy")
            let healthy = ColumnFile.chunk(ColumnFile.place, [1: []])
            #expect(try file.complaint(healthy, ColumnFile.key(2)) == nil)
            // No such row was ever given.
            for row in [0, 4, 64] {
                #expect(
                    try file.complaint(
                        ColumnFile.chunk(ColumnFile.alive, [1: [], row: []]), ColumnFile.key(1))
                        == "chunk 0 of the component GameObject has a value of the game object "
                        + "\(row), which there is not; restore the file from a copy")
            }
        }
    }

    @Test func chunksBehindAllGameObjectsAreFound() throws {
        for number: UInt32 in [1, .max] {
            try ColumnFile.with { file throws in
                let far = ColumnFile.chunk(ColumnFile.place, [1: []], number: number)
                #expect(
                    try file.complaint(far, ColumnFile.key(2, number))
                        == "chunk \(number) of the component Place is behind all game objects"
                        + damagedAdvice)
            }
        }
    }

    @Test func keysThatAreNoneAreFound() throws {
        for size in [1, 7, 9] {
            try ColumnFile.with { file throws in
                let key = [UInt8](repeating: 0xFF, count: size)
                #expect(
                    try file.complaint([1], key)
                        == "a key of columns has \(size) bytes instead of 8; restore the file from "
                        + "a copy" + damagedAdvice)
            }
        }
        try ColumnFile.with { file throws in
            let chunk = ColumnFile.chunk(ColumnFile.alive, [1: []])
            #expect(
                try file.complaint(chunk, ColumnFile.key(9))
                    == "chunk 0 of columns is of the component 9, which the file does not list; "
                    + "restore the file from a copy")
        }
    }

    @Test func everyFlippedBitOfTheListIsFound() throws {
        try ColumnFile.with { file throws in
            let raw = try RawFile(file.path)
            let healthy = try #require(try raw.meta("columns"))
            for bit in 0..<healthy.count * 8 {
                var bytes = healthy
                bytes[bit / 8] ^= 1 << UInt8(bit % 8)
                try raw.setMeta("columns", bytes)
                #expect(
                    storeError { try file.store.verifyContents() }?.message
                        == "the entry \"columns\" of meta does not match its checksum"
                        + damagedAdvice, "bit \(bit)")
            }
        }
    }

    @Test func listsThatNoWriterMakesAreFound() throws {
        func type(
            number: UInt32 = 3, name: String = "A", size: UInt32 = 4, stride: UInt32 = 4,
            alignment: UInt32 = 4, kind: UInt16 = 0
        ) -> StoredColumnType {
            StoredColumnType(
                number: number, name: name, size: size, stride: stride, alignment: alignment,
                kind: ColumnKindCode(rawValue: kind), fields: "")
        }
        try ColumnFile.with { file throws in
            #expect(try file.complaint(types: Self.types + [type()]) == nil)
            let greatest = type(size: 1_022, stride: 1_022, alignment: 1)
            #expect(try file.complaint(types: Self.types + [greatest]) == nil)
            for wrong in [
                type(number: 0), type(number: .max), type(size: 0), type(size: 5),
                type(stride: 6), type(alignment: 0), type(alignment: 3),
                type(size: 4, stride: 1_023, alignment: 1),
                type(size: 4, stride: .max, alignment: 1), type(stride: 0),
                type(name: "GameObject"), type(kind: 3), type(kind: 1), type(kind: 6),
                type(size: 16, stride: 16, kind: 0x31), type(size: 16, stride: 16, kind: 0x41),
            ] {
                let found = try file.complaint(types: Self.types + [wrong])
                #expect(found?.contains("which cannot be") == true, "\(wrong)")
            }
            for twice in [type(name: "Place"), type(number: 2)] {
                let found = try file.complaint(types: Self.types + [twice])
                #expect(found?.contains("is listed twice") == true, "\(twice)")
            }
            #expect(
                try file.complaint(types: [ColumnFile.alive])
                    == "chunk 0 of columns is of the component 2, which the file does not list; "
                    + "restore the file from a copy")
            for list: [UInt8] in [
                [], [1], [1, 0, 0, 0], [255, 255, 255, 255, 0], [0, 0, 0, 0, 0],
            ] {
                #expect(try file.complaint(list: list)?.hasSuffix(damagedAdvice) == true)
            }
        }
    }

    @Test func filesWithoutSealsAreRefusedAndStayWhatTheyAre() throws {
        try withTemporaryDirectory { directory throws in
            let path = directory + "/old.lode"
            let store = try openStore(path, ColumnFile.schema(), .fast.unsealed)
            let error = storeError { try store.makeColumns() }
            #expect(
                error?.message
                    == "the file began as a format before 5, and value components need a later "
                    + "one; copy its objects to a new file")
            #expect(try store.verifyContents() == 0)
            #expect(try RawFile(path).meta("lode")?[4] == 1)
            #expect(try !RawFile(path).databaseNames.contains("columns"))
        }
    }

    @Test func copiesHaveTheComponents() throws {
        try ColumnFile.with { file throws in
            let copy = file.path + "-copy"
            try file.store.copy(to: copy)
            let store = try openStore(copy, nil)
            #expect(try store.verifyContents() == 0)
            #expect(
                try RawFile(copy).entries("columns") == RawFile(file.path).entries("columns"))
        }
    }
}
