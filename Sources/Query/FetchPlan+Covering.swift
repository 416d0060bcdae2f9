// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

extension FetchPlan {
    /// Calls a body with each result and a record that has the read properties, in order, offset
    /// and limit applied.
    ///
    /// Where an index has them all, the records are made of its keys, and those of the file are
    /// not touched.
    ///
    /// - Parameters:
    ///   - snapshot: As for ``forEach(in:_:)``.
    ///   - body: Takes a key and a record, which is valid until it returns. It may read the
    ///     properties that ``FetchDescription/readProperties`` names, and no others. Returns false
    ///     to stop.
    /// - Throws: As ``forEach(in:_:)``.
    public func forEachReading(
        in snapshot: StoreSnapshot, _ body: (ObjectKey, RecordView) throws -> Bool
    ) throws {
        guard snapshot.catalog === catalog, let index = coveringIndex else {
            return try forEach(in: snapshot, body)
        }
        var window = ResultWindow(fetch)
        try snapshot.forEachKeyRecord(
            index.table, index.ranges, of: store.tables[entities.ordinals[0]],
            isReversed: readsBackwards, objectsDescend: objectsDescend, where: entities.contains
        ) { key, record in
            if window.skips() { return true }
            return try body(key, record) && window.goesOn()
        }
    }

    /// Calls a body with results that are alike in the read properties together, each time with the
    /// key of the first one, a record that has these properties, and their number.
    ///
    /// Without a ``countedIndex`` each comes by itself.
    ///
    /// - Parameter objectsDescend: Whether the first one is that with the greatest key.
    func forEachRun(
        in snapshot: StoreSnapshot, objectsDescend: Bool = false,
        _ body: (ObjectKey, RecordView, Int) throws -> Bool
    ) throws {
        guard snapshot.catalog === catalog else {
            return try replanned(for: snapshot).forEachRun(
                in: snapshot, objectsDescend: objectsDescend, body)
        }
        guard let index = countedIndex else {
            return try forEachReading(in: snapshot) { try body($0, $1, 1) }
        }
        try snapshot.forEachKeyRun(
            index.table, index.ranges, of: store.tables[entities.ordinals[0]],
            objectsDescend: objectsDescend, body)
    }

    /// The index each key of which is read once, with the number of its objects; `nil` where they
    /// come one by one.
    var countedIndex: IndexScan? {
        guard fetch.countsKeys, case .none = order, let index = coveringIndex,
            index.table.countsKeys(fetch, entities, catalog)
        else { return nil }
        return index
    }

    /// The index whose keys have all that is read; `nil` where records have to be read.
    var coveringIndex: IndexScan? {
        guard readsKeysOnly, fetch.watch == nil, case .index(let index) = source,
            let table = store.table(named: fetch.entity), entities.ordinals == [table.ordinal],
            index.table.covers(fetch.readProperties, table)
        else { return nil }
        return index
    }
}

extension IndexTable {
    /// Whether a fetch that reads nothing but keys may read each once: all of their objects are
    /// wanted.
    func countsKeys(
        _ fetch: FetchDescription, _ entities: EntitySet, _ catalog: CatalogState
    ) -> Bool {
        fetch.limit == 0 && fetch.offset == 0 && entities.containsAll(of: self, catalog)
    }

    /// Whether keys have the values of all of some properties of an entity.
    func covers(_ properties: Set<String>?, _ table: EntityTable) -> Bool {
        guard let properties, properties.isSubset(of: index.properties) else { return false }
        return fields.allSatisfy { KeyRecord.isReadable(table.layout.fields[$0].type) }
    }
}
