// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// Compares everything in a file with its checksums, or with the second copy that the file has.
///
/// Links, index entries and component entries have no checksums, which would double their size; but
/// they are stored twice, so each is compared with its other side. Two kinds of damage are not
/// found: a wrong destination in a relationship without inverse, and damage that leaves the file
/// consistent, as an older page in the place of a newer one may.
struct ContentCheck {
    let store: Store
    let snapshot: StoreSnapshot
    /// What the records ask for of each index, by its number.
    var indexSums: [UInt32: EntrySum] = [:]
    /// The links of to-one relationships as their inverses have them, by the number of the to-one.
    var slotSums: [UInt32: EntrySum] = [:]
    /// The values outside their records, as these announce them.
    var blobSum = EntrySum()
    private(set) var recordCount = 0

    /// Checks everything.
    ///
    /// - Throws: ``StoreError`` with `damaged` for the first thing that is wrong.
    mutating func run() throws {
        try checkMeta()
        for table in store.tables { try checkRecords(of: table) }
        try checkBlobs()
        try checkIndexes()
        try checkLinks()
        try checkComponents()
        try checkColumns()
        try checkContents()
        try checkHistory()
    }

    func damaged(_ what: String, _ advice: String, _ objects: [ObjectKey] = []) -> StoreError {
        StoreError(.damaged, path: store.path, "\(what); \(advice)", objects: objects)
    }

    static let restore = "restore the file from a copy"

    /// The checksum of every entry of `meta`; files before version 5 have none.
    private func checkMeta() throws {
        guard store.seal.isOn else { return }
        let cursor = try snapshot.snapshot.makeCursor(store.databases.meta)
        while let entry = try cursor.next() {
            let name = String(decoding: entry.key, as: UTF8.self)
            _ = try store.seal.open(entry.value, for: entry.key, "the entry \"\(name)\" of meta")
        }
    }

    /// Checks the records of one entity; notes the entries that they need elsewhere.
    private mutating func checkRecords(of table: EntityTable) throws {
        let indexes = snapshot.catalog.indexes(of: table)
        let next =
            try store.meta.number(
                MetaTable.rowCounter(table.number), in: snapshot.snapshot) ?? .max
        var keys = KeyBuffer()
        var former: UInt64 = 0
        var cursor = try snapshot.records(of: table)
        while let (object, record) = try cursor.next() {
            guard record.hasValidChecksum(salt: store.seal.salt(of: object)) else {
                throw damaged(
                    "the record of \(table.entity.name) \(object.row) does not match its checksum",
                    "restore the file from a copy, or delete this object", [object])
            }
            guard object.row > former, object.row < next else {
                throw damaged(
                    "\(table.entity.name) has row \(object.row) where none can be",
                    ContentCheck.restore, [object])
            }
            former = object.row
            recordCount += 1
            for index in indexes where index.includes(record, table) {
                keys.truncate(to: 0)
                _ = keys.append(record, index.keyFields)
                let key = UnsafeRawBufferPointer(
                    rebasing: keys.bytes.prefix(IndexKey.maximumByteCount))
                indexSums[index.number.rawValue, default: EntrySum()].add(key, object)
            }
            noteFields(of: object, record, table)
        }
    }

    /// Notes the links of to-one relationships and the values outside the record.
    private mutating func noteFields(
        of object: ObjectKey, _ record: RecordView, _ table: EntityTable
    ) {
        for (position, field) in table.layout.fields.enumerated() where !record.isNull(position) {
            if field.type == .objectID {
                let other = ObjectKey(rawValue: record.load(at: field.offset, as: UInt64.self))
                slotSums[field.number.rawValue, default: EntrySum()].add(other, object)
            } else if field.type.isVariableLength, record.heapBytes(at: field.offset) == nil {
                let count = record.heapByteCount(at: field.offset)
                if count > 0 { blobSum.add(object, field.number, byteCount: count) }
            }
        }
    }
}

extension Store {
    /// Compares everything in the pages of the newest commit with its checksums, or with the second
    /// copy that the file has.
    ///
    /// - Returns: The number of records.
    /// - Throws: ``StoreError`` with `damaged` for the first thing that is wrong.
    /// - Complexity: O(size of the file); O(n log n), and memory for all links, for a relationship
    ///   with dangling destinations.
    @discardableResult
    public func verifyContents() throws(StoreError) -> Int {
        do {
            // Before the snapshot, which would not show it otherwise.
            try findColumns()
            var check = ContentCheck(store: self, snapshot: try makeSnapshot())
            try check.run()
            return check.recordCount
        } catch {
            throw StoreError(wrapping: error, path: path)
        }
    }
}
