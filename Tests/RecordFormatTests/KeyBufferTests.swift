// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Testing
import _TestSupport

/// Index keys that are made of records, beside those of the same values.
@Suite struct KeyBufferTests {
    private static let types: [AttributeType] = [
        .integer16, .integer32, .integer64, .decimal, .double, .float, .string, .boolean, .date,
        .binaryData, .uuid, .uri, .transformable, .objectID,
    ]

    private static func value(_ type: AttributeType, _ random: inout SplitMix64) -> Value {
        if Int.random(in: 0..<5, using: &random) == 0 { return .null }
        let numbers: [Int64] = [.min, -70_000, -1, 0, 1, 258, .max]
        let integer = numbers.randomElement(using: &random) ?? 0
        let double =
            [-.infinity, -2.5, -0.0, 0, 1e-300, 7, .infinity, .nan].randomElement(using: &random)
            ?? 0
        let bytes =
            [[], [0], [1, 0, 2], [0, 0], Array(repeating: 0x78, count: 600)]
            .randomElement(using: &random) ?? [UInt8]()
        let text =
            ["", "a", "a\0b", "日本", String(repeating: "é", count: 300)]
            .randomElement(using: &random) ?? ""
        switch type {
        case .integer16: return .integer16(Int16(truncatingIfNeeded: integer))
        case .integer32: return .integer32(Int32(truncatingIfNeeded: integer))
        case .integer64: return .integer64(integer)
        case .decimal:
            return .decimal(
                DecimalValue(
                    significand: UInt128(integer.magnitude), exponent: 3,
                    isNegative: integer < 0))
        case .double: return .double(double)
        case .float: return .float(Float(double))
        case .string: return .string(text)
        case .boolean: return .boolean(integer > 0)
        case .date: return .date(double)
        case .binaryData: return .binaryData(bytes)
        case .uuid:
            return .uuid(UUIDValue(high: UInt64(bitPattern: integer), low: 0x0102_0304_0506_0708))
        case .uri: return .uri(text)
        case .transformable: return .transformable(bytes)
        case .objectID: return .objectID(ObjectKey(rawValue: max(1, integer.magnitude)))
        }
    }

    @Test(arguments: 1...8 as ClosedRange<UInt64>, wideAndNarrow)
    func keys_of_records_are_those_of_their_values(seed: UInt64, number: UInt16) {
        var random = SplitMix64(state: seed)
        let layout = makeLayout(number: number, Self.types)
        var encoder = RecordEncoder()
        for round in 0..<300 {
            let values = Self.types.map { Self.value($0, &random) }
            let record = encoder.encode(
                layout: layout, version: 1, base: nil,
                draft: .make(values: ContiguousArray(values.map { $0 })),
                resolve: { $0 })
            guard let view = RecordView(record) else { continue }
            let positions = (0..<3).map { _ in Int.random(in: 0..<values.count, using: &random) }
            let descending = (0..<3).map { _ in Bool.random(using: &random) }
            let fields = zip(positions, descending).map {
                KeyField($0, in: layout, isDescending: $1)
            }
            var wanted = IndexKey()
            for (position, descends) in zip(positions, descending) {
                wanted.append(values[position], isDescending: descends)
            }
            var buffer = KeyBuffer()
            // Behind another key, and more than once, so that the memory grows.
            let isComplete = fields.withUnsafeBufferPointer { fields in
                _ = buffer.append(view, fields)
                return buffer.append(view, fields)
            }
            let bytes = Array(buffer.bytes)
            #expect(bytes == wanted.bytes + wanted.bytes, "seed \(seed), round \(round)")
            #expect(isComplete == positions.allSatisfy { !values[$0].isNull })
            buffer.truncate(to: 1)
            #expect(Array(buffer.bytes) == [bytes[0]])
        }
    }

    @Test func a_value_outside_the_record_is_absent() {
        let layout = makeLayout([.binaryData], externally: true)
        var encoder = RecordEncoder()
        let record = encoder.encode(
            layout: layout, version: 1, base: nil, draft: .make(values: [.binaryData([1, 2])]),
            resolve: { $0 })
        var buffer = KeyBuffer()
        let fields = [KeyField(0, in: layout, isDescending: false)]
        let isComplete = fields.withUnsafeBufferPointer { fields in
            RecordView(record).map { buffer.append($0, fields) }
        }
        #expect(isComplete == false)
        #expect(Array(buffer.bytes) == [OrderedBytes.null])
    }
}
