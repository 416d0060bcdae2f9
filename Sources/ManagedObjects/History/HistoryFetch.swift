// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Query
import RecordFormat
import Store

/// Collects the transactions or changes of a request to the history.
struct HistoryFetch {
    private let resultType: NSPersistentHistoryResultType
    private let stated: NSPredicate?
    /// The predicate with the objects of the store that is being read.
    private var predicate: PredicateTree?
    /// Whether the predicate is about changes.
    private let selectsChanges: Bool
    private var offset: Int
    private var left: Int
    private var transactions: [NSPersistentHistoryTransaction] = []
    private var changes: [NSPersistentHistoryChange] = []
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
        selectsChanges = name == HistoryEntities.change.name
        guard request == nil || selectsChanges || name == HistoryEntities.transaction.name else {
            throw CoreDataError.make(
                .persistentStoreOperation,
                "a request to the history fetches \(name ?? "no entity"); use "
                    + "NSPersistentHistoryTransaction.fetchRequest or "
                    + "NSPersistentHistoryChange.fetchRequest")
        }
    }

    /// What the request returns.
    var result: Any {
        switch resultType {
        case .statusOnly: return true
        case .count: return count
        case .transactionsOnly, .transactionsAndChanges: return transactions
        case .changesOnly: return changes
        case .objectIDs:
            var known: Set<NSManagedObjectID> = []
            return changes.map(\.changedObjectID).filter { known.insert($0).inserted }
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
            predicate = try stated.map {
                try coerced(try PredicateConversion.predicate($0, in: owner.identity))
            }
            try read(file, source, isToken: isToken)
        }
    }

    private func coerced(_ predicate: PredicateTree) throws -> PredicateTree {
        guard let schema = HistoryEntities.schema else { return predicate }
        let name = selectsChanges ? HistoryEntities.change.name : HistoryEntities.transaction.name
        do {
            return try ConstantCoercion(schema, entity: name ?? "", isStrict: true)
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
        if selectsChanges { return try addChanges(record) }
        if let predicate, try !predicate.evaluate(with: TransactionSubject(record: record)) {
            return true
        }
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
        var matches: [NSPersistentHistoryChange] = []
        for change in try record.changes() where left > 0 {
            if let predicate, try !predicate.evaluate(with: ChangeSubject(change: change)) {
                continue
            }
            if take() { matches.append(change) }
        }
        guard !matches.isEmpty else { return left > 0 }
        count += matches.count
        switch resultType {
        case .statusOnly, .count: break
        case .objectIDs, .changesOnly: changes += matches
        case .transactionsOnly:
            transactions.append(NSPersistentHistoryTransaction(record, includesChanges: false))
        case .transactionsAndChanges:
            transactions.append(
                NSPersistentHistoryTransaction(record, includesChanges: true, changes: matches))
        }
        return left > 0
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
