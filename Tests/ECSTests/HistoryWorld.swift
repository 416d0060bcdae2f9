// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// A store file that keeps a history, with worlds of several contexts.
@MainActor
struct HistoryWorld {
    let fixture: WorldFixture

    init() throws {
        fixture = try WorldFixture()
        try fixture.open(tracksHistory: true)
    }

    var moc: NSManagedObjectContext { fixture.moc }
    var path: String { fixture.url.path }

    /// What a request to the history returns.
    func result<Result>(
        _ request: NSPersistentHistoryChangeRequest,
        _ type: NSPersistentHistoryResultType = .transactionsAndChanges, as: Result.Type
    ) throws -> Result {
        request.resultType = type
        let found = try fixture.context().execute(request) as? NSPersistentHistoryResult
        return try #require(found?.result as? Result)
    }

    /// All transactions that are left.
    func transactions(
        after token: NSPersistentHistoryToken? = nil
    ) throws -> [NSPersistentHistoryTransaction] {
        try result(.fetchHistory(after: token), as: [NSPersistentHistoryTransaction].self)
    }

    /// The history of components, as `1: +Place/1 *Place/2 -ChildOf/3>1 +resource/Turn`; rows count
    /// from the first one that the test has.
    func story(_ first: GameObjectID, after token: NSPersistentHistoryToken? = nil) throws
        -> [String]
    {
        try transactions(after: token).map { transaction in
            let words = (transaction.componentChanges ?? []).map { $0.word(first) }
            return (["\(transaction.transactionNumber):"] + words).joined(separator: " ")
        }
    }

    func verify() throws { try WorldPages(fixture.url).verify() }
}

extension NSPersistentHistoryComponentChange {
    fileprivate func word(_ first: GameObjectID) -> String {
        let ends = [gameObject, target].compactMap { $0 }.map { "\($0.row - first.row + 1)" }
        return ["+", "*", "-"][changeType.rawValue] + componentName
            + (ends.isEmpty ? "" : "/" + ends.joined(separator: ">"))
    }
}
