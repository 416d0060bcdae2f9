// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Store
import Testing
import _TestSupport

/// Columns whose rows are not those of game objects.
@Suite struct ColumnKindTests {
    static let parent = StoredColumnType(
        number: 3, name: "ChildOf", size: 16, stride: 16, alignment: 8,
        kind: ColumnKindCode(rawValue: 0x15), fields: fields)
    static let likes = StoredColumnType(
        number: 5, name: "Likes", size: 16, stride: 16, alignment: 8,
        kind: ColumnKindCode(rawValue: 1), fields: fields)
    static let turn = StoredColumnType(
        number: 4, name: "resource/Turn", size: 4, stride: 4, alignment: 4,
        kind: ColumnKindCode(rawValue: 2), fields: "number:Int32@0")
    private static let fields = "source:GameObjectID@0 target:GameObjectID@8"

    @Test func kindsAreAsTheDocumentSays() throws {
        let sample = try #require(try HexSamples.ofFileFormat().samples["columns-kinds"])
        try ColumnFile.with { file throws in
            try file.store.makeColumns(withKinds: true)
            try file.store.write { try $0.setColumnTypes([Self.parent, Self.turn]) }
            let raw = try RawFile(file.path)
            #expect(hexText(try raw.meta("columns")?.dropLast(4) ?? []) == hexText(sample))
            #expect(try raw.meta("lode").map { hexText($0[4..<8]) } == "0e 00 0e 00")
            #expect(try file.store.makeSnapshot().columnTypes() == [Self.parent, Self.turn])
        }
    }

    @Test func onlyRowsOfGameObjectsMustBeThere() throws {
        try ColumnFile.with { file throws in
            try file.store.makeColumns(withKinds: true)
            let entity = UInt64(try file.store.table("GameObject").number.rawValue) << 48
            func link(_ source: UInt64, _ target: UInt64) -> [UInt8] {
                [source, target].flatMap { key in
                    withUnsafeBytes(of: (entity | key).littleEndian) { Array($0) }
                }
            }
            try file.store.write { save in
                let row = try save.allocateRows(1, in: try file.store.table("GameObject"))
                #expect(row == 4)
                try save.setColumnTypes(
                    [ColumnFile.alive, ColumnFile.place, Self.parent, Self.turn, Self.likes])
                try save.put(Self.likes, ColumnFile.chunk(Self.likes, [4: link(1, 2)]))
                try save.put(Self.turn, ColumnFile.chunk(Self.turn, [0: [1, 0, 0, 0]]))
                try save.put(Self.parent, ColumnFile.chunk(Self.parent, [2: link(2, 1)]))
            }
            try file.store.verifyContents()
            let row = "which there is not; restore the file from a copy"
            let wrong: [(StoredColumnType, [Int], [UInt8])] = [
                (Self.likes, [4, 5], link(1, 2)), (Self.turn, [0, 1], [1, 0, 0, 0]),
            ]
            for (type, rows, value) in wrong {
                let bytes = ColumnFile.chunk(
                    type, Dictionary(uniqueKeysWithValues: rows.map { ($0, value) }))
                let found = try file.complaint(bytes, ColumnFile.key(type.number))
                #expect(
                    found == "chunk 0 of the component \(type.name) has a value of the game object "
                        + "\(rows[1]), \(row)")
                let whole = ColumnFile.chunk(type, [rows[0]: value])
                #expect(try file.complaint(whole, ColumnFile.key(type.number)) == nil)
            }
            #expect(ColumnFile.chunk(Self.turn, [0: [1, 0, 0, 0]]).count == 368)
            let lost = ColumnFile.chunk(Self.parent, [4: link(4, 1)])
            #expect(
                try file.complaint(lost, ColumnFile.key(3))
                    == "chunk 0 of the component ChildOf has a value of the game object 4, which "
                    + "there is not; restore the file from a copy")
        }
    }
}
