// SPDX-License-Identifier: Apache-2.0

import Predicates

/// What is asked of groups, in terms of aggregates that are summed while records are read.
public struct GroupQuestion {
    /// What a column shows.
    enum Column {
        /// What the members have in common, by its place among the groups.
        case group(Int)
        case aggregate(Int)
        /// What is computed of aggregates, which are variables in it.
        case computed(Expression)
    }

    /// A condition on groups, which reads columns by their names.
    public struct Condition {
        let predicate: Predicate
        let columns: [String: Expression]
        let computed: Set<String>

        /// - Parameters:
        ///   - predicate: The condition.
        ///   - columns: The expressions of columns and groups by their names.
        ///   - computed: The names that are no properties of the members.
        public init(
            _ predicate: Predicate, columns: [String: Expression], computed: Set<String>
        ) {
            self.predicate = predicate
            self.columns = columns
            self.computed = computed
        }
    }

    let groups: [Expression]
    let aggregates: [Expression]
    let columns: [Column]
    /// The columns that the condition reads, by their names.
    let named: [String: Column]
    /// The condition in terms of the named columns and of aggregates, which are variables in it.
    let condition: PreparedPredicate?

    /// Whether the question is for distinct rows.
    let isDistinct: Bool

    /// Whether something is computed of aggregates.
    var isComputed: Bool {
        condition != nil
            || columns.contains { if case .computed = $0 { true } else { false } }
    }

    /// Analyses a question.
    ///
    /// - Parameters:
    ///   - groups: What the groups have in common; empty for one group of all.
    ///   - columns: Members of `groups`, or what is computed of aggregates.
    /// - Returns: nil where an answer needs all members of a group at once.
    public init?(groups: [Expression], columns: [Expression], having: Condition? = nil) {
        var reduction = GroupReduction()
        var parts: [Column] = []
        for column in columns {
            guard let part = GroupQuestion.column(column, groups, &reduction) else { return nil }
            parts.append(part)
        }
        var named: [String: Column] = [:]
        for (name, column) in having?.columns ?? [:] {
            guard let part = GroupQuestion.column(column, groups, &reduction) else { return nil }
            named[name] = part
        }
        do {
            var inner = reduction.knowing(
                Set(named.keys), computed: having?.computed ?? [])
            guard let predicate = inner.reduced(having?.predicate ?? .constant(true)) else {
                return nil
            }
            condition = having == nil ? nil : try PreparedPredicate(predicate)
            reduction = inner
        } catch {
            return nil
        }
        self.groups = groups
        self.columns = parts
        self.named = named
        aggregates = reduction.aggregates
        isDistinct = false
    }

    /// Asks for the distinct rows of some columns: each is a group.
    public init(distinct columns: [Expression]) {
        groups = columns
        aggregates = []
        self.columns = columns.indices.map { .group($0) }
        named = [:]
        condition = nil
        isDistinct = true
    }

    /// The properties that are read of each object; `nil` where only the records tell.
    public var readProperties: Set<String>? {
        GroupedFetch.readProperties(groups: groups, columns: aggregates)
    }

    /// The criteria of an order with their places among the groups; `nil` where the members of a
    /// group may differ in one.
    func order(_ sortOrders: [SortOrder]) -> [(place: Int, order: SortOrder)]? {
        var result: [(place: Int, order: SortOrder)] = []
        for order in sortOrders {
            guard let place = groups.firstIndex(of: .keyPath(order.keyPath)) else { return nil }
            result.append((place, order))
        }
        return result
    }

    private static func column(
        _ expression: Expression, _ groups: [Expression], _ reduction: inout GroupReduction
    ) -> Column? {
        // An aggregate is one of the whole group, also where each member has one of its own.
        if !GroupReduction.hasAggregate(expression),
            let index = groups.firstIndex(of: expression)
        {
            return .group(index)
        }
        if let index = reduction.index(of: expression) { return .aggregate(index) }
        return reduction.reduced(expression).map { .computed($0) }
    }
}
