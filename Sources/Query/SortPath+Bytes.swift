// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

extension SortPath {
    /// Appends bytes that order as the row's value does; no value's bytes begin another's.
    func appendKey(
        to bytes: inout [UInt8], _ row: ResultRow, _ snapshot: StoreSnapshot
    ) throws {
        if steps.isEmpty { return SortPath.append(row.key.rawValue, to: &bytes) }
        guard let (found, place) = try locate(row, snapshot) else {
            return bytes.append(OrderedBytes.null)
        }
        let record = found.record
        switch place.type {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .date:
            SortPath.append(SortPath.bits(of: place, in: record), to: &bytes)
        case .objectID:
            SortPath.append(record.load(at: place.offset, as: UInt64.self), to: &bytes)
        case .string, .uri: appendText(place, record, to: &bytes)
        case .decimal, .uuid, .binaryData, .transformable:
            bytes.append(contentsOf: IndexKey([try value(row, snapshot)]).bytes)
        }
    }

    private func appendText(
        _ place: FieldPlace, _ record: RecordView, to bytes: inout [UInt8]
    ) {
        bytes.append(OrderedBytes.value)
        if order.collation == .caseInsensitive {
            let folded = TextFolding.fold(record.string(at: place.offset), .caseInsensitive)
            OrderedBytes.append(folded.utf8, to: &bytes)
        } else if let text = record.heapBytes(at: place.offset) {
            OrderedBytes.append(text, to: &bytes)
        }
        OrderedBytes.end(&bytes)
    }

    private static func append(_ bits: UInt64, to bytes: inout [UInt8]) {
        bytes.append(OrderedBytes.value)
        OrderedBytes.append(bits, to: &bytes)
    }

    /// The first eight bytes that a number gets.
    @inline(__always)
    static func firstWord(of place: FieldPlace, in record: RecordView) -> UInt64 {
        UInt64(OrderedBytes.value) << 56 | bits(of: place, in: record) >> 8
    }

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
}
