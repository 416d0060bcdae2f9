// SPDX-License-Identifier: Apache-2.0

import Foundation
import Store
import Traps

/// Reads the history of stores, or forgets the older part of it.
///
/// ```swift
/// let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
/// let result = try context.execute(request) as? NSPersistentHistoryResult
/// for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
///     print(transaction.author ?? "", transaction.changes?.count ?? 0)
/// }
/// ```
///
/// Run it with ``NSManagedObjectContext/execute(_:)``; the result is an
/// ``NSPersistentHistoryResult``. Stores without a history are left out; a deletion also leaves out
/// read-only stores, unless all are read-only. Several stores are read one after the other.
public final class NSPersistentHistoryChangeRequest: NSPersistentStoreRequest {
    /// Where a request begins or ends.
    enum Mark {
        case date(Date)
        case token(NSPersistentHistoryToken?)
    }

    private let mark: Mark
    private let isDeletion: Bool
    /// What the result holds: by default transactions with their changes or, for a deletion, its
    /// success.
    public var resultType: NSPersistentHistoryResultType
    /// Which transactions or changes to fetch, with a limit and an offset; all without a request.
    ///
    /// Its entity is that of ``NSPersistentHistoryTransaction``, ``NSPersistentHistoryChange`` or
    /// ``NSPersistentHistoryComponentChange``. Without a request only changes of objects count. The
    /// order is always that of the transactions.
    ///
    /// A deletion forgets the beginning of the history, never a part behind what stays. So one with
    /// a request, which is of transactions, forgets those in front of the first transaction that
    /// the request does not match, at most as many as its limit, and none with an offset; the
    /// others that match go once that one has gone.
    public var fetchRequest: NSFetchRequest<any NSFetchRequestResult>?

    private init(_ mark: Mark, isDeletion: Bool) {
        self.mark = mark
        self.isDeletion = isDeletion
        resultType = isDeletion ? .statusOnly : .transactionsAndChanges
        super.init()
    }

    /// Fetches what was committed after a time.
    public class func fetchHistory(after date: Date) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.date(date), isDeletion: false)
    }

    /// Fetches what was committed after a position; without one, everything that is left.
    public class func fetchHistory(
        after token: NSPersistentHistoryToken?
    ) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.token(token), isDeletion: false)
    }

    /// Fetches what was committed after a transaction; without one, everything that is left.
    public class func fetchHistory(
        after transaction: NSPersistentHistoryTransaction?
    ) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.token(transaction?.token), isDeletion: false)
    }

    /// Fetches the transactions that match a request, or those that made changes which match it.
    public class func fetchHistory(
        withFetch fetchRequest: NSFetchRequest<any NSFetchRequestResult>
    ) -> NSPersistentHistoryChangeRequest {
        let request = NSPersistentHistoryChangeRequest(.token(nil), isDeletion: false)
        request.fetchRequest = fetchRequest
        return request
    }

    /// Forgets what was committed before a time.
    public class func deleteHistory(before date: Date) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.date(date), isDeletion: true)
    }

    /// Forgets what was committed before the transaction of a position; without one, nothing.
    public class func deleteHistory(
        before token: NSPersistentHistoryToken?
    ) -> NSPersistentHistoryChangeRequest {
        NSPersistentHistoryChangeRequest(.token(token), isDeletion: true)
    }

    /// Forgets what was committed before a transaction; without one, nothing.
    public class func deleteHistory(
        before transaction: NSPersistentHistoryTransaction?
    ) -> NSPersistentHistoryChangeRequest {
        let token = transaction?.record.ownToken
        return NSPersistentHistoryChangeRequest(.token(token), isDeletion: true)
    }

    /// The position that the request was made with.
    public var token: NSPersistentHistoryToken? {
        if case .token(let token) = mark { token } else { nil }
    }

    /// A fetch or, for a deletion, a batch deletion: history requests have no type of their own.
    public override var requestType: NSPersistentStoreRequestType {
        isDeletion ? .batchDeleteRequestType : .fetchRequestType
    }

    /// A new request with the same settings and a copy of the fetch.
    public override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSPersistentHistoryChangeRequest(mark, isDeletion: isDeletion)
        copy.affectedStores = affectedStores
        copy.resultType = resultType
        copy.fetchRequest = fetchRequest?.duplicate()
        return copy
    }

    override func run(in context: NSManagedObjectContext) throws -> NSPersistentStoreResult {
        guard let coordinator = context.persistentStoreCoordinator else {
            trap("the context has no coordinator, and so no history")
        }
        let stores = try stores(of: coordinator)
        if isDeletion {
            let writable = stores.filter { !$0.isReadOnly }
            var wanted = try fetchRequest.map { try HistoryFetch(deleting: $0) }
            var count = 0
            for owner in writable.isEmpty ? stores : writable {
                count += try delete(in: owner, of: coordinator, &wanted)
            }
            return NSPersistentHistoryResult(resultType == .count ? count : true, resultType)
        }
        var fetch = try HistoryFetch(fetchRequest, resultType)
        try fetch.read(stores, of: coordinator, after: mark)
        return NSPersistentHistoryResult(fetch.result, resultType)
    }

    private func stores(
        of coordinator: NSPersistentStoreCoordinator
    ) throws -> [NSPersistentStore] {
        let own = coordinator.persistentStores
        guard let affectedStores else { return own }
        let stores = own.filter { store in affectedStores.contains { $0 === store } }
        guard stores.isEmpty else { return stores }
        throw CoreDataError.make(
            .persistentStoreOperation,
            "the stores that the request affects are none of the context's; set affectedStores to "
                + "nil or to stores of its coordinator")
    }

    /// Forgets; returns how many transactions.
    private func delete(
        in owner: NSPersistentStore, of coordinator: NSPersistentStoreCoordinator,
        _ wanted: inout HistoryFetch?
    ) throws -> Int {
        guard let store = owner.store, store.hasHistory else { return 0 }
        return try CoreDataError.mapping {
            var first: UInt64
            switch mark {
            case .date(let date):
                let seconds = date.timeIntervalSinceReferenceDate
                // The first that is not before the time stays.
                first = try store.historyNumber(at: seconds.nextDown) + 1
            case .token(let token):
                guard let position = token?.positions[owner.identity] else { return 0 }
                first = position
            }
            if let kept = try wanted?.firstKept(before: first, in: store, owner, coordinator) {
                first = kept
            }
            return try store.purgeHistory(before: first).forgotten
        }
    }
}
