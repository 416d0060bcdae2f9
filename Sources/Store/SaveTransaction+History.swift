// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

extension SaveTransaction {
    /// Marks the file as one that has a history.
    func beginHistory() throws {
        try write { transaction, _ in
            guard try store.meta.get(MetaNumber.historyStart.name, in: transaction) == nil else {
                return
            }
            try MetaNumber.historyStart.write(1, transaction, store.meta)
        }
    }

    /// Notes a deletion, with the values that are to be kept.
    func recordDeletion(
        of key: ObjectKey, _ old: RecordView, _ table: EntityTable, _ recorder: HistoryRecorder
    ) throws {
        var values: [HistoryChange.KeptValue] = []
        for position in catalog.history?.keptFields[table.ordinal] ?? []
        where !old.isNull(position) {
            let field = table.layout.fields[position]
            guard
                let value = try old.value(position, in: table.layout)
                    ?? externalValue(of: key, field, old.heapByteCount(at: field.offset))
            else { continue }
            values.append(HistoryChange.KeptValue(property: field.number, value: value))
        }
        recorder.delete(key, keeping: values)
    }

    /// A value outside its record; `nil` for a damaged one, whose object can be deleted anyway.
    private func externalValue(
        of key: ObjectKey, _ field: RecordLayout.Field, _ byteCount: Int
    ) throws -> Value? {
        try write { transaction, _ in
            let bytes: [UInt8]
            do {
                bytes = try BlobReader.value(
                    of: key, field.number, byteCount: byteCount, store, in: transaction)
            } catch let error as StoreError where error.code == .damaged {
                return nil
            } catch is RecordFormatError {
                return nil
            }
            switch field.type {
            case .string: return .string(String(decoding: bytes, as: UTF8.self))
            case .uri: return .uri(String(decoding: bytes, as: UTF8.self))
            case .transformable: return .transformable(bytes)
            default: return .binaryData(bytes)
            }
        }
    }

    /// Writes the change set of the transaction, if it changed any object or component.
    func flushHistory() throws {
        try finishComponentHistory()
        guard let recorder, recorder.hasChanges, let history = catalog.history,
            let writer = history.writer
        else { return }
        let cursor = try transaction.makeWriteCursor(history.entries)
        try writer.append(
            origin, at: origin.timestamp ?? SaveTransaction.now, cursor, store.seal)
        let first = try MetaNumber.historyStart.read(transaction, store.meta)
        // Nothing was ever purged, so nothing is waiting to be removed.
        guard first > 1 else { return }
        try SaveTransaction.removeHistory(before: first, atMost: StoreHistory.commitSlice, cursor)
    }

    /// Removes entries that were purged.
    ///
    /// The newest entry stays until there is a newer one: numbers go on from it.
    @discardableResult
    private static func removeHistory(
        before first: UInt64, atMost limit: Int, _ cursor: borrowing WriteCursor
    ) throws -> Int {
        guard let newest = try cursor.last()?.integerKey else { return 0 }
        var removed = 0
        while removed < limit, let entry = try cursor.first(),
            entry.integerKey < min(first, newest)
        {
            try cursor.deleteCurrent()
            removed += 1
        }
        return removed
    }

    /// Forgets the transactions before one, for readers at once.
    ///
    /// - Returns: How many transactions were forgotten, and how many entries were removed.
    func purgeHistory(
        before number: UInt64, _ history: StoreHistory
    ) throws -> (forgotten: Int, removed: Int) {
        try write { transaction, _ in
            let cursor = try transaction.makeWriteCursor(history.entries)
            let newest = try cursor.last()?.integerKey ?? 0
            let old = try MetaNumber.historyStart.read(transaction, store.meta)
            guard newest < .max else {
                throw RecordFormatError(
                    .unknownNumber, "the history has a transaction of number \(newest)")
            }
            let first = max(old, min(number, newest + 1))
            if first != old {
                try MetaNumber.historyStart.write(first, transaction, store.meta)
            }
            let removed = try SaveTransaction.removeHistory(
                before: first, atMost: StoreHistory.purgeSlice, cursor)
            return (Int(clamping: first - old), removed)
        }
    }

    /// Seconds since 2001.
    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec - 978_307_200) + Double(time.tv_nsec) / 1e9
    }
}
