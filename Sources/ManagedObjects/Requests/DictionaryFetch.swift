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
    let plan: FetchPlan
    private let description: FetchDescription
    private let columns: [ResultColumn]
    private let groups: [ResultColumn]
    private let having: PreparedPredicate?
    /// The columns whose names are no properties, which only a group has.
    private let computed: [String: ResultColumn]
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
        having = try context.mappingQueryErrors {
            try request.havingPredicate.map {
                let coercion = ConstantCoercion(
                    context.model.schema, entity: runtime.entity.name, columns: known)
                return try PreparedPredicate(
                    coercion.coerced(try PredicateConversion.predicate($0, context)))
            }
        }
        var whole = prepared.description
        let isGrouped = DictionaryFetch.isGrouped(columns, groups)
        if isGrouped || isDistinct { (whole.limit, whole.offset) = (0, 0) }
        whole.readProperties = GroupedFetch.readProperties(
            groups: groups.map(\.expression), columns: columns.map(\.expression))
        let store = try context.requireStore()
        plan = try context.mappingQueryErrors {
            try Planner.plan(whole, in: store, remembering: context.knownPlans)
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

    /// Runs the fetch on a snapshot.
    func run(in snapshot: StoreSnapshot) throws -> [NSDictionary] {
        try context.mappingQueryErrors {
            let rows = try isGrouped ? groupedRows(snapshot) : plainRows(snapshot)
            guard isGrouped || isDistinct else { return rows.map(dictionary) }
            var seen: Set<[Value]> = []
            let wanted = isDistinct ? rows.filter { seen.insert(rowKey($0)).inserted } : rows
            let rest = wanted.dropFirst(description.offset)
            return (description.limit > 0 ? rest.prefix(description.limit) : rest).map(dictionary)
        }
    }

    private func plainRows(_ snapshot: StoreSnapshot) throws -> [[SubjectOperand]] {
        var rows: [[SubjectOperand]] = []
        try plan.forEachReading(in: snapshot) { key, record in
            let subject = RecordExpression.operand(key, record, snapshot)
            rows.append(try columns.map { try $0.expression.value(with: subject) })
            return true
        }
        return rows
    }

    private func groupedRows(_ snapshot: StoreSnapshot) throws -> [[SubjectOperand]] {
        if having == nil,
            let fetch = GroupedFetch(
                plan, groups: groups.map(\.expression), columns: columns.map(\.expression))
        {
            return try fetch.rows(in: snapshot).map { $0.map { .value($0) } }
        }
        var numbers: [[Value]: Int] = [:]
        var members: [[SubjectOperand]] = groups.isEmpty ? [[]] : []
        try plan.forEach(in: snapshot) { key, record in
            let subject = RecordExpression.operand(key, record, snapshot)
            guard !groups.isEmpty else {
                members[0].append(subject)
                return true
            }
            let groupKey = rowKey(try groups.map { try $0.expression.value(with: subject) })
            let number = numbers[groupKey, default: members.count]
            if number == members.count {
                numbers[groupKey] = number
                members.append([])
            }
            members[number].append(subject)
            return true
        }
        return try members.compactMap { try row(of: $0) }
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

    /// What rows are compared by; NaN equals NaN here.
    private func rowKey(_ row: [SubjectOperand]) -> [Value] {
        row.map { operand in
            guard let value = operand.scalar else { return .null }
            if let key = value.membershipKey([]) { return key }
            if case .decimal = value { return value }
            return .string("NaN")
        }
    }

    private func dictionary(_ row: [SubjectOperand]) -> NSDictionary {
        let result = NSMutableDictionary()
        for (column, operand) in zip(columns, row) {
            if let value = column.object(operand, context) { result[column.name] = value }
        }
        return result
    }
}

/// A group as a having predicate sees it: its columns, then the values of its members, which it
/// has as a collection too, for `count:(SELF)` and `@count`.
private struct GroupSubject: PredicateSubject {
    let columns: [String: SubjectOperand]
    /// The columns whose names are no properties of the members.
    let computed: [String: ResultColumn]
    let members: [SubjectOperand]

    var predicateIdentity: ObjectKey? { nil }

    var predicateMembers: [SubjectOperand]? { members }

    var isGroup: Bool { true }

    func predicateOperand(forKey key: String) throws -> SubjectOperand {
        if let column = columns[key] { return column }
        return try Predicates.Expression.keyPath([key]).value(with: .collection(members))
    }

    /// The values of a property, also of one that is a column.
    ///
    /// So `count:(author) > 1` counts the members of an author's group. Of a column that is
    /// computed these are what it is for each member.
    func operandOfMembers(at keys: [String]) throws -> SubjectOperand? {
        guard let column = keys.first.flatMap({ computed[$0] }) else {
            return try Predicates.Expression.keyPath(keys).value(with: .collection(members))
        }
        if column.isAggregate { return nil }
        let rest = Array(keys.dropFirst())
        let expression = Predicates.Expression.path(rest, of: column.expression)
        return .collection(try members.map { try expression.value(with: $0) })
    }
}

extension NSManagedObjectContext {
    /// The dictionaries of a fetch; unsaved changes do not count.
    final func dictionaries<Result>(
        _ request: NSFetchRequest<Result>
    ) throws -> [NSDictionary] {
        readMailOutsideBlocks()
        processPendingChanges()
        // Fixed first, where the root cannot save meanwhile: afterwards the predicates name the
        // objects that it holds by the keys that it has for them.
        let inherited = try inheritedSnapshot()
        let prepared = try FetchPreparation(request, self)
        if inherited == nil, spansStores(prepared) {
            return try CoordinatorStores(self).dictionaries(request, prepared)
        }
        let fetch = try DictionaryFetch(request, prepared, self)
        if let inherited { return try fetch.run(in: inherited) }
        return try fetch.run(in: newestSnapshot())
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
