// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Store

/// What plans have in common whose fetches differ in nothing but the values of plain conditions.
struct PlanShape {
    /// A condition without its values.
    private struct Member {
        let key: String
        let operation: Operator
        let options: ComparisonOptions
        /// The type of the values that the fetch states.
        let type: AttributeType
        let hasPrefix: Bool
        /// The type of the attribute or relationship.
        let field: AttributeType

        init(_ condition: PlainCondition, _ field: AttributeType) {
            key = condition.key
            operation = condition.operation
            options = condition.options
            type = condition.type
            hasPrefix = condition.hasPrefix
            self.field = field
        }

        func fits(_ condition: PlainCondition) -> Bool {
            condition.operation == operation && condition.type == type
                && condition.options == options && condition.hasPrefix == hasPrefix
                && condition.key == key
        }
    }

    /// Where candidates come from.
    private enum Source {
        case index(IndexTable)
        /// The objects of a relationship's inverse, from the object that a member names.
        case inverse(RelationshipWalk, member: Int)
    }

    private let includesSubentities: Bool
    private let sortOrders: [SortOrder]
    private let limit: Int
    private let pageSize: Int
    private let offset: Int
    /// Whether the source must not have more than one object.
    private let mustBeOne: Bool
    private let readProperties: Set<String>?
    private let mayCountKeys: Bool
    /// Whether the plan does count keys.
    private let countsKeys: Bool
    private let members: [Member]
    private let table: EntityTable
    private let entities: EntitySet
    private let source: Source
    private let settled: Set<Int>
    private let order: FetchOrder
    /// So many entries of the index are read without weighing other sources.
    private let mostEntries: Double
    private let objects: Double

    /// With as many candidates no other source would have been much faster.
    private static var fewEntries: Double { 16 }

    /// - Returns: `nil` for a plan that says nothing of other values.
    init?(
        _ fetch: FetchDescription, _ conditions: ContiguousArray<PlainCondition>,
        _ plan: FetchPlan, _ choice: PlanChooser.Choice, _ table: EntityTable
    ) {
        guard fetch.scanLimit <= 0, let estimate = plan.estimate else { return nil }
        switch plan.order {
        case .none, .memory: order = plan.order
        case .source: return nil
        }
        guard let members = PlanShape.members(conditions, table),
            let source = PlanShape.source(plan, choice, members)
        else { return nil }
        self.source = source
        self.members = members
        self.table = table
        includesSubentities = fetch.includesSubentities
        sortOrders = fetch.sortOrders
        (limit, offset, pageSize) = (fetch.limit, fetch.offset, fetch.pageSize)
        readProperties = fetch.readProperties
        (mayCountKeys, countsKeys) = (fetch.countsKeys, choice.countsKeys)
        mustBeOne = PlanShape.dependsOnSource(fetch)
        if mustBeOne, !PlanShape.yieldsOne(plan.source) { return nil }
        entities = plan.entities
        settled = choice.settled
        // Without another source but a scan, the share that an index leaves out decides.
        mostEntries =
            choice.sourceCount == 1
            ? max(PlanShape.fewEntries, estimate.candidates) : PlanShape.fewEntries
        objects = estimate.objects
    }

    /// Whether the source says which objects a limit leaves out, where it has several.
    ///
    /// All pages of such a result have to come from one plan, so it may depend on nothing but the
    /// fetch and the store.
    private static func dependsOnSource(_ fetch: FetchDescription) -> Bool {
        fetch.sortOrders.isEmpty && (fetch.limit > 0 || fetch.offset > 0)
    }

    /// Whether a source is one value of a unique index.
    private static func yieldsOne(_ source: FetchSource) -> Bool {
        guard case .index(let scan) = source else { return false }
        return scan.isPoint && scan.table.index.isUnique
    }

    private static func members(
        _ conditions: ContiguousArray<PlainCondition>, _ table: EntityTable
    ) -> [Member]? {
        var members: [Member] = []
        for condition in conditions {
            guard let position = table.field(named: condition.key) else { return nil }
            let type = table.fields[position].type
            // Of a collection these operators ask for a member.
            if condition.operation.searchesText, !type.isText { return nil }
            members.append(Member(condition, type))
        }
        return members
    }

    private static func source(
        _ plan: FetchPlan, _ choice: PlanChooser.Choice, _ members: [Member]
    ) -> Source? {
        switch plan.source {
        case .index(let scan):
            // A whole index is read for its order.
            return scan.table.index.isPartial || scan.conditions.isEmpty ? nil : .index(scan.table)
        case .walk(let walk):
            // What an owner has on average decides, whichever it is. With a limit a scan that ends
            // early may be faster, depending on how many it has.
            guard choice.sourceCount == 1, plan.fetch.limit == 0,
                case .keys(let keys) = walk.owners, keys.count == 1,
                choice.settled.count == 1, let member = choice.settled.first,
                members[member].operation == .equalTo, members[member].type == .objectID
            else { return nil }
            return .inverse(walk, member: member)
        default: return nil
        }
    }

    /// Whether a fetch differs in values alone.
    func fits(_ fetch: FetchDescription, _ conditions: ContiguousArray<PlainCondition>) -> Bool {
        guard conditions.count == members.count, fetch.limit == limit, fetch.offset == offset,
            fetch.pageSize == pageSize, fetch.scanLimit <= 0,
            fetch.includesSubentities == includesSubentities, fetch.entity == table.entity.name,
            fetch.sortOrders == sortOrders, fetch.readProperties == readProperties,
            fetch.countsKeys == mayCountKeys
        else { return false }
        for (condition, member) in zip(conditions, members) where !member.fits(condition) {
            return false
        }
        return true
    }

    /// The plan of a fetch that fits; `nil` where other sources have to be weighed, and where a
    /// value is no value of the attribute.
    func plan(
        _ fetch: FetchDescription, _ conditions: ContiguousArray<PlainCondition>, _ store: Store,
        _ catalog: CatalogState
    ) -> FetchPlan? {
        guard let comparisons = comparisons(conditions),
            let (source, candidates) = source(comparisons, store)
        else { return nil }
        let rest = comparisons.indices.filter { !settled.contains($0) }
            .map { Predicate.comparison(comparisons[$0]) }
        let residual = rest.isEmpty ? nil : Predicate.joined(rest, isAnd: true)
        guard let filters = try? Planner.filters(residual, entities, store) else { return nil }
        var fetch = fetch
        fetch.countsKeys = countsKeys
        fetch.predicate =
            comparisons.count == 1
            ? .comparison(comparisons[0]) : .and(comparisons.map { .comparison($0) })
        return FetchPlan(
            fetch: fetch, store: store, catalog: catalog, entities: entities, source: source,
            residual: residual, filters: filters, order: order,
            estimate: FetchEstimate(candidates: candidates, objects: objects))
    }

    /// The conditions with values of the types that the fields need.
    private func comparisons(
        _ conditions: ContiguousArray<PlainCondition>
    ) -> [Comparison]? {
        var comparisons: [Comparison] = []
        comparisons.reserveCapacity(members.count)
        for (condition, member) in zip(conditions, members) {
            guard let comparison = condition.comparison(with: member.field) else { return nil }
            comparisons.append(comparison)
        }
        return comparisons
    }

    private func source(
        _ comparisons: [Comparison], _ store: Store
    ) -> (FetchSource, candidates: Double)? {
        switch source {
        case .inverse(let walk, let member):
            guard case .constant(.value(.objectID(let key))) = comparisons[member].right else {
                return nil
            }
            let owned = RelationshipWalk(
                owners: .keys([key]), table: walk.table, relationship: walk.relationship)
            return (.walk(owned), PlanShape.fewEntries)
        case .index(let index): return ranges(of: index, comparisons, store)
        }
    }

    private func ranges(
        of index: IndexTable, _ comparisons: [Comparison], _ store: Store
    ) -> (FetchSource, candidates: Double)? {
        let reader = RestrictionReader(schema: store.schema, entity: table.entity)
        var restrictions: [Restriction] = []
        for (place, comparison) in comparisons.enumerated()
        where index.index.properties.contains(members[place].key) {
            if case .list(let values)? = comparison.right.constantOperand,
                values.count > SourcePlanner.leastMostRanges
            {
                return nil
            }
            if let found = reader.restriction(comparison, member: place) {
                restrictions.append(found)
            }
        }
        let chooser = IndexChooser(
            table, restrictions, mostRanges: SourcePlanner.leastMostRanges)
        // No ranges for a value that no object can have.
        guard let choice = chooser.choice(index), !choice.scan.ranges.isEmpty,
            choice.settled == settled
        else { return nil }
        let scan = choice.scan
        let source = FetchSource.index(scan)
        if PlanShape.yieldsOne(source) { return (source, 1) }
        if mustBeOne { return nil }
        let entries =
            scan.areKeys && scan.table.index.isUnique
            ? Double(scan.ranges.count) : Estimates(store).entries(of: scan, entities).entries
        return entries <= mostEntries ? (source, entries) : nil
    }
}
