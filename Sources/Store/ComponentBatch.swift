// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// The entries of `components` and `owners` that a save collects for new data of one entity.
///
/// They come in the order of the data's rows, and each database is written by a cursor that finds
/// the place of an entry next to the one before. A search for each takes several times as long.
struct ComponentBatch {
    /// The greatest row of data that the save has given to a component.
    private(set) var greatestRow: UInt64 = 0
    private var entries: ContiguousArray<(data: ObjectKey, owner: ComponentOwner)> = []
    /// Saves mostly have less, and are written type by type at their end: all that comes behind
    /// what the file has fills its pages.
    private static let greatestCount = 1 << 20

    var isEmpty: Bool { entries.isEmpty }
    var isFull: Bool { entries.count >= ComponentBatch.greatestCount }

    /// Notes that data has a component, without an entry.
    mutating func note(_ data: ObjectKey) { greatestRow = max(greatestRow, data.row) }

    /// Collects an entry; false where the save may have given the data to a component before.
    @inline(__always)
    mutating func add(_ data: ObjectKey, _ owner: ComponentOwner) -> Bool {
        guard data.row > greatestRow else { return false }
        greatestRow = data.row
        entries.append((data, owner))
        return true
    }

    /// Writes what was collected.
    mutating func write(
        to transaction: borrowing WriteTransaction, _ databases: StoreDatabases, _ seal: EntrySeal
    ) throws {
        let owners = try transaction.makeWriteCursor(databases.owners)
        var isAtEnd = true
        for (data, owner) in entries {
            try owner.withStored(for: data, seal) { (value) throws(LMDBError) in
                if isAtEnd { isAtEnd = try owners.putAtEnd(value, for: data.rawValue) }
                if !isAtEnd { try owners.put(value, for: data.rawValue) }
            }
        }
        let components = try transaction.makeWriteCursor(databases.components)
        isAtEnd = true
        var last: ObjectKey?
        for (data, owner) in entries {
            try ComponentKey.withBytes(type: data.entity, gameObject: owner.gameObject) {
                (key) throws(LMDBError) in
                // A game object with several data of the type has one key.
                if isAtEnd, owner.gameObject != last {
                    isAtEnd = try components.putAtEnd(data.rawValue, for: key)
                    if isAtEnd { return last = owner.gameObject }
                }
                try components.put(data.rawValue, for: key)
            }
        }
        entries = []
    }
}

extension SaveTransaction {
    /// Notes that a game object has a data object which this save inserts.
    ///
    /// No other save can have given such data to a component. Where this one may have, in whatever
    /// order, it is for the caller to ask for the ``componentOwner(ofData:)`` and to call
    /// ``putComponent(data:owner:)``.
    ///
    /// - Returns: False in that case; nothing is noted then.
    public func putComponent(ofNewData data: ObjectKey, owner: ComponentOwner) throws -> Bool {
        let type = Int(data.entity.rawValue)
        while componentBatches.count <= type { componentBatches.append(ComponentBatch()) }
        guard componentBatches[type].add(data, owner) else { return false }
        isTouched = true
        if componentBatches[type].isFull { try write(&componentBatches[type]) }
        return true
    }

    /// Writes the collected entries, as something is about to look at the databases.
    func flushComponents() throws {
        for type in componentBatches.indices where !componentBatches[type].isEmpty {
            try write(&componentBatches[type])
        }
    }

    /// Notes data whose entry is written at once.
    func noteComponent(ofData data: ObjectKey) {
        let type = Int(data.entity.rawValue)
        while componentBatches.count <= type { componentBatches.append(ComponentBatch()) }
        componentBatches[type].note(data)
    }

    private func write(_ batch: inout ComponentBatch) throws {
        try write { transaction, databases in
            try batch.write(to: transaction, databases, store.seal)
        }
    }
}
