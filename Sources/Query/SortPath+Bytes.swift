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
        to bytes: inout ContiguousArray<UInt8>, _ row: ResultRow, _ snapshot: StoreSnapshot
    ) throws -> UInt64 {
        if steps.isEmpty { return SortPath.append(row.key.rawValue, to: &bytes) }
        guard let (found, place) = try locate(row, snapshot) else {
            bytes.append(0)
            return 0
        }
        let record = found.record
        switch place.type {
        case .integer16, .integer32, .integer64, .boolean:
            let number = place.integer(record)
            return SortPath.append(UInt64(bitPattern: number) ^ (1 << 63), to: &bytes)
        case .double, .float, .date:
            return SortPath.append(SortPath.orderedBits(place.double(record)), to: &bytes)
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
        _ place: FieldPlace, _ record: RecordView, to bytes: inout ContiguousArray<UInt8>
    ) -> UInt64 {
        let start = bytes.count + 1
        bytes.append(1)
        if order.collation == .caseInsensitive {
            let folded = TextFolding.fold(record.string(at: place.offset), .caseInsensitive)
            for byte in folded.utf8 { SortPath.appendEscaped(byte, to: &bytes) }
        } else if let text = record.heapBytes(at: place.offset) {
            for byte in text { SortPath.appendEscaped(byte, to: &bytes) }
        }
        bytes.append(0)
        bytes.append(0)
        return SortPath.prefix(of: bytes, from: start)
    }

    @inline(__always)
    private static func appendEscaped(_ byte: UInt8, to bytes: inout ContiguousArray<UInt8>) {
        bytes.append(byte)
        if byte == 0 { bytes.append(0xFF) }
    }

    private static func append(_ bits: UInt64, to bytes: inout ContiguousArray<UInt8>) -> UInt64 {
        bytes.append(1)
        withUnsafeBytes(of: bits.bigEndian) { bytes.append(contentsOf: $0) }
        return 1 << 63 | bits >> 1
    }

    /// NaN sorts before all other numbers.
    private static func orderedBits(_ number: Double) -> UInt64 {
        if number.isNaN { return 0 }
        let bits = (number == 0 ? 0 : number).bitPattern
        return bits >> 63 == 1 ? ~bits : bits | 1 << 63
    }

    private static func prefix(of bytes: ContiguousArray<UInt8>, from start: Int) -> UInt64 {
        var bits: UInt64 = 0
        for index in start..<start + 8 {
            bits = bits << 8 | (index < bytes.count ? UInt64(bytes[index]) : 0)
        }
        return 1 << 63 | bits >> 1
    }
}
