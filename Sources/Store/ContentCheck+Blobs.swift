// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// Checks values outside their records, and other data that is stored only once.
extension ContentCheck {
    /// The chunks of large values: their checksums, that none is missing and that they have the
    /// sizes that the records announce.
    func checkBlobs() throws {
        var found = EntrySum()
        var current: (object: ObjectKey, property: PropertyNumber, chunk: UInt16, byteCount: Int)?
        let full = store.seal.valueByteCount(BlobKey.chunkByteCount)
        let cursor = try snapshot.snapshot.makeCursor(store.databases.blobs)
        while let entry = try cursor.next() {
            guard let key = BlobKey(entry.key) else {
                throw damaged("a large value has a key that is none", ContentCheck.restore)
            }
            let part = try store.seal.open(
                entry.value, for: entry.key, "a large value of the object \(key.object)")
            if let old = current, old.object == key.object, old.property == key.property {
                guard key.chunk == old.chunk &+ 1, old.byteCount == full * Int(key.chunk) else {
                    throw damaged(
                        "a large value of the object \(key.object) has a gap",
                        ContentCheck.restore, [key.object])
                }
                current = (key.object, key.property, key.chunk, old.byteCount + part.count)
            } else {
                if let old = current {
                    found.add(old.object, old.property, byteCount: old.byteCount)
                }
                current = (key.object, key.property, key.chunk, part.count)
            }
        }
        if let old = current { found.add(old.object, old.property, byteCount: old.byteCount) }
        if found != blobSum { try checkBlobsOneByOne() }
    }

    /// Looks each large value up; values that no record announces are unused and do no harm.
    private func checkBlobsOneByOne() throws {
        for table in store.tables where table.hasBinaryFields {
            var cursor = try snapshot.records(of: table)
            while let (object, record) = try cursor.next() {
                for (position, field) in table.layout.fields.enumerated()
                where field.type.isVariableLength && !record.isNull(position)
                    && record.heapBytes(at: field.offset) == nil
                {
                    let count = record.heapByteCount(at: field.offset)
                    let bytes = try snapshot.externalValue(
                        of: object, field.number, byteCount: count)
                    guard bytes.count == count else {
                        throw damaged(
                            "a large value of \(table.entity.name) \(object.row) has "
                                + "\(bytes.count) bytes instead of \(count)",
                            ContentCheck.restore, [object])
                    }
                }
            }
        }
    }

    /// The entries of the history: their checksums, that they name rows which were taken, and that
    /// none is missing in between.
    ///
    /// - Complexity: O(bytes): a few of them may stand for any number of changes.
    func checkHistory() throws {
        guard let history = snapshot.catalog.history else { return }
        let cursor = try snapshot.snapshot.makeCursor(history.entries)
        var counters = RowCounters()
        var former: (number: UInt64, set: HistoryChangeSet)?
        while let entry = try cursor.next() {
            let number = entry.integerKey
            let set = try store.changeSet(entry)
            try store.checkHistory(set, &counters, snapshot.snapshot)
            if let former {
                let next = former.set.firstChange &+ UInt64(former.set.changeCount)
                guard number == former.number + 1, set.firstChange == next,
                    set.timestamp >= former.set.timestamp
                else {
                    throw damaged(
                        "transaction \(number) of the history does not follow the one before",
                        ContentCheck.restore)
                }
            }
            former = (number, set)
        }
    }

    /// Which components data objects belong to: both directions have to agree.
    ///
    /// - Complexity: O(n log n)
    func checkComponents() throws {
        let databases = store.databases
        let components = try snapshot.snapshot.makeCursor(databases.components)
        while let entry = try components.next() {
            let (type, gameObject) = try ComponentKey.parts(of: entry.key)
            let data = try ComponentKey.data(entry.value)
            guard type == UInt32(data.entity.rawValue) else {
                throw damaged(
                    "a component entry of \(gameObject) leads to \(data), which has another type",
                    ContentCheck.restore, [gameObject, data])
            }
        }
        let owners = try snapshot.snapshot.makeCursor(databases.owners)
        while let entry = try owners.next() {
            let data = ObjectKey(rawValue: entry.integerKey)
            let owner = try ComponentOwner(entry.value, of: data, store.seal)
            let key = ComponentKey.bytes(type: data.entity, gameObject: owner.gameObject)
            // The entry itself: a game object may have any number of others beside it.
            let found = try key.withUnsafeBytes { try components.seekBoth($0, data.rawValue) }
            guard found != nil else {
                throw damaged(
                    "the game object \(owner.gameObject) has no entry for its component's data "
                        + "\(data)", ContentCheck.restore, [owner.gameObject, data])
            }
        }
    }
}

extension BlobKey {
    /// The parts of a key as the file has it; nil for other bytes.
    init?(_ bytes: UnsafeRawBufferPointer) {
        guard bytes.count == 14 else { return nil }
        self.init(
            object: ObjectKey(rawValue: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self))),
            property: PropertyNumber(
                rawValue: UInt32(
                    bigEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt32.self))),
            chunk: UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 12, as: UInt16.self)))
    }
}
