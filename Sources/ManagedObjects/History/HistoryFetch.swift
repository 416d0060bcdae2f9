// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Query
import RecordFormat
import Store

/// Collects the transactions or changes of a request to the history.
struct HistoryFetch {
    /// What a request fetches.
    private enum Subject {
        case transactions, changes, componentChanges

        var entity: NSEntityDescription {
            switch self {
            case .transactions: HistoryEntities.transaction
            case .changes: HistoryEntities.change
            case .componentChanges: HistoryEntities.componentChange
            }
        }
    }

    private let resultType: NSPersistentHistoryResultType
    private let stated: NSPredicate?
    /// The predicate with the objects of the store that is being read.
    private var predicate: PredicateTree?
    /// What the predicate is about.
    private let subject: Subject
    private var offset: Int
    private var left: Int
    private var transactions: [NSPersistentHistoryTransaction] = []
    private var changes: [NSPersistentHistoryChange] = []
    private var componentChanges: [NSPersistentHistoryComponentChange] = []
    private var count = 0
    /// Up to where stores are read, by their identities.
    private var positions: [String: UInt64] = [:]

    init(
        _ request: NSFetchRequest<any NSFetchRequestResult>?,
        _ resultType: NSPersistentHistoryResultType
    ) throws {
        self.resultType = resultType
        stated = request?.predicate
        offset = max(0, request?.fetchOffset ?? 0)
        left = request.map { $0.fetchLimit > 0 ? $0.fetchLimit : .max } ?? .max
        let name = request?.entityName
        let subjects = [Subject.transactions, .changes, .componentChanges]
        let named = subjects.first { $0.entity.name == name }
        subject = named ?? .transactions
        guard request == nil || named != nil else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "a request to the history fetches \(name ?? "no entity"); use "
                    + "fetchRequest of NSPersistentHistoryTransaction, NSPersistentHistoryChange "
                    + "or NSPersistentHistoryComponentChange")
        }
    }

    /// What a deletion asks for.
    ///
    /// - Throws: 134070 for a request of changes, as transactions are forgotten whole.
    init(deleting request: NSFetchRequest<any NSFetchRequestResult>) throws {
        try self.init(request, .count)
        guard subject == .transactions else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "a deletion of history forgets whole transactions; make its fetchRequest one of "
                    + "NSPersistentHistoryTransaction")
        }
    }

    /// What the request returns.
    var result: Any {
        switch resultType {
        case .statusOnly: return true
        case .count: return count
        case .transactionsOnly, .transactionsAndChanges: return transactions
        case .changesOnly:
            return subject == .componentChanges ? componentChanges as Any : changes
        case .objectIDs:
            var known: Set<NSManagedObjectID> = []
            let ids = changes.map(\.changedObjectID) + componentChanges.compactMap(\.gameObjectID)
            return ids.filter { known.insert($0).inserted }
        }
    }

    /// Reads stores, one after the other.
    ///
    /// - Throws: 134301 for a position before or behind what a store remembers, 134070 for a
    ///   damaged file or a predicate that does not fit.
    mutating func read(
        _ stores: [NSPersistentStore], of coordinator: NSPersistentStoreCoordinator,
        after mark: NSPersistentHistoryChangeRequest.Mark
    ) throws {
        let files = stores.compactMap { owner in
            owner.store.flatMap { $0.hasHistory ? (owner, $0) : nil }
        }
        switch mark {
        case .date(let date):
            for (owner, file) in files {
                positions[owner.identity] = try CoreDataError.mapping {
                    try file.historyNumber(at: date.timeIntervalSinceReferenceDate)
                }
            }
        case .token(let token): positions = token?.positions ?? [:]
        }
        let isToken = if case .token = mark { true } else { false }
        for (owner, file) in files where left > 0 {
            let source = HistorySource(owner, file, coordinator, elsewhere: positions)
            try prepare(for: owner)
            try read(file, source, isToken: isToken)
        }
    }

    /// The first transaction that a deletion leaves: the first before a number that the request
    /// does not ask for, else the one of the number.
    mutating func firstKept(
        before number: UInt64, in store: Store, _ owner: NSPersistentStore,
        _ coordinator: NSPersistentStoreCoordinator
    ) throws -> UInt64 {
        let source = HistorySource(owner, store, coordinator, elsewhere: [:])
        try prepare(for: owner)
        var first = number
        try store.forEachHistoryEntry(after: 0) { entry, set in
            guard entry < number else { return false }
            let subject = TransactionSubject(record: HistoryRecord(source, entry, set))
            if left > 0, try isWanted(subject), take() { return true }
            first = entry
            return false
        }
        return first
    }

    /// Makes the predicate ready for one store.
    private mutating func prepare(for owner: NSPersistentStore) throws {
        predicate = try stated.map {
            try coerced(try PredicateConversion.predicate($0, in: owner.identity))
        }
    }

    private func coerced(_ predicate: PredicateTree) throws -> PredicateTree {
        guard let schema = HistoryEntities.schema else { return predicate }
        let name = subject.entity.name ?? ""
        do {
            return try ConstantCoercion(schema, entity: name, isStrict: true)
                .coerced(predicate)
        } catch {
            throw CoreDataError.make(.persistentStoreOperation, "\(error)")
        }
    }

    private mutating func read(
        _ store: Store, _ source: HistorySource, isToken: Bool
    ) throws {
        let name = source.owner.identity
        let position = positions[name]
        var end = position ?? 0
        try CoreDataError.mapping {
            try store.forEachHistoryEntry(
                after: end,
                check: { range in
                    if isToken, let position {
                        try HistoryFetch.check(position, range, source.owner)
                    }
                    end = max(range.last, range.first - 1)
                },
                { number, set in try add(HistoryRecord(source, number, set)) })
        }
        positions[name] = end
    }

    private static func check(
        _ position: UInt64, _ range: HistoryRange, _ owner: NSPersistentStore
    ) throws {
        let isPurged = position + 1 < range.first
        // As in a copy of the file that is older than the token.
        let isAhead = position > max(range.last, range.first - 1)
        guard isPurged || isAhead else { return }
        throw CoreDataError.make(
            .persistentHistoryTokenExpired,
            "the history of \(owner.url?.filePath ?? owner.identity) "
                + (isPurged
                    ? "was purged up to transaction \(range.first - 1)"
                    : "ends with transaction \(range.last)")
                + ", the token names \(position); read the objects anew and go on from the "
                + "coordinator's current token",
            [NSAffectedStoresErrorKey: [owner]])
    }

    /// Takes a transaction, if it is wanted; returns whether more are.
    private mutating func add(_ record: HistoryRecord) throws -> Bool {
        switch subject {
        case .transactions: break
        case .changes: return try addChanges(record)
        case .componentChanges: return try addComponentChanges(record)
        }
        guard try isWanted(TransactionSubject(record: record)) else { return true }
        guard take() else { return left > 0 }
        count += 1
        switch resultType {
        case .statusOnly, .count: break
        case .objectIDs, .changesOnly: changes += try record.changes()
        case .transactionsOnly:
            transactions.append(NSPersistentHistoryTransaction(record, includesChanges: false))
        case .transactionsAndChanges:
            transactions.append(NSPersistentHistoryTransaction(record, includesChanges: true))
        }
        return left > 0
    }

    private mutating func addChanges(_ record: HistoryRecord) throws -> Bool {
        let matches = try matches(try record.changes()) { ChangeSubject(change: $0) }
        guard !matches.isEmpty else { return left > 0 }
        switch resultType {
        case .statusOnly, .count: break
        case .objectIDs, .changesOnly: changes += matches
        case .transactionsOnly, .transactionsAndChanges:
            transactions.append(
                NSPersistentHistoryTransaction(
                    record, includesChanges: resultType == .transactionsAndChanges,
                    changes: matches, componentChanges: []))
        }
        return left > 0
    }

    private mutating func addComponentChanges(_ record: HistoryRecord) throws -> Bool {
        let matches = try matches(try record.componentChanges()) {
            ComponentChangeSubject(change: $0)
        }
        guard !matches.isEmpty else { return left > 0 }
        switch resultType {
        case .statusOnly, .count: break
        case .objectIDs, .changesOnly: componentChanges += matches
        case .transactionsOnly, .transactionsAndChanges:
            transactions.append(
                NSPersistentHistoryTransaction(
                    record, includesChanges: resultType == .transactionsAndChanges, changes: [],
                    componentChanges: matches))
        }
        return left > 0
    }

    /// The changes of a transaction that the request asks for; counts them.
    private mutating func matches<Change>(
        _ all: [Change], _ subject: (Change) -> any PredicateSubject
    ) throws -> [Change] {
        var matches: [Change] = []
        for change in all where left > 0 {
            if try isWanted(subject(change)), take() { matches.append(change) }
        }
        count += matches.count
        return matches
    }

    /// Whether the predicate is true of a subject.
    ///
    /// - Throws: 134070 for a predicate that cannot be asked of it.
    private func isWanted(_ subject: any PredicateSubject) throws -> Bool {
        do {
            return try predicate?.evaluate(with: subject) ?? true
        } catch let error as PredicateEvaluationError {
            throw CoreDataError.make(.persistentStoreOperation, "\(error)")
        }
    }

    /// Counts a match; false for one that the offset leaves out.
    private mutating func take() -> Bool {
        if offset > 0 {
            offset -= 1
            return false
        }
        left -= 1
        return true
    }
}
