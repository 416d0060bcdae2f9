// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Query
import RecordFormat
import Schema
import Store

/// A fetch of dictionaries: columns, groups and distinct rows, all from the store.
struct DictionaryFetch {
    private let context: NSManagedObjectContext
    private let plan: FetchPlan
    private let description: FetchDescription
    private let columns: [ResultColumn]
    private let groups: [ResultColumn]
    private let having: PreparedPredicate?
    /// The columns whose names are no properties, which only a group has.
    private let computed: [String: ResultColumn]
    /// What can be summed up; `nil` where all members of a group are needed, or each is a row.
    private let grouped: GroupedFetch?
    private let isDistinct: Bool

    private var isGrouped: Bool { DictionaryFetch.isGrouped(columns, groups) }

    private static func isGrouped(_ columns: [ResultColumn], _ groups: [ResultColumn]) -> Bool {
        !groups.isEmpty || columns.contains { $0.isAggregate && !$0.isOfMany }
    }

    /// Prepares a fetch.
    ///
    /// - Throws: 134070 for a column that the model does not have or that is neither grouped nor
    ///   an aggregate where others are, and for a having predicate without groups.
    init<Result>(
        _ request: NSFetchRequest<Result>, _ prepared: FetchPreparation,
        _ context: NSManagedObjectContext
    ) throws {
        self.context = context
        let runtime = prepared.runtime
        let all = runtime.entity.attributes.filter { !$0.isTransient }.map(\.name)
        columns = try (request.propertiesToFetch ?? all).map { try ResultColumn($0, runtime) }
        groups = try (request.propertiesToGroupBy ?? []).map { try ResultColumn($0, runtime) }
        isDistinct = request.returnsDistinctResults
        computed = Dictionary(
            (columns + groups).filter { runtime.references[$0.name] == nil }
                .map { ($0.name, $0) }, uniquingKeysWith: { $1 })
        description = prepared.description
        let known = Dictionary(
            (columns + groups).map { ($0.name, $0.expression) }, uniquingKeysWith: { $1 })
        let condition = try context.mappingQueryErrors {
            try request.havingPredicate.map {
                let coercion = ConstantCoercion(
                    context.model.schema, entity: runtime.entity.name, columns: known)
                return try coercion.coerced(try PredicateConversion.predicate($0, context))
                    .readingColumns(Set(known.keys))
            }
        }
        having = try context.mappingQueryErrors { try condition.map { try PreparedPredicate($0) } }
        let isGrouped = DictionaryFetch.isGrouped(columns, groups)
        let question = DictionaryFetch.question(columns, groups, isDistinct, condition, computed)
        var whole = prepared.description
        if isGrouped || isDistinct { (whole.limit, whole.offset) = (0, 0) }
        let store = try context.requireStore()
        let summed = try context.mappingQueryErrors {
            try question.flatMap {
                try GroupedFetch(whole, $0, in: store, remembering: context.knownPlans)
            }
        }
        grouped = summed
        if !isGrouped {
            whole.readProperties = GroupedFetch.readProperties(
                groups: [], columns: columns.map(\.expression))
        }
        plan = try context.mappingQueryErrors {
            try summed?.plan
                ?? Planner.plan(whole, in: store, remembering: context.knownPlans)
        }
        guard isGrouped else {
            guard having == nil else {
                throw DictionaryFetch.failure("havingPredicate needs propertiesToGroupBy")
            }
            return
        }
        let grouped = Set(groups.map(\.name))
        if let loose = columns.first(where: {
            !$0.isAggregate && !grouped.contains($0.name) && $0.expression.constantOperand == nil
        }) {
            throw DictionaryFetch.failure(
                "\(loose.name) is neither grouped nor an aggregate; add it to propertiesToGroupBy")
        }
    }

    private static func failure(_ message: String) -> CocoaError {
        CoreDataError.make(.persistentStoreOperation, message)
    }

    private static func question(
        _ columns: [ResultColumn], _ groups: [ResultColumn], _ isDistinct: Bool,
        _ condition: Predicates.Predicate?, _ computed: [String: ResultColumn]
    ) -> GroupQuestion? {
        guard isGrouped(columns, groups) else {
            return isDistinct ? GroupQuestion(distinct: columns.map(\.expression)) : nil
        }
        var named: [String: Predicates.Expression] = [:]
        for column in columns + groups {
            // Of columns of one name the last one counts for all, which members decide.
            if let other = named.updateValue(column.expression, forKey: column.name),
                other != column.expression
            {
                return nil
            }
        }
        return GroupQuestion(
            groups: groups.map(\.expression), columns: columns.map(\.expression),
            having: condition.map {
                GroupQuestion.Condition($0, columns: named, computed: Set(computed.keys))
            })
    }

    /// How the fetch is run, see ``FetchPlan/explanation(running:)``.
    func explanation(running snapshot: StoreSnapshot?) throws -> String {
        try grouped?.explanation(running: snapshot) ?? plan.explanation(running: snapshot)
    }

    /// Runs the fetch on a snapshot.
    func run(in snapshot: StoreSnapshot) throws -> [NSDictionary] {
        try context.mappingQueryErrors {
            if isGrouped { return dictionaries(part(of: try groupedRows(snapshot))) }
            guard isDistinct, let grouped else { return try plainRows(snapshot) }
            let rows = try grouped.distinctRows(in: snapshot, upTo: description.reach)
            return dictionaries(rows.dropFirst(description.offset))
        }
    }

    /// The rows that are wanted: distinct ones, from the offset up to the limit.
    private func part(of rows: [[SubjectOperand]]) -> ArraySlice<[SubjectOperand]> {
        var seen: Set<[Value]> = []
        let wanted = isDistinct ? rows.filter { seen.insert($0.map(\.groupKey)).inserted } : rows
        let rest = wanted.dropFirst(description.offset)
        return description.limit > 0 ? rest.prefix(description.limit) : rest
    }

    private func plainRows(_ snapshot: StoreSnapshot) throws -> [NSDictionary] {
        let expressions = columns.map { RecordExpression($0.expression, in: snapshot.store) }
        var values: [SubjectOperand] = []
        var count = 0
        try plan.forEachReading(in: snapshot) { key, record in
            for expression in expressions {
                values.append(try expression.value(key, record, snapshot))
            }
            count += 1
            return true
        }
        var maker = DictionaryMaker(columns, context)
        let width = columns.count
        return (0..<count).map { maker.dictionary(values[$0 * width..<($0 + 1) * width]) }
    }

    private func dictionaries(_ rows: some Sequence<[SubjectOperand]>) -> [NSDictionary] {
        var maker = DictionaryMaker(columns, context)
        return rows.map { maker.dictionary($0[...]) }
    }

    private func groupedRows(_ snapshot: StoreSnapshot) throws -> [[SubjectOperand]] {
        if let grouped { return try grouped.rows(in: snapshot) }
        var numbers: [[Value]: Int] = [:]
        // Keys alone, as there may be many: objects are made for one group at a time.
        var members: [ContiguousArray<ObjectKey>] = groups.isEmpty ? [[]] : []
        try plan.forEach(in: snapshot) { key, record in
            guard !groups.isEmpty else {
                members[0].append(key)
                return true
            }
            let subject = RecordExpression.operand(key, record, snapshot)
            let groupKey = try groups.map { try $0.expression.value(with: subject).groupKey }
            let number = numbers[groupKey, default: members.count]
            if number == members.count {
                numbers[groupKey] = number
                members.append([])
            }
            members[number].append(key)
            return true
        }
        return try members.compactMap { keys in
            try row(of: keys.map { RecordExpression.operand($0, snapshot) })
        }
    }

    /// The row of a group; `nil` where the having predicate leaves it out.
    private func row(of members: [SubjectOperand]) throws -> [SubjectOperand]? {
        let group = SubjectOperand.collection(members)
        var values: [String: SubjectOperand] = [:]
        for column in columns + groups {
            let operand = column.isAggregate ? group : members.first ?? .value(.null)
            values[column.name] = try column.expression.value(with: operand)
        }
        if let having {
            let subject = GroupSubject(columns: values, computed: computed, members: members)
            guard try having.evaluate(with: subject, variables: values) else { return nil }
        }
        return columns.map { values[$0.name] ?? .value(.null) }
    }
}

extension NSManagedObjectContext {
    /// The dictionaries of a fetch; unsaved changes do not count.
    final func dictionaries<Result>(
        _ request: NSFetchRequest<Result>
    ) throws -> [NSDictionary] {
        readMailOutsideBlocks()
        processPendingChanges()
        do { return try storedDictionaries(request) } catch {
            return try storedDictionaries(try answered(request, instead: error))
        }
    }

    /// The dictionaries of a fetch that stores can run.
    private final func storedDictionaries<Result>(
        _ request: NSFetchRequest<Result>
    ) throws -> [NSDictionary] {
        if source != nil, hasFurtherStores || request.affectedStores != nil {
            return try dictionariesOfRoot(request)
        }
        // Fixed first, where the root cannot save meanwhile: afterwards the predicates name the
        // objects that it holds by the keys that it has for them.
        let inherited = try inheritedSnapshot()
        let prepared = try FetchPreparation(request, self)
        if spansStores(prepared) {
            return try CoordinatorStores(self).dictionaries(request, prepared)
        }
        let fetch = try DictionaryFetch(request, prepared, self)
        if let inherited { return try fetch.run(in: inherited) }
        return try fetch.run(in: newestSnapshot())
    }

    /// The dictionaries of a child's fetch from other stores than the main one, which only the root
    /// has at hand.
    private final func dictionariesOfRoot<Result>(
        _ request: NSFetchRequest<Result>
    ) throws -> [NSDictionary] {
        adoptIfNeeded()
        let prepared = try FetchPreparation(request, self)
        let root = root
        // SAFETY: the rows are new, and the root does not keep them.
        return try root.enterQueue {
            let current = root.withCurrentKeys(prepared)
            return UncheckedTransfer(
                try CoordinatorStores(root).dictionaries(request, current))
        }.value
    }

    /// A child's snapshot of what the root has saved; `nil` for a root.
    private final func inheritedSnapshot() throws -> StoreSnapshot? {
        guard source != nil else { return nil }
        // SAFETY: the snapshot is a new one, which only this fetch uses, on its own thread.
        let made = try root.enterQueue {
            UncheckedTransfer(try CoreDataError.mapping { try requireStore().makeSnapshot() })
        }
        adoptIfNeeded()
        return made.value
    }
}
