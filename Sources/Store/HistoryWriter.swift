// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat

/// Encodes the entries of a history; what it needs each time is made once.
// SAFETY: only a `SaveTransaction` calls `begin` and `append`, on the thread of its write, and an
// environment runs one body at a time, also where several share a transaction.
final class HistoryWriter: @unchecked Sendable {
    private let recorder = HistoryRecorder()
    /// The process and the program, as every entry names them.
    private let names: [UInt8]
    // SAFETY: one write at a time uses it, as said above, and `writeHead` calls no other code.
    @exclusivity(unchecked) private var head = ByteWriter(reserving: 128)

    init(_ options: HistoryOptions) {
        names = HistoryChangeSet.encodeNames(
            processID: options.processID, bundleID: options.bundleID)
    }

    /// The recorder for a transaction that begins.
    func begin() -> HistoryRecorder {
        recorder.reset()
        return recorder
    }

    /// Puts an entry behind the last one, straight into its page.
    ///
    /// It gets the next number, and a time that is not before that of the last one.
    func append(
        _ origin: HistoryOrigin, at time: Double, _ cursor: borrowing WriteCursor,
        _ seal: EntrySeal
    ) throws {
        var number: UInt64 = 1
        var firstChange: UInt64 = 1
        var timestamp = time
        if let last = try cursor.last() {
            let found = try HistoryHead(last.value)
            let (next, isLast) = last.integerKey.addingReportingOverflow(1)
            guard !isLast else {
                throw RecordFormatError(
                    .unknownNumber, "the history has a transaction of number \(last.integerKey)")
            }
            number = next
            firstChange = found.nextChange
            timestamp = max(timestamp, found.timestamp)
        }
        head.removeAll()
        HistoryChangeSet.writeHead(
            &head, timestamp: timestamp, firstChange: firstChange, changeCount: recorder.count,
            author: origin.author, contextName: origin.contextName)
        try recorder.finish { changes in
            try head.bytes.withUnsafeBytes { head in
                try names.withUnsafeBytes { names in
                    let count = head.count + names.count + changes.count
                    let room = count + (seal.isOn ? EntrySeal.byteCount : 0)
                    try cursor.putReserving(number, byteCount: room, options: .append) { room in
                        HistoryWriter.fill(room, head, names, changes)
                        withUnsafeBytes(of: number.littleEndian) { seal.close(room, for: $0) }
                    }
                }
            }
        }
    }

    private static func fill(
        _ room: UnsafeMutableRawBufferPointer, _ head: UnsafeRawBufferPointer,
        _ names: UnsafeRawBufferPointer, _ changes: UnsafeRawBufferPointer
    ) {
        room.copyMemory(from: head)
        let rest = UnsafeMutableRawBufferPointer(rebasing: room[head.count...])
        rest.copyMemory(from: names)
        UnsafeMutableRawBufferPointer(rebasing: rest[names.count...]).copyMemory(from: changes)
    }
}
