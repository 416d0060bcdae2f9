// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing

private func layout(_ number: UInt16, _ fields: [(UInt32, AttributeType)]) -> RecordLayout {
    RecordLayout(
        number: number,
        fields: fields.map { (PropertyNumber(rawValue: $0.0), $0.1, allowsExternalStorage: false) })
}

@Suite struct RecordConversionTests {
    private static let friend = ObjectKey(entity: EntityNumber(rawValue: 2), row: 7)

    /// Encodes values, and reads them from the converted record.
    private func converted(
        _ values: [Value], _ conversion: RecordConversion, isLost: (ObjectKey) -> Bool
    ) throws -> [Value?] {
        var encoder = RecordEncoder()
        let former = encoder.encode(
            layout: conversion.former, version: 5, base: nil,
            draft: .make(values: ContiguousArray(values)),
            resolve: { $0 })
        let copy = OwnedRecord(try #require(RecordView(former)))
        let bytes = encoder.convert(copy.view, by: conversion, isLost: isLost)
        let record = try #require(RecordView(bytes))
        #expect(record.version == 5)
        #expect(record.fits(conversion.layout))
        #expect(record.hasValidChecksum())
        return conversion.fields.indices.map { record.value($0, in: conversion.layout) }
    }

    @Test(arguments: [1, 32_769] as [UInt16])
    func fields_move_come_and_go(first: UInt16) throws {
        let former = layout(
            first, [(1, .objectID), (2, .string), (3, .binaryData), (4, .integer16), (5, .boolean)])
        let new = layout(
            first + 1,
            [(6, .integer64), (2, .string), (1, .objectID), (7, .string), (4, .integer16)])
        let conversion = RecordConversion(
            from: former, to: new,
            fields: [
                .init(source: nil, fallback: .integer64(9)), .init(source: 1),
                .init(source: 0, isLink: true), .init(source: nil, fallback: .string("new")),
                .init(source: 3, fallback: .integer16(-1)),
            ])
        #expect(conversion.leftOut == [2, 4])
        let text = String(repeating: "long ", count: 20_000)
        let all: [Value] = [
            .objectID(Self.friend), .string(text), .binaryData([1, 2]), .integer16(4),
            .boolean(true),
        ]
        #expect(
            try converted(all, conversion) { _ in false } == [
                .integer64(9), .string(text), .objectID(Self.friend), .string("new"),
                .integer16(4),
            ])
        let none: [Value] = [.objectID(Self.friend), .null, .null, .null, .null]
        #expect(
            try converted(none, conversion) { $0 == Self.friend } == [
                .integer64(9), .null, .null, .string("new"), .integer16(-1),
            ])
    }

    @Test func values_outside_stay_there() throws {
        let former = layout(32_769, [(1, .binaryData), (2, .binaryData)])
        let new = layout(32_770, [(2, .binaryData), (1, .binaryData), (3, .binaryData)])
        let large = [UInt8](repeating: 3, count: 2_000)
        let conversion = RecordConversion(
            from: former, to: new,
            fields: [
                .init(source: 1), .init(source: 0),
                .init(source: nil, fallback: .binaryData(large)),
            ])
        var encoder = RecordEncoder()
        let bytes = encoder.encode(
            layout: former, version: 1, base: nil,
            draft: .make(values: [.binaryData(large), .binaryData([1])]), resolve: { $0 })
        let copy = OwnedRecord(try #require(RecordView(bytes)))
        #expect(copy.view.isExternal(0, in: former))
        #expect(!copy.view.isExternal(1, in: former))
        let record = try #require(
            RecordView(encoder.convert(copy.view, by: conversion, isLost: { _ in false })))
        #expect(record.value(0, in: new) == .binaryData([1]))
        #expect((0...2).map { record.isExternal($0, in: new) } == [false, true, true])
        #expect(record.heapByteCount(at: new.fields[1].offset) == 2_000)
        #expect(encoder.externalValues.map(\.field) == [2])
        #expect(encoder.externalValues.map(\.bytes) == [large])
    }
}
