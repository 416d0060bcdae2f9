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
        try write { transaction, databases in
            guard try transaction.get(StoreHistory.metaName, in: databases.meta) == nil else {
                return
            }
            try StoreHistory.setFirstNumber(1, transaction, databases.meta)
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
            let value = try old.value(position, in: table.layout) ?? externalValue(of: key, field)
            values.append(HistoryChange.KeptValue(property: field.number, value: value))
        }
        recorder.delete(key, keeping: values)
    }

    private func externalValue(of key: ObjectKey, _ field: RecordLayout.Field) throws -> Value {
        try write { transaction, databases in
            var bytes: [UInt8] = []
            var chunk: UInt16 = 0
            while let part = try transaction.get(
                BlobKey(object: key, property: field.number, chunk: chunk).bytes,
                in: databases.blobs)
            {
                bytes.append(contentsOf: part)
                chunk += 1
            }
            switch field.type {
            case .string: return .string(String(decoding: bytes, as: UTF8.self))
            case .uri: return .uri(String(decoding: bytes, as: UTF8.self))
            case .transformable: return .transformable(bytes)
            default: return .binaryData(bytes)
            }
        }
    }

    /// Writes the change set of the transaction, if it changed any object.
    func flushHistory() throws {
        guard let recorder, recorder.count > 0, let history = catalog.history,
            let writer = history.writer
        else { return }
        let cursor = try transaction.makeWriteCursor(history.entries)
        try writer.append(origin, at: origin.timestamp ?? SaveTransaction.now, cursor)
        let first = try StoreHistory.firstNumber(transaction, store.databases.meta)
        // Nothing was ever purged: nothing waits for being removed.
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
        try write { transaction, databases in
            let cursor = try transaction.makeWriteCursor(history.entries)
            let newest = try cursor.last()?.integerKey ?? 0
            let old = try StoreHistory.firstNumber(transaction, databases.meta)
            let first = max(old, min(number, newest + 1))
            if first != old {
                try StoreHistory.setFirstNumber(first, transaction, databases.meta)
            }
            let removed = try SaveTransaction.removeHistory(
                before: first, atMost: StoreHistory.purgeSlice, cursor)
            return (Int(first - old), removed)
        }
    }

    /// Seconds since 2001.
    private static var now: Double {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Double(time.tv_sec - 978_307_200) + Double(time.tv_nsec) / 1e9
    }
}
