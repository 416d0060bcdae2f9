// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store
import Testing
import _TestSupport

/// Compares the samples of value components in `FileFormat.md` with a file.
@Suite struct ColumnFormatTests {
    @Test func theFileIsAsTheDocumentSays() throws {
        let samples = try HexSamples.ofFileFormat().samples
        try ColumnFile.with { file throws in
            let raw = try RawFile(file.path)
            #expect(try raw.meta("lode") == samples["header-columns"])
            #expect(try raw.meta("columns") == samples["columns-types"])
            let chunk = try raw.entries("columns")[0].value
            #expect(hexText(chunk.prefix(56)) == samples["columns-chunk"].map(hexText))
            #expect(chunk.count == 2_096)
            #expect(chunk.dropFirst(56).allSatisfy { $0 == 0 })
            let place = try raw.entries("columns")[1]
            #expect(place.key == [0, 0, 0, 2, 0, 0, 0, 0])
            #expect(place.value.count == 33_328)
            #expect(hexText(place.value[568..<576]) == "01 00 00 00 02 00 00 00")
            let counter = try file.store.table("GameObject").number
            try raw.setMeta(
                "row/\(counter.rawValue)",
                EntrySeal(version: 7).seal(
                    [0, 0x20, 0, 0, 0, 0, 0, 0], for: Array("row/\(counter.rawValue)".utf8)))
            try file.store.write { save in
                let bytes = ColumnFile.chunk(ColumnFile.place, [0: []], number: 1)
                try save.putColumnChunk(2, 1, byteCount: bytes.count) { $0.copyBytes(from: bytes) }
            }
            #expect(try raw.entries("columns")[2].key == samples["columns-key"])
        }
    }
}
