// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing
import _TestSupport

/// Compares the samples of `FileFormat.md` with what the code writes, and reads them back.
@Suite struct FileFormatSampleTests {
    private static let uuid = UUIDValue(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)
    private static let game = ObjectKey(entity: EntityNumber(rawValue: 3), row: 17)

    /// The values of the samples of index keys, with their types.
    private static let keys: [(name: String, values: [(AttributeType, Value)])] = [
        ("index-null", [(.string, .null)]),
        ("index-integer-min", [(.integer64, .integer64(.min))]),
        ("index-integer-negative", [(.integer32, .integer32(-2))]),
        ("index-integer-zero", [(.integer64, .integer64(0))]),
        ("index-integer-positive", [(.integer16, .integer16(1977))]),
        ("index-double-negative", [(.double, .double(-1.5))]),
        ("index-double-zero", [(.date, .date(0))]),
        ("index-double-positive", [(.float, .float(1.5))]),
        ("index-decimal-negative", [(.decimal, decimal(12034, -2, true))]),
        ("index-decimal-zero", [(.decimal, decimal(0, 0, false))]),
        ("index-decimal-positive", [(.decimal, decimal(12034, -2, false))]),
        ("index-boolean", [(.boolean, .boolean(true))]),
        ("index-uuid", [(.uuid, .uuid(uuid))]),
        ("index-object", [(.objectID, .objectID(game))]),
        (
            "index-compound",
            [
                (.integer16, .integer16(1977)), (.string, .string("a\0b")), (.date, .null),
                (.uri, .uri("")), (.boolean, .boolean(false)),
            ]
        ),
    ]

    private static func decimal(
        _ significand: UInt128, _ exponent: Int16, _ isNegative: Bool
    ) -> Value {
        .decimal(
            DecimalValue(significand: significand, exponent: exponent, isNegative: isNegative))
    }

    private static func sample(_ name: String) throws -> [UInt8] {
        try #require(try HexSamples.ofFileFormat().samples[name], "no sample named \(name)")
    }

    /// Here or in StoreTests every sample is checked.
    @Test func noSampleIsForgotten() throws {
        let checkedByStoreTests = [
            "header", "header-ordered", "model", "catalog", "row-counter", "blob-key",
            "component-key", "owners-value", "header-history", "history-entry", "header-epoch",
            "epoch", "header-sealed", "row-counter-sealed", "blob-sealed", "owners-sealed",
            "history-seal", "header-columns", "columns-types", "columns-key", "columns-chunk",
            "columns-kinds", "content", "content-key", "content-type", "history-components",
            "former", "header-migrated",
        ]
        let checkedHere = [
            "object-key", "slot-decimal", "record", "record-narrow", "checksum-empty",
            "checksum-twelve",
            "checksum-fifteen", "index-cut", "ranked-first", "ranked-between",
            "record-sealed", "index-descending", "index-form",
            "index-partial",
        ]
        let names = try HexSamples.ofFileFormat().samples.keys.sorted()
        #expect(names == (checkedByStoreTests + checkedHere + Self.keys.map(\.name)).sorted())
    }

    @Test func objectKey() throws {
        var writer = ByteWriter()
        writer.write(Self.game.rawValue)
        let bytes = try Self.sample("object-key")
        #expect(hexText(writer.bytes) == hexText(bytes))
        var reader = ByteReader(bytes)
        #expect(ObjectKey(rawValue: try reader.read()).description == "3/p17")
    }

    @Test func rankedLinks() throws {
        let between = (RankedLink.firstRank + RankedLink.gap / 2, Self.game.rawValue + 1)
        for (name, rank, destination) in [
            ("ranked-first", RankedLink.firstRank, Self.game.rawValue),
            ("ranked-between", between.0, between.1),
        ] {
            let link = RankedLink(rank: rank, destination: destination)
            let bytes = try Self.sample(name)
            #expect(link.withBytes { hexText(Array($0)) } == hexText(bytes))
            #expect(bytes.withUnsafeBytes { RankedLink($0) } == link)
        }
    }

    @Test func indexKeys() throws {
        for (name, values) in Self.keys {
            let bytes = try Self.sample(name)
            #expect(hexText(IndexKey(values.map(\.1)).bytes) == hexText(bytes), "\(name)")
            var decoder = IndexKeyDecoder(bytes)
            for (type, value) in values { #expect(decoder.next(type) == value, "\(name)") }
            #expect(decoder.isAtEnd, "\(name)")
        }
    }

    @Test func descendingIndexKey() throws {
        let index = Index(
            name: "byYear", properties: ["year", "title", "serial"],
            descending: [true, true, false])
        let key = IndexKey([.integer16(1977), .string("ab"), .null], of: index)
        #expect(hexText(key.bytes) == hexText(try Self.sample("index-descending")))
    }

    @Test func formOfAnIndex() throws {
        let index = Index(
            name: "byYear", properties: ["year", "title"], descending: [true, false])
        let film = Entity(
            name: "Film",
            attributes: [
                Attribute(name: "title", type: .string), Attribute(name: "year", type: .integer16),
            ], indexes: [index])
        try check(film, "index-form")
    }

    @Test func conditionOfAnIndex() throws {
        let index = Index(
            name: "byTitle", properties: ["title"],
            condition: .all([
                .compares("year", .greaterOrEqual, .integer64(1977)), .not(.isNull("title")),
            ]))
        let film = Entity(
            name: "Film",
            attributes: [
                Attribute(name: "title", type: .string), Attribute(name: "year", type: .integer16),
            ], indexes: [index])
        try check(film, "index-partial")
    }

    private func check(_ film: Entity, _ name: String) throws {
        let schema = try Schema(entities: [film])
        let bytes = SchemaCoding.encode(schema)
        let sample = try Self.sample(name)
        // The entity's last index ends the model.
        #expect(hexText(bytes.suffix(sample.count)) == hexText(sample))
        #expect(try SchemaCoding.decode(bytes) == schema)
    }

    @Test func cutIndexKey() throws {
        let key = IndexKey([.string(String(repeating: "x", count: 600))])
        #expect(hexText(key.storedBytes) == hexText(try Self.sample("index-cut")))
    }

    @Test func randomIndexKeysDecode() {
        var random = SeededGenerator(seed: 91)
        for _ in 0..<1_000 {
            let types = (0..<4).map { _ in random.pick(AttributeType.allCases) }
            let values = types.map { random.chance(0.1) ? .null : random.value(of: $0) }
            let bytes = IndexKey(values).bytes
            var decoder = IndexKeyDecoder(bytes)
            let decoded = types.map { decoder.next($0) ?? .string("no key") }
            // NaN, infinite and negative zero come back as keys only.
            #expect(IndexKey(decoded).bytes == bytes, "\(values), seed \(random.seed)")
            #expect(decoder.isAtEnd, "\(values), seed \(random.seed)")
        }
    }

    @Test func decimalSlot() throws {
        let layout = makeLayout([.decimal])
        let bytes = encodeRecord([Self.decimal(12034, -2, true)], layout)
        let sample = try Self.sample("slot-decimal")
        #expect(hexText(bytes[13...]) == hexText(sample))
        #expect(
            decodeRecord(Array(bytes[..<13]) + sample, layout)
                == [Self.decimal(12034, -2, true)])
    }

    @Test(arguments: [("record", 3), ("record-narrow", 32_771)] as [(String, UInt16)])
    func record(name: String, number: UInt16) throws {
        let layout = makeLayout(
            number: number,
            [
                .uuid, .date, .string, .string, .binaryData, .integer32, .integer16, .boolean,
            ])
        let values: [Value?] = [
            .uuid(Self.uuid), .date(-0.5), .string("Solø"), .null,
            .binaryData([UInt8](repeating: 1, count: 70_000)), .integer32(-2), .integer16(-1),
            .boolean(true),
        ]
        let sample = try Self.sample(name)
        #expect(hexText(encodeRecord(values, layout, version: 2)) == hexText(sample))
        var expected = values
        expected[4] = nil
        #expect(decodeRecord(sample, layout) == expected)
        sample.withUnsafeBytes { bytes in
            let view = RecordView(bytes)
            #expect(view?.hasValidChecksum() == true)
            #expect(view?.version == 2)
            #expect(view?.heapByteCount(at: layout.fields[4].offset) == 70_000)
        }
    }

    @Test func recordChecksumUnderItsKey() throws {
        let record = try Self.sample("record")
        var reader = ByteReader(try Self.sample("record-sealed"))
        let expected: UInt32 = try reader.read()
        let salt = EntrySeal(version: 5).salt(of: Self.game)
        #expect(EntrySeal(version: 4).salt(of: Self.game) == 0)
        let stored = record.withUnsafeBytes { RecordView($0)?.storedChecksum }
        #expect(stored.map { $0 ^ salt } == expected)
        var key = ByteWriter()
        key.write(Self.game.rawValue)
        #expect(salt == documentedChecksum(key.bytes))
    }

    @Test(
        arguments: [
            ("checksum-empty", []), ("checksum-twelve", [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4]),
            ("checksum-fifteen", [UInt8](0..<15)),
        ] as [(String, [UInt8])])
    func checksum(name: String, bytes: [UInt8]) throws {
        var reader = ByteReader(try Self.sample(name))
        let stored: UInt32 = try reader.read()
        #expect(bytes.withUnsafeBytes { RecordChecksum.compute($0, skippingAt: 8) } == stored)
        #expect(documentedChecksum(bytes) == stored)
    }

    @Test func checksumIsTheDocumentedOne() {
        var random = SeededGenerator(seed: 92)
        for count in 0..<100 {
            let bytes = random.bytes(count: count)
            #expect(
                bytes.withUnsafeBytes { RecordChecksum.compute($0, skippingAt: 8) }
                    == documentedChecksum(bytes), "\(count) bytes, seed \(random.seed)")
        }
    }

    /// The pseudo-code of the document.
    private func documentedChecksum(_ bytes: [UInt8]) -> UInt32 {
        var hash = 0x9E37_79B9_7F4A_7C15 ^ UInt64(bytes.count)
        for offset in stride(from: 0, to: bytes.count, by: 8) {
            var word: UInt64 = 0
            for (index, byte) in bytes[offset...].prefix(8).enumerated() {
                word += UInt64(byte) << UInt64(8 * index)
            }
            if offset == 8 { word &= 0xFFFF_FFFF_0000_0000 }
            hash = (hash ^ word) &* 0xFF51_AFD7_ED55_8CCD
            hash = hash ^ (hash >> 32)
        }
        return UInt32(truncatingIfNeeded: hash ^ (hash >> 29))
    }
}
