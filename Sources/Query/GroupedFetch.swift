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
    private let plan: FetchPlan
    let question: GroupQuestion
    /// That of the fetch's entity.
    let ordinal: Int
    let parts: [GroupSums.Part?]
    let paths: [SortPath]
    let computed: [Expression]
    let others: [OtherAggregate]

    /// Prepares the columns of each group.
    ///
    /// - Parameters:
    ///   - groups: What the groups have in common; empty for one group of all.
    ///   - columns: Members of `groups`, or what is computed of aggregates.
    /// - Returns: nil for a question of another kind.
    public init?(_ plan: FetchPlan, groups: [Expression], columns: [Expression]) {
        guard let question = GroupQuestion(groups: groups, columns: columns) else { return nil }
        self.init(plan, question)
    }

    /// Prepares the columns of each group.
    ///
    /// - Returns: nil for aggregates of what is behind to-many relationships.
    public init?(_ plan: FetchPlan, _ question: GroupQuestion) {
        guard let table = plan.store.table(named: plan.fetch.entity) else { return nil }
        var fields = GroupFieldReader(table, plan.entities, in: plan.store)
        for group in question.groups { fields.addGroup(group) }
        for aggregate in question.aggregates {
            guard fields.addAggregate(aggregate) else { return nil }
        }
        self.plan = plan
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

    /// The values of each group, column by column, in the order in which groups are met.
    ///
    /// - Throws: As ``FetchPlan/forEach(in:_:)``.
    /// - Complexity: O(matches); memory for the groups only.
    public func rows(in snapshot: StoreSnapshot) throws -> [[SubjectOperand]] {
        var sums = GroupSums(self, snapshot)
        // Two closures rather than one function passed twice, which is not compiled into the loops.
        if isSameInAnyOrder {
            try plan.forEachReading(in: snapshot) { key, record in
                try sums.add(key, record)
                return true
            }
        } else {
            try plan.forEach(in: snapshot) { key, record in
                try sums.add(key, record)
                return true
            }
        }
        return try GroupAnswers(question: question, sums: sums, snapshot: snapshot).rows()
    }

    /// The distinct rows, in the order in which they are met; for a question of those.
    ///
    /// - Parameter most: How many are wanted; 0 for all.
    /// - Throws: As ``rows(in:)``.
    /// - Complexity: As ``rows(in:)``; the first rows are found without reading the rest.
    public func distinctRows(
        in snapshot: StoreSnapshot, upTo most: Int
    ) throws -> [[SubjectOperand]] {
        var sums = GroupSums(self, snapshot)
        try plan.forEachReading(in: snapshot) { key, record in
            try sums.add(key, record)
            return sums.count != most
        }
        return (0..<sums.count).map { sums.values(of: $0) }
    }

    /// Whether members may come in the order of an index: sums that round or overflow, extremes
    /// among NaN, and the zero that stands for both depend on the order.
    private var isSameInAnyOrder: Bool {
        others.allSatisfy(\.isSameInAnyOrder) && computed.isEmpty
            && paths.allSatisfy { $0.type?.isFloating == false }
            && parts.allSatisfy { $0?.isSameInAnyOrder ?? true }
    }
}

extension GroupSums.Part {
    fileprivate var isSameInAnyOrder: Bool {
        aggregates.allSatisfy(\.isSameInAnyOrder)
            && fields.allSatisfy { field in
                if case .plain(let place) = field { !place.isFloating } else { true }
            }
    }
}

extension PlainAggregate {
    fileprivate var isSameInAnyOrder: Bool {
        switch self {
        case .count, .other: true
        case .sum(let place), .average(let place):
            place.type == .integer16 || place.type == .integer32 || place.type == .boolean
        case .least(let place), .greatest(let place): !place.isFloating
        }
    }
}
