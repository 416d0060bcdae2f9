// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

extension SortPath {
    /// Appends bytes that order as the row's value does; no value's bytes begin another's.
    ///
    /// - Returns: The value's place among all values, as far as 64 bits tell.
    func appendKey(
        to bytes: inout [UInt8], _ row: ResultRow, _ snapshot: StoreSnapshot
    ) throws -> UInt64 {
        if steps.isEmpty { return SortPath.append(row.key.rawValue, to: &bytes) }
        guard let (found, place) = try locate(row, snapshot) else {
            bytes.append(OrderedBytes.null)
            return 0
        }
        let record = found.record
        switch place.type {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .date:
            return SortPath.append(SortPath.bits(of: place, in: record), to: &bytes)
        case .objectID:
            return SortPath.append(record.load(at: place.offset, as: UInt64.self), to: &bytes)
        case .string, .uri:
            return appendText(place, record, to: &bytes)
        case .decimal, .uuid, .binaryData, .transformable:
            let value = try value(row, snapshot)
            let start = bytes.count
            bytes.append(contentsOf: IndexKey([value]).bytes)
            return SortPath.prefix(of: bytes, from: start + 1)
        }
    }

    private func appendText(
        _ place: FieldPlace, _ record: RecordView, to bytes: inout [UInt8]
    ) -> UInt64 {
        let start = bytes.count + 1
        bytes.append(OrderedBytes.value)
        if order.collation == .caseInsensitive {
            let folded = TextFolding.fold(record.string(at: place.offset), .caseInsensitive)
            OrderedBytes.append(folded.utf8, to: &bytes)
        } else if let text = record.heapBytes(at: place.offset) {
            OrderedBytes.append(text, to: &bytes)
        }
        OrderedBytes.end(&bytes)
        return SortPath.prefix(of: bytes, from: start)
    }

    private static func append(_ bits: UInt64, to bytes: inout [UInt8]) -> UInt64 {
        bytes.append(OrderedBytes.value)
        OrderedBytes.append(bits, to: &bytes)
        return prefix(of: bits)
    }

    /// The place of a number among all values, as far as 64 bits tell.
    @inline(__always)
    static func prefix(of place: FieldPlace, in record: RecordView) -> UInt64 {
        prefix(of: bits(of: place, in: record))
    }

    @inline(__always)
    private static func prefix(of bits: UInt64) -> UInt64 { 1 << 63 | bits >> 1 }

    @inline(__always)
    private static func bits(of place: FieldPlace, in record: RecordView) -> UInt64 {
        switch place.type {
        case .double, .float, .date:
            let number = place.double(record)
            // NaN sorts before all other numbers.
            return number.isNaN ? 0 : OrderedBytes.bits(number)
        default: return OrderedBytes.bits(place.integer(record))
        }
    }

    private static func prefix(of bytes: [UInt8], from start: Int) -> UInt64 {
        var bits: UInt64 = 0
        for index in start..<start + 8 {
            bits = bits << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0)
        }
        return prefix(of: bits)
    }
}
