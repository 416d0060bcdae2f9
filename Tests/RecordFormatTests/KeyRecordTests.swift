// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing

/// Records made of index keys.
@Suite struct KeyRecordTests {
    private static let types: [AttributeType] = [
        .integer16, .integer32, .integer64, .boolean, .double, .float, .date, .uuid, .objectID,
        .string, .uri,
    ]

    /// What is read back of the key of some values.
    private func values(_ values: [Value], _ types: [AttributeType]) throws -> [Value]? {
        let (wide, narrow) = (
            try self.values(values, makeLayout(number: 7, types)),
            try self.values(values, makeLayout(types))
        )
        #expect(wide == narrow)
        return narrow
    }

    private func values(_ values: [Value], _ layout: RecordLayout) throws -> [Value]? {
        let types = layout.fields.map(\.type)
        let maker = try #require(KeyRecord(layout, positions: Array(types.indices)))
        return IndexKey(values).storedBytes.withUnsafeBytes { bytes in
            guard let record = maker.record(of: bytes) else { return nil }
            #expect(record.fits(layout))
            return types.indices.map { record.value($0, in: layout) ?? .null }
        }
    }

    @Test(arguments: [
        Value.integer16(-3), .integer16(.max), .integer32(.min), .integer64(.max), .integer64(0),
        .boolean(true), .boolean(false), .double(-1.5), .double(.infinity), .float(0.1),
        .date(-1e9), .uuid(UUIDValue(high: 1 << 63, low: 9)), .string(""), .string("a\0b\0"),
        .string("straße"), .uri("x:y"), .objectID(ObjectKey(rawValue: 1 << 48 | 5)),
    ])
    func a_value_is_read_back(value: Value) throws {
        let type = try #require(value.type)
        #expect(try values([value], [type]) == [value])
        #expect(try values([.null], [type]) == [.null])
        #expect(try values([value, .null, value], [type, type, type]) == [value, .null, value])
    }

    @Test func values_of_all_types_lie_side_by_side() throws {
        let all: [Value] = [
            .integer16(1), .integer32(-2), .integer64(3), .boolean(true), .double(4), .float(-5),
            .date(6), .uuid(UUIDValue(high: 7, low: 8)), .objectID(ObjectKey(rawValue: 9)),
            .string("ten"), .uri("eleven"),
        ]
        #expect(try values(all, Self.types) == all)
    }

    @Test(arguments: [0, 1, 0b101_0101_0101, 0b111_1111_1111])
    func values_of_descending_elements_are_read_back(bits: Int) throws {
        let all: [Value] = [
            .integer16(1), .integer32(-2), .null, .boolean(true), .double(4), .float(-5),
            .date(6), .uuid(UUIDValue(high: 7, low: 8)), .objectID(ObjectKey(rawValue: 9)),
            .string("t\0n"), .uri(""),
        ]
        let descending = all.indices.map { bits >> $0 & 1 == 1 }
        let layout = makeLayout(Self.types)
        let maker = try #require(
            KeyRecord(layout, positions: Array(all.indices), descending: descending))
        let names = all.indices.map { "v\($0)" }
        let key = IndexKey(all, of: Index(name: "i", properties: names, descending: descending))
        let found = key.storedBytes.withUnsafeBytes { bytes in
            maker.record(of: bytes).map { record in
                all.indices.map { record.value($0, in: layout) ?? .null }
            }
        }
        #expect(found == all)
    }

    @Test(arguments: [Value.double(0), .double(-0.0), .double(.nan), .float(0), .date(-0.0)])
    func numbers_of_several_forms_are_not_read(value: Value) throws {
        #expect(try values([value], [try #require(value.type)]) == nil)
    }

    @Test func cut_keys_are_not_read() throws {
        for count in [400, 507, 508, 509, 600] {
            let text = Value.string(String(repeating: "x", count: count))
            #expect(try values([text], [.string]) == (count < 508 ? [text] : nil), "\(count)")
        }
    }

    @Test func other_fields_have_no_values() throws {
        let layout = makeLayout([.string, .integer32, .double])
        let maker = try #require(KeyRecord(layout, positions: [1]))
        let nulls = IndexKey([.integer32(4)]).storedBytes.withUnsafeBytes { bytes in
            maker.record(of: bytes).map { record in (0..<3).map { record.isNull($0) } }
        }
        #expect(nulls == [true, false, true])
        #expect(KeyRecord(makeLayout([.decimal]), positions: [0]) == nil)
    }

    @Test func foreign_bytes_are_no_keys() throws {
        let maker = try #require(KeyRecord(makeLayout([.integer64, .string]), positions: [0, 1]))
        for bytes: [UInt8] in [
            [], [1], [2], [1, 0, 0], [0, 1], [0, 1, 65], [0, 1, 65, 0], [0, 0, 0],
            [1, 0, 0, 0, 0, 0, 0, 0, 0],
        ] {
            #expect(bytes.withUnsafeBytes { maker.record(of: $0) == nil }, "\(bytes)")
        }
    }
}
