// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import _TestSupport

extension AttributeType {
    /// Values at the edges of the type.
    var extremes: [Value] {
        switch self {
        case .integer16: [Int16.min, -1, 0, 1, .max].map { .integer16($0) }
        case .integer32: [Int32.min, -1, 0, 1, .max].map { .integer32($0) }
        case .integer64: [Int64.min, -1, 0, 1, .max].map { .integer64($0) }
        case .decimal: decimalExtremes
        case .double: doubleExtremes.map { .double($0) }
        case .float:
            [-.infinity, -.greatestFiniteMagnitude, -0.0, .leastNonzeroMagnitude, .infinity, .nan]
                .map { .float($0) }
        case .string: textExtremes.map { .string($0) }
        case .boolean: [.boolean(false), .boolean(true)]
        case .date: doubleExtremes.map { .date($0) }
        case .binaryData: dataExtremes.map { .binaryData($0) }
        case .uuid: [0, UInt64.max].map { .uuid(UUIDValue(high: $0, low: ~$0)) }
        case .uri: textExtremes.map { .uri($0) }
        case .transformable: dataExtremes.map { .transformable($0) }
        case .objectID:
            // 0 is no object's key.
            [1, 2, ObjectKey.temporaryBit - 1, ~ObjectKey.temporaryBit].map {
                .objectID(ObjectKey(rawValue: $0))
            }
        }
    }

    private var decimalExtremes: [Value] {
        [(UInt128(0), 0), (1, Int16.min), (UInt128.max, Int16.max), (5, -1)].flatMap { pair in
            [false, true].map {
                .decimal(
                    DecimalValue(significand: pair.0, exponent: pair.1, isNegative: $0))
            }
        }
    }

    private var doubleExtremes: [Double] {
        [
            -.infinity, -.greatestFiniteMagnitude, -1, -0.0, 0, .leastNonzeroMagnitude, 1,
            .infinity, .nan,
        ]
    }

    private var textExtremes: [String] {
        ["", "\0", "a", "a\0b", "\u{301}", "🎬", String(repeating: "é", count: 700)]
    }

    private var dataExtremes: [[UInt8]] {
        [[], [0], [0xFF], [0, 0xFF, 0, 0], Array(repeating: 7, count: 1_024)]
    }
}

extension SeededGenerator {
    /// A value of a type, often a small or an extreme one.
    mutating func value(of type: AttributeType) -> Value {
        if chance(0.2) { return pick(type.extremes) }
        switch type {
        case .integer16: return .integer16(.random(in: .min ... .max, using: &self))
        case .integer32: return .integer32(.random(in: .min ... .max, using: &self))
        case .integer64: return .integer64(.random(in: .min ... .max, using: &self))
        case .decimal:
            return .decimal(
                DecimalValue(
                    significand: UInt128(next() % 5_000),
                    exponent: .random(in: -4...4, using: &self),
                    isNegative: chance(0.5)))
        case .double: return .double(.random(in: -1e6...1e6, using: &self))
        case .float: return .float(.random(in: -1e6...1e6, using: &self))
        case .string: return .string(text())
        case .boolean: return .boolean(chance(0.5))
        case .date: return .date(.random(in: -1e9...1e9, using: &self))
        case .binaryData: return .binaryData(smallBytes())
        case .uuid: return .uuid(UUIDValue(high: next() % 3, low: next()))
        case .uri: return .uri("https://example.org/" + text())
        case .transformable: return .transformable(smallBytes())
        case .objectID:
            return .objectID(ObjectKey(rawValue: next() & ~ObjectKey.temporaryBit))
        }
    }

    private mutating func text() -> String {
        String(
            (0..<Int(next() % 6)).map { _ in pick(["\0", "\u{1}", "a", "b", "é", "🎬"]) }.joined())
    }

    private mutating func smallBytes() -> [UInt8] {
        (0..<Int(next() % 6)).map { _ in pick([0, 1, 0x7F, 0xFE, 0xFF] as [UInt8]) }
    }
}

/// Numbers of layouts with wide slots and with narrow ones.
let wideAndNarrow: [UInt16] = [7, 32_775]

/// A layout with fields of some types, numbered from 1; a narrow one, as in new files.
func makeLayout(
    number: UInt16 = 32_769, _ types: [AttributeType], externally: Bool = false
) -> RecordLayout {
    RecordLayout(
        number: number,
        fields: types.enumerated().map {
            (
                PropertyNumber(rawValue: UInt32($0.offset + 1)), $0.element,
                allowsExternalStorage: externally
            )
        })
}

/// A draft of values.
func makeDraft(_ values: [Value?]) -> RecordDraft {
    RecordDraft.make(values: ContiguousArray(values))
}

/// The bytes of a record of values.
func encodeRecord(
    _ values: [Value?], _ layout: RecordLayout, version: UInt32 = 1, over base: [UInt8]? = nil
) -> [UInt8] {
    var encoder = RecordEncoder()
    let draft = makeDraft(values)
    guard let base else {
        return Array(
            encoder.encode(
                layout: layout, version: version, base: nil, draft: draft, resolve: { $0 }))
    }
    return base.withUnsafeBytes { bytes in
        Array(
            encoder.encode(
                layout: layout, version: version, base: RecordView(bytes), draft: draft,
                resolve: { $0 }))
    }
}

/// The values of a record; nil for one that lies outside it.
func decodeRecord(_ bytes: [UInt8], _ layout: RecordLayout) -> [Value?]? {
    bytes.withUnsafeBytes { bytes in
        guard let view = RecordView(bytes), view.fits(layout) else { return nil }
        return layout.fields.indices.map { view.value($0, in: layout) }
    }
}
