// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Store

/// Where a plan takes its candidates from.
indirect enum FetchSource: Sendable {
    /// Nowhere: no object can satisfy the predicate.
    case nothing
    /// All records of the entities.
    case scan
    /// Known objects, ascending and each once.
    case keys([ObjectKey])
    /// Ranges of an index.
    case index(IndexScan)
    /// The records of other entities that a filter lets through: the owners of a walk.
    case filtered(FilteredScan)
    /// The objects at the other end of a relationship of candidates.
    case walk(RelationshipWalk)
    /// Candidates of any of several sources.
    case union([FetchSource])
    /// Candidates of all of several sources, the smallest first.
    case intersection([FetchSource])
}

/// Ranges of one index.
struct IndexScan: Sendable {
    let table: IndexTable
    /// Disjoint, in the order of the result.
    var ranges: [IndexRange]
    /// The conditions that the ranges stand for; empty for the whole index.
    let conditions: [Comparison]
    /// The count of leading properties that are fixed to one value.
    let fixedCount: Int
    /// Whether each range is of one key.
    let areKeys: Bool
    /// Whether a property is text, so that long keys are cut and their order is not known.
    let mayBeCut: Bool

    /// Whether the only range is of one key, so that the objects' keys ascend.
    var isPoint: Bool { areKeys && ranges.count == 1 }
}

extension IndexScan {
    /// All of an index.
    init(whole index: IndexTable, _ table: EntityTable) {
        self.init(
            table: index, ranges: [IndexRange(lower: [], upper: nil)], conditions: [],
            fixedCount: 0, areKeys: false, mayBeCut: table.mayBeCut(index))
    }
}

/// A scan of its own within a plan.
struct FilteredScan: Sendable {
    let predicate: Predicate
    /// By entity ordinal; nil for an entity that is not scanned.
    let filters: [RecordFilter?]

    /// The entities that are scanned.
    var ordinals: [Int] { filters.indices.filter { filters[$0] != nil } }
}

/// A step from objects along a relationship.
struct RelationshipWalk: Sendable {
    /// Where the owners come from.
    let owners: FetchSource
    /// The table of the owners' entity.
    let table: EntityTable
    /// The relationship of the owners that leads to the candidates.
    let relationship: String
}

extension FetchSource {
    /// Whether each candidate's record must be read to know that it exists.
    var mayDangle: Bool {
        switch self {
        case .nothing, .scan, .index, .filtered: false
        case .keys, .walk: true
        case .union(let members), .intersection(let members):
            members.contains { $0.mayDangle }
        }
    }
}

/// The entities whose objects a fetch accepts.
struct EntitySet: Sendable {
    private let store: Store
    /// The ordinals without abstract entities, in the order of the entities' numbers, so that keys
    /// of a scan ascend.
    let ordinals: [Int]
    /// By ordinal; empty for a few entities, which are as soon looked through.
    private let isMember: [Bool]

    private static var fewEntities: Int { 4 }

    init(_ table: EntityTable, includesSubentities: Bool, in store: Store) {
        self.store = store
        let all =
            includesSubentities
            ? store.schema.ordinals(kindOf: table.ordinal) : [table.ordinal]
        let concrete = all.filter { !store.tables[$0].entity.isAbstract }
        func number(_ ordinal: Int) -> UInt16 { store.tables[ordinal].number.rawValue }
        // In the order of the names, which in a file that was migrated may be another one.
        let ascends = concrete.indices.dropFirst().allSatisfy {
            number(concrete[$0 - 1]) < number(concrete[$0])
        }
        ordinals = ascends ? concrete : concrete.sorted { number($0) < number($1) }
        guard ordinals.count > EntitySet.fewEntities else {
            isMember = []
            return
        }
        var isMember = Array(repeating: false, count: store.tables.count)
        for ordinal in ordinals { isMember[ordinal] = true }
        self.isMember = isMember
    }

    /// Whether an index has objects of these entities only.
    func containsAll(of index: IndexTable, _ catalog: CatalogState) -> Bool {
        store.tables.allSatisfy { table in
            table.entity.isAbstract || ordinals.contains(table.ordinal)
                || !catalog.indexes(of: table).contains { $0.number == index.number }
        }
    }

    /// Whether an object is of one of the entities.
    func contains(_ key: ObjectKey) -> Bool {
        guard let ordinal = store.ordinal(of: key.entity) else { return false }
        return isMember.isEmpty ? ordinals.contains(ordinal) : isMember[ordinal]
    }
}
