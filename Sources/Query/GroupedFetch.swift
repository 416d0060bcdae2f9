// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// A fetch of groups with running sums, read from records without making anything for a row.
///
/// Only what is computed of each member, such as `sum:(price * count)`, makes an object and values
/// for a moment. Its answers are those of evaluating the expressions on the members of each group.
public struct GroupedFetch {
    /// How the members are found.
    public let plan: FetchPlan
    let question: GroupQuestion
    /// The criteria by which groups are sorted, and the places of their values among the groups.
    ///
    /// Equal groups come in the order of their members with the least keys, or backwards in that of
    /// those with the greatest ones, if the last criterion descends.
    let order: [(place: Int, order: SortOrder)]
    /// That of the fetch's entity.
    let ordinal: Int
    let parts: [GroupSums.Part?]
    let paths: [SortPath]
    let computed: [Expression]
    let others: [OtherAggregate]
    private let isSameInAnyOrder: Bool

    /// Plans a fetch of groups.
    ///
    /// Where what groups have in common decides the order, they are sorted rather than their
    /// members. What the fetch reads is set here.
    ///
    /// - Parameters:
    ///   - fetch: The members, without a limit or an offset, which are not those of groups.
    ///   - question: What is asked of their groups.
    /// - Returns: nil for aggregates of what is behind to-many relationships.
    /// - Throws: As ``Planner/plan(_:in:remembering:)``.
    public init?(
        _ fetch: FetchDescription, _ question: GroupQuestion, in store: Store,
        remembering memory: PlanMemory? = nil
    ) throws(QueryError) {
        guard let table = store.table(named: fetch.entity) else { return nil }
        let entities = EntitySet(
            table, includesSubentities: fetch.includesSubentities, in: store)
        var fields = GroupFieldReader(table, entities, in: store)
        for group in question.groups { fields.addGroup(group) }
        for aggregate in question.aggregates {
            guard fields.addAggregate(aggregate) else { return nil }
        }
        isSameInAnyOrder = fields.isSameInAnyOrder
        var members = fetch
        members.readProperties =
            isSameInAnyOrder || question.isDistinct ? question.readProperties : nil
        members.countsKeys = isSameInAnyOrder && fetch.watch == nil
        // One group of all is one row, whatever the order of its members.
        let isOne = question.groups.isEmpty && isSameInAnyOrder
        let known = isOne ? [] : question.order(fetch.sortOrders)
        order = known ?? []
        if known != nil { members.sortOrders = [] }
        plan = try Planner.plan(members, in: store, remembering: memory)
        self.question = question
        ordinal = table.ordinal
        parts = fields.parts
        paths = fields.paths
        computed = fields.computed
        others = fields.others
    }

    /// The properties that columns and groups read of each object; `nil` where only the records
    /// tell.
    public static func readProperties(
        groups: [Expression], columns: [Expression]
    ) -> Set<String>? {
        var names: Set<String> = []
        for expression in groups + columns {
            var inner = expression
            if case .function(_, let arguments) = inner, arguments.count == 1 {
                inner = arguments[0]
                if inner == .evaluatedObject { continue }
            }
            switch inner {
            case .keyPath(let keys) where keys.count == 1: names.insert(keys[0])
            default: return nil
            }
        }
        return names
    }

    /// The values of each group, column by column: sorted, or in the order in which groups are met.
    ///
    /// - Throws: As ``FetchPlan/forEach(in:_:)``.
    /// - Complexity: O(matches), or O(keys) of an index that has all that is read; memory for the
    ///   groups only.
    public func rows(in snapshot: StoreSnapshot) throws -> [[SubjectOperand]] {
        let sums = try sums(in: snapshot) { _ in true }
        return try GroupAnswers(question: question, sums: sums, snapshot: snapshot).rows(
            sums.numbers(sortedBy: order))
    }

    /// The distinct rows, sorted or in the order in which they are met; for a question of those.
    ///
    /// - Parameter most: How many are wanted; 0 for all.
    /// - Throws: As ``rows(in:)``.
    /// - Complexity: As ``rows(in:)``; the first rows are found without reading the rest, unless
    ///   they are sorted.
    public func distinctRows(
        in snapshot: StoreSnapshot, upTo most: Int
    ) throws -> [[SubjectOperand]] {
        guard order.isEmpty else {
            let sums = try sums(in: snapshot) { _ in true }
            let numbers = sums.numbers(sortedBy: order)
            return numbers.prefix(most > 0 ? most : .max).map { sums.values(of: $0) }
        }
        let sums = try sums(in: snapshot) { $0 != most }
        return (0..<sums.count).map { sums.values(of: $0) }
    }

    /// Whether the first member of a group is the one with the greatest key.
    var objectsDescend: Bool { order.last?.order.isAscending == false }

    /// Reads members as long as a body, which takes the number of groups, wants more.
    private func sums(
        in snapshot: StoreSnapshot, _ goesOn: (Int) -> Bool
    ) throws -> GroupSums {
        var sums = GroupSums(self, snapshot)
        // A closure each rather than one function passed twice, which is not compiled into the
        // loops.
        if plan.fetch.countsKeys {
            try plan.forEachRun(in: snapshot, objectsDescend: objectsDescend) {
                key, record, count in
                try sums.add(key, record, times: count)
                return goesOn(sums.count)
            }
        } else if isSameInAnyOrder || question.isDistinct {
            try plan.forEachReading(in: snapshot) { key, record in
                try sums.add(key, record)
                return goesOn(sums.count)
            }
        } else {
            try plan.forEach(in: snapshot) { key, record in
                try sums.add(key, record)
                return goesOn(sums.count)
            }
        }
        return sums
    }
}
