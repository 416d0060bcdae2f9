// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Store

/// Finds where the records of each entity have what groups and aggregates read.
struct GroupFieldReader {
    private let store: Store
    private let table: EntityTable
    /// The entities of the objects, and that of the fetch even if it has none.
    private let ordinals: Set<Int>
    private(set) var paths: [SortPath] = []
    private(set) var computed: [Expression] = []
    private(set) var others: [OtherAggregate] = []

    /// By entity ordinal.
    private var fields: [[GroupField]]
    private var aggregates: [[PlainAggregate]]

    init(_ table: EntityTable, _ entities: EntitySet, in store: Store) {
        self.store = store
        self.table = table
        ordinals = Set(entities.ordinals + [table.ordinal])
        fields = Array(repeating: [], count: store.tables.count)
        aggregates = Array(repeating: [], count: store.tables.count)
    }

    /// What was added, by entity ordinal; nil for entities of no objects.
    var parts: [GroupSums.Part?] {
        store.tables.indices.map { ordinal in
            guard ordinals.contains(ordinal) else { return nil }
            return GroupSums.Part(
                layout: store.tables[ordinal].layout, fields: fields[ordinal],
                aggregates: aggregates[ordinal])
        }
    }

    /// Whether members may come in the order of an index: what is computed of each may round, and
    /// the zero that stands for both in a group is that of the first member.
    var isSameInAnyOrder: Bool {
        others.allSatisfy(\.isSameInAnyOrder) && computed.isEmpty
            && paths.allSatisfy { $0.type?.isFloating == false }
            && fields.allSatisfy { fields in
                fields.allSatisfy { field in
                    if case .plain(let place) = field { !place.isFloating } else { true }
                }
            }
    }

    mutating func addGroup(_ expression: Expression) {
        guard let path = SortPath(expression, table.entity, store), path.type?.isBinary == false
        else {
            let index = computed.count
            computed.append(expression)
            return append { _ in .computed(index) }
        }
        if path.steps.count == 1 {
            append { path.steps[0][$0].map { .plain($0) } }
        } else {
            let index = paths.count
            paths.append(path)
            append { _ in .path(index) }
        }
    }

    private mutating func append(_ field: (Int) -> GroupField?) {
        for ordinal in ordinals {
            if let field = field(ordinal) { fields[ordinal].append(field) }
        }
    }

    /// - Returns: Whether the aggregate is one that can be summed.
    mutating func addAggregate(_ expression: Expression) -> Bool {
        guard case .function(let name, let arguments) = expression, let argument = arguments.first
        else { return false }
        if name == "count:", namesObject(argument) {
            append { _ in .count(nil) }
            return true
        }
        if let path = SortPath(argument, table.entity, store), path.steps.count == 1,
            let place = path.steps[0][table.ordinal], PlainAggregate(name, place) != nil
        {
            append { path.steps[0][$0].flatMap { PlainAggregate(name, $0) } }
            return true
        }
        guard let other = OtherAggregate(name, argument, table.entity, store) else { return false }
        let index = others.count
        others.append(other)
        append { _ in .other(index) }
        return true
    }

    private func namesObject(_ argument: Expression) -> Bool {
        guard case .keyPath(let keys) = argument else { return argument == .evaluatedObject }
        return keys.allSatisfy { KeyPathResolver.isIdentity($0, of: table.entity) }
    }

    private mutating func append(_ aggregate: (Int) -> PlainAggregate?) {
        for ordinal in ordinals {
            if let aggregate = aggregate(ordinal) { aggregates[ordinal].append(aggregate) }
        }
    }
}
