// SPDX-License-Identifier: Apache-2.0

/// Up to four records whose checksums are due.
///
/// Each step of a checksum depends on the one before, but the checksums of four records are
/// independent: computed together they take little longer than one alone.
struct RowQuartet {
    private typealias Row = (start: UnsafeMutableRawPointer, byteCount: Int)

    private var rows: (Row?, Row?, Row?)
    private var count = 0

    /// Adds a record whose checksum is zero, and computes those of four.
    @inline(__always)
    mutating func append(_ start: UnsafeMutableRawPointer, _ byteCount: Int) {
        switch count {
        case 0: rows.0 = (start, byteCount)
        case 1: rows.1 = (start, byteCount)
        case 2: rows.2 = (start, byteCount)
        default:
            if let first = rows.0, let second = rows.1, let third = rows.2 {
                RowQuartet.compute(first, second, third, (start, byteCount))
            }
            count = 0
            return
        }
        count += 1
    }

    /// Computes the checksums that are left.
    mutating func computeAll() {
        let left = [rows.0, rows.1, rows.2].prefix(count)
        for case let row? in left { RowQuartet.finish(RowQuartet.seed(row), row, 0) }
        count = 0
    }

    private static func compute(_ first: Row, _ second: Row, _ third: Row, _ fourth: Row) {
        var hashes = (seed(first), seed(second), seed(third), seed(fourth))
        let shared =
            min(min(first.byteCount, second.byteCount), min(third.byteCount, fourth.byteCount))
            & ~7
        var offset = 0
        while offset < shared {
            RecordChecksum.add(word(first, offset), to: &hashes.0)
            RecordChecksum.add(word(second, offset), to: &hashes.1)
            RecordChecksum.add(word(third, offset), to: &hashes.2)
            RecordChecksum.add(word(fourth, offset), to: &hashes.3)
            offset += 8
        }
        finish(hashes.0, first, shared)
        finish(hashes.1, second, shared)
        finish(hashes.2, third, shared)
        finish(hashes.3, fourth, shared)
    }

    @inline(__always)
    private static func seed(_ row: Row) -> UInt64 { RecordChecksum.seed(row.byteCount) }

    @inline(__always)
    private static func word(_ row: Row, _ offset: Int) -> UInt64 {
        UInt64(littleEndian: row.start.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }

    /// Hashes what is left of a record and writes its checksum.
    private static func finish(_ begun: UInt64, _ row: Row, _ start: Int) {
        var hash = begun
        var offset = start
        while offset + 8 <= row.byteCount {
            RecordChecksum.add(word(row, offset), to: &hash)
            offset += 8
        }
        if offset < row.byteCount {
            // Rows end at whole words of their block.
            let last = word(row, offset) & (1 << UInt64((row.byteCount - offset) * 8) - 1)
            RecordChecksum.add(last, to: &hash)
        }
        row.start.storeBytes(
            of: RecordChecksum.finish(hash).littleEndian, toByteOffset: RecordOffset.checksum,
            as: UInt32.self)
    }
}
