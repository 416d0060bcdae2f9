// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Where requests to the history begin, what they return, and what they refuse.
@Suite struct HistoryRequestTests {
    private let stack: Stack

    /// Films a, b and c by the authors x, y and x.
    init() throws {
        stack = try Stack.withHistory()
        for (title, author) in [("a", "x"), ("b", "y"), ("c", "x")] {
            try stack.film(title, by: author)
        }
    }

    private func result(_ request: NSPersistentHistoryChangeRequest) throws -> Any? {
        (try stack.context.execute(request) as? NSPersistentHistoryResult)?.result
    }

    private func numbers(_ request: NSPersistentHistoryChangeRequest) throws -> [Int64] {
        try stack.history(request).map(\.transactionNumber)
    }

    private func all() throws -> [NSPersistentHistoryTransaction] {
        try stack.history(.fetchHistory(after: nil as NSPersistentHistoryToken?))
    }

    @Test func theMarkerIsLeftOut() throws {
        let all = try all()
        #expect(all.map(\.transactionNumber) == [1, 2, 3])
        #expect(try numbers(.fetchHistory(after: all[0])) == [2, 3])
        #expect(try numbers(.fetchHistory(after: all[1].token)) == [3])
        #expect(try numbers(.fetchHistory(after: all[2].token)) == [])
        #expect(try numbers(.fetchHistory(after: all[1].timestamp)) == [3])
        #expect(try numbers(.fetchHistory(after: Date.distantPast)) == [1, 2, 3])
        #expect(try numbers(.fetchHistory(after: Date.distantFuture)) == [])
        #expect(
            try numbers(.fetchHistory(after: nil as NSPersistentHistoryTransaction?)) == [1, 2, 3])
    }

    @Test func everyResultType() throws {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: try all()[0])
        #expect(request.resultType == .transactionsAndChanges)
        #expect(request.token == (try all()[0].token))
        request.resultType = .statusOnly
        #expect(try result(request) as? Bool == true)
        request.resultType = .count
        #expect(try result(request) as? Int == 2)
        request.resultType = .transactionsOnly
        #expect(try stack.history(request).map(\.changes) == [nil, nil])
        #expect(try numbers(request) == [2, 3])
        request.resultType = .changesOnly
        let changes = try #require(try result(request) as? [NSPersistentHistoryChange])
        #expect(changes.map(\.story) == ["+Film/p2", "+Film/p3"])
        request.resultType = .objectIDs
        let ids = try #require(try result(request) as? [NSManagedObjectID])
        #expect(ids.map { $0.uriRepresentation().lastPathComponent } == ["p2", "p3"])
        #expect(
            [0, 1, 2, 3, 4, 5].map { NSPersistentHistoryResultType(rawValue: $0) } == [
                .statusOnly, .objectIDs, .count, .transactionsOnly, .changesOnly,
                .transactionsAndChanges,
            ])
    }

    @Test func predicatesOverTransactions() throws {
        func numbers(_ format: String, _ arguments: Any?...) throws -> [Int64] {
            let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
            fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
            return try self.numbers(.fetchHistory(withFetch: fetch))
        }
        #expect(try numbers("author == %@", "x") == [1, 3])
        #expect(try numbers("author != %@", "x") == [2])
        #expect(try numbers("transactionNumber > 1 AND author BEGINSWITH 'x'") == [3])
        #expect(try numbers("contextName == nil") == [1, 2, 3])
        #expect(try numbers("timestamp <= %@", try all()[0].timestamp).first == 1)
        #expect(
            try numbers("storeID == %@", stack.coordinator.persistentStores[0].identifier)
                == [1, 2, 3])
        #expect(try numbers("ANY changes.changeType == 1") == [])
        let tokens = try all().map(\.token)
        #expect(try numbers("token > %@", tokens[0]) == [2, 3])
        #expect(try numbers("token > %@ AND author == 'x'", tokens[0]) == [3])
        #expect(try numbers("token == %@", tokens[1]) == [2])
        #expect(try numbers("token IN %@", [tokens[0], tokens[2]]) == [1, 3])
        let stranger = try Stack.withHistory()
        try stranger.film("d", by: "z")
        let theirs = stranger.coordinator.currentPersistentHistoryToken(fromStores: nil)
        #expect(try numbers("token > %@", theirs) == [1, 2, 3])
        #expect(code { _ = try numbers("nonsense == 1") } == 134_070)
    }

    @Test func predicatesOverChanges() throws {
        let film = try #require(try stack.context.film("b"))
        film.setValue(5, forKey: "year")
        try stack.context.save()
        func changes(_ format: String, _ arguments: Any?...) throws -> [String] {
            let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
            fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
            let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
            request.resultType = .changesOnly
            return try #require(try result(request) as? [NSPersistentHistoryChange]).map(\.story)
        }
        #expect(
            try changes("changedObjectID == %@", film.objectID) == ["+Film/p2", "*Film/p2.year"])
        #expect(try changes("changeType == %d", 1) == ["*Film/p2.year"])
        #expect(try changes("changedEntity == 'Person'") == [])
        #expect(try changes("transaction.author == 'y'") == ["+Film/p2"])
        #expect(try changes("'year' IN updatedProperties") == ["*Film/p2.year"])
        #expect(try changes("changeID == 3") == ["+Film/p3"])
        // They are names, not descriptions.
        #expect(code { _ = try changes("ANY updatedProperties.name == 'year'") } == 134_070)
        #expect(code { _ = try changes("updatedProperties.@sum == 1") } == 134_070)
    }

    @Test func transactionsOfMatchingChanges() throws {
        let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
        fetch.predicate = NSPredicate(format: "changeID > 1")
        let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        #expect(try stack.history(request).map(\.story) == ["2 y: +Film/p2", "3 x: +Film/p3"])
        fetch.fetchLimit = 1
        #expect(try stack.history(request).map(\.story) == ["2 y: +Film/p2"])
        fetch.fetchOffset = 1
        #expect(try stack.history(request).map(\.story) == ["3 x: +Film/p3"])
        request.resultType = .count
        #expect(try result(request) as? Int == 1)
    }

    @Test func limitAndMarkerTogether() throws {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: try all()[0])
        request.fetchRequest = NSPersistentHistoryTransaction.fetchRequest
        request.fetchRequest?.fetchLimit = 1
        #expect(try numbers(request) == [2])
        request.fetchRequest = NSFetchRequest<any NSFetchRequestResult>(entityName: "Film")
        #expect(code { _ = try numbers(request) } == 134_070)
    }

    @Test func entitiesOfTheHistory() throws {
        let transaction = try #require(NSPersistentHistoryTransaction.entityDescription)
        let change = try #require(NSPersistentHistoryChange.entityDescription(with: stack.context))
        #expect(
            NSPersistentHistoryTransaction.entityDescription(with: stack.context) === transaction)
        #expect(NSPersistentHistoryTransaction.fetchRequest?.entity === transaction)
        #expect(NSPersistentHistoryChange.entityDescription === change)
        #expect(NSPersistentHistoryChange.fetchRequest?.entity === change)
        #expect(
            transaction.attributesByName.keys.sorted() == [
                "author", "bundleID", "contextName", "processID", "storeID", "timestamp",
                "transactionNumber",
            ])
        #expect(
            change.attributesByName.keys.sorted()
                == ["changeID", "changeType", "changedEntity", "changedObjectID"])
    }

    @Test func deletionKeepsTheMarker() throws {
        let all = try all()
        let request = NSPersistentHistoryChangeRequest.deleteHistory(before: all[1])
        #expect(request.resultType == .statusOnly)
        #expect(try result(request) as? Bool == true)
        #expect(try self.all().map(\.transactionNumber) == [2, 3])
        let rest = NSPersistentHistoryChangeRequest.deleteHistory(before: all[2].token)
        rest.resultType = .count
        #expect(try result(rest) as? Int == 1)
        #expect(try result(rest) as? Int == 0)
        #expect(try self.all().map(\.transactionNumber) == [3])
        _ = try result(.deleteHistory(before: nil as NSPersistentHistoryToken?))
        #expect(try self.all().map(\.transactionNumber) == [3])
    }

    @Test func deletionBeforeATime() throws {
        let second = try all()[1].timestamp
        _ = try result(.deleteHistory(before: second))
        #expect(try all().first?.timestamp == second)
        _ = try result(.deleteHistory(before: Date.distantPast))
        #expect(try all().last?.transactionNumber == 3)
        _ = try result(.deleteHistory(before: Date.distantFuture))
        #expect(try all() == [])
        try stack.film("d")
        #expect(try all().map(\.story) == ["4 -: +Film/p4"])
    }

    /// The end of the history goes on where its beginning was forgotten; there are no gaps.
    @Test func deletionForgetsWhatARequestMatchesUpToTheFirstThatItDoesNot() throws {
        func deletion(_ format: String, limit: Int = 0) throws -> NSPersistentHistoryChangeRequest {
            let request = NSPersistentHistoryChangeRequest.deleteHistory(before: .distantFuture)
            let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
            fetch.predicate = NSPredicate(format: format)
            fetch.fetchLimit = limit
            request.fetchRequest = fetch
            request.resultType = .count
            return request
        }
        try stack.film("d", by: "x")
        #expect(try result(deletion("author == 'y'")) as? Int == 0)
        #expect(try all().map(\.transactionNumber) == [1, 2, 3, 4])
        #expect(try result(deletion("author == 'x'")) as? Int == 1)
        #expect(try result(deletion("author == 'x'")) as? Int == 0)
        #expect(try all().map(\.transactionNumber) == [2, 3, 4])
        #expect(try result(deletion("author IN {'x', 'y'}", limit: 2)) as? Int == 2)
        #expect(try all().map(\.transactionNumber) == [4])
        #expect(code { _ = try result(deletion("nothing == 1")) } == 134_070)
        let changes = try deletion("author == 'x'")
        changes.fetchRequest = NSPersistentHistoryChange.fetchRequest
        #expect(code { _ = try result(changes) } == 134_070)
        let nothing = NSPersistentHistoryChangeRequest.deleteHistory(
            before: nil as NSPersistentHistoryToken?)
        nothing.fetchRequest = changes.fetchRequest
        #expect(code { _ = try result(nothing) } == 134_070)
        #expect(try result(deletion("author != 'y'")) as? Int == 1)
        #expect(try all() == [])
    }

    @Test func expiredTokens() throws {
        let all = try all()
        let current = try #require(stack.token)
        #expect(current == all[2].token)
        _ = try result(.deleteHistory(before: all[2]))
        #expect(code { _ = try numbers(.fetchHistory(after: all[0].token)) } == 134_301)
        #expect(code { _ = try numbers(.fetchHistory(after: all[0])) } == 134_301)
        do {
            _ = try numbers(.fetchHistory(after: all[0].token))
        } catch let error as CocoaError {
            #expect(error.code == .persistentHistoryTokenExpired)
            #expect(error.affectedStores?.count == 1)
            #expect(
                error.message
                    == "the history of \(stack.url.path) was purged up to transaction 2, the token "
                    + "names 1; read the objects anew and go on from the coordinator's current "
                    + "token")
        }
        // Nothing that the token does not know was purged.
        #expect(try numbers(.fetchHistory(after: all[1].token)) == [3])
        #expect(try numbers(.fetchHistory(after: current)) == [])
        // The rest is usable.
        try stack.film("d")
        #expect(try numbers(.fetchHistory(after: current)) == [4])
        #expect(stack.token != current)
    }

    @Test func tokensFromTheFuture() throws {
        let copy = stack.url.deletingLastPathComponent().appendingPathComponent("copy.lode")
        try stack.reopen([NSPersistentHistoryTrackingKey])
        try FileManager.default.copyItem(at: stack.url, to: copy)
        try stack.film("d")
        let ahead = stack.token
        let older = NSPersistentStoreCoordinator(managedObjectModel: stack.model)
        try older.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: copy,
            options: [NSPersistentHistoryTrackingKey: true])
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = older
        #expect(
            code {
                try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: ahead))
            }
                == 134_301)
    }

    @Test func tokensAreValues() throws {
        let token = try #require(stack.token)
        #expect(token.copy() as? NSPersistentHistoryToken === token)
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: token, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: NSPersistentHistoryToken.self, from: data)
        #expect(read == token)
        #expect(read?.hash == token.hash)
        try stack.film("d")
        #expect(try numbers(.fetchHistory(after: read)) == [4])
        #expect(stack.token != token)
        let store = stack.coordinator.persistentStores[0]
        #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: [store]) == stack.token)
        #expect(stack.coordinator.currentPersistentHistoryToken(fromStores: []) == stack.token)
    }
}

extension NSManagedObjectContext {
    /// The film of a title.
    fileprivate func film(_ title: String) throws -> NSManagedObject? {
        try all("Film", NSPredicate(format: "title == %@", title)).first
    }
}
