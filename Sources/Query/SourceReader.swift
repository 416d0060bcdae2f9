// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// Reads the candidates of a source.
struct SourceReader {
    let snapshot: StoreSnapshot
    let entities: EntitySet

    /// Calls a body with the candidates' keys, in the order of the source.
    ///
    /// - Parameters:
    ///   - objectsDescend: Whether the objects of one key of an index come backwards; as keys do
    ///     by default.
    ///   - body: Returns false to stop.
    func forEachKey(
        _ source: FetchSource, isReversed: Bool, objectsDescend: Bool? = nil,
        _ body: (ObjectKey) throws -> Bool
    ) throws {
        switch source {
        case .nothing: break
        case .scan: try scan(entities.ordinals, [], body)
        case .keys(let keys):
            for key in keys where entities.contains(key) {
                guard try body(key) else { return }
            }
        case .index(let index):
            try snapshot.scan(
                index.table, index.ranges, isReversed: isReversed, objectsDescend: objectsDescend
            ) { key in
                try !entities.contains(key) || body(key)
            }
        case .filtered(let scanned): try scan(scanned.ordinals, scanned.filters, body)
        case .walk, .union, .intersection:
            for key in try collect(source) {
                guard try body(key) else { return }
            }
        }
    }

    /// - Parameter filters: By entity ordinal; empty to let all records through.
    private func scan(
        _ ordinals: [Int], _ filters: [RecordFilter?], _ body: (ObjectKey) throws -> Bool
    ) throws {
        for ordinal in ordinals {
            let table = snapshot.store.tables[ordinal]
            let goesOn =
                if !filters.isEmpty, let root = filters[ordinal]?.root {
                    try forEachMatch(of: root, in: table, body)
                } else {
                    try forEachKey(of: table, body)
                }
            guard goesOn else { return }
        }
    }

    /// - Returns: Whether the body wants more.
    private func forEachMatch(
        of root: any FilterNode, in table: EntityTable, _ body: (ObjectKey) throws -> Bool
    ) throws -> Bool {
        var cursor = try snapshot.records(of: table)
        while let (key, record) = try cursor.next() {
            let row = FilterRow(key: key, record: record, snapshot: snapshot)
            guard try root.matches(row) else { continue }
            guard try body(key) else { return false }
        }
        return true
    }

    /// - Returns: Whether the body wants more.
    private func forEachKey(
        of table: EntityTable, _ body: (ObjectKey) throws -> Bool
    ) throws -> Bool {
        var cursor = try snapshot.records(of: table)
        while let (key, _) = try cursor.next() {
            guard try body(key) else { return false }
        }
        return true
    }

    /// The candidates ascending, each once.
    func collect(_ source: FetchSource) throws -> ContiguousArray<ObjectKey> {
        var keys: ContiguousArray<ObjectKey> = []
        switch source {
        case .union(let members):
            for member in members {
                try forEachKey(member, isReversed: false) { key in
                    keys.append(key)
                    return true
                }
            }
        case .intersection(let members): return try intersection(members)
        case .walk(let walk): try append(walk, to: &keys)
        case .nothing, .scan, .keys, .index, .filtered:
            try forEachKey(source, isReversed: false) { key in
                keys.append(key)
                return true
            }
        }
        return keys.sortedUnique()
    }

    private func intersection(_ members: [FetchSource]) throws -> ContiguousArray<ObjectKey> {
        guard let first = members.first else { return [] }
        var keys = try collect(first)
        for member in members.dropFirst() where !keys.isEmpty {
            let filter = KeyFilter(keys)
            var common: ContiguousArray<ObjectKey> = []
            try forEachKey(member, isReversed: false) { key in
                if filter.contains(key) { common.append(key) }
                return true
            }
            keys = common.sortedUnique()
        }
        return keys
    }

    private func append(
        _ walk: RelationshipWalk, to keys: inout ContiguousArray<ObjectKey>
    ) throws {
        let owners = SourceReader(
            snapshot: snapshot,
            entities: EntitySet(walk.table, includesSubentities: true, in: snapshot.store))
        var found: ContiguousArray<ObjectKey> = []
        try owners.forEachKey(walk.owners, isReversed: false) { owner in
            found += try destinations(of: owner, walk.relationship)
            return true
        }
        keys += found.filter { entities.contains($0) }
    }

    private func destinations(
        of owner: ObjectKey, _ name: String
    ) throws -> ContiguousArray<ObjectKey> {
        guard let ordinal = snapshot.store.ordinal(of: owner.entity) else { return [] }
        let table = snapshot.store.tables[ordinal]
        guard let position = table.field(named: name) else {
            guard let relationship = table.relationship(named: name) else { return [] }
            return try snapshot.destinations(of: owner, relationship)
        }
        guard let record = try snapshot.record(row: owner.row, in: table),
            !record.isNull(position)
        else { return [] }
        let raw = record.load(at: table.layout.fields[position].offset, as: UInt64.self)
        return [ObjectKey(rawValue: raw)]
    }
}

extension ContiguousArray<ObjectKey> {
    /// The keys ascending, each once.
    func sortedUnique() -> ContiguousArray<ObjectKey> {
        var isAscending = true
        for index in indices.dropFirst() where self[index - 1] >= self[index] {
            isAscending = false
            break
        }
        if isAscending { return self }
        var result: ContiguousArray<ObjectKey> = []
        result.reserveCapacity(count)
        for key in sorted() where result.last != key { result.append(key) }
        return result
    }
}
