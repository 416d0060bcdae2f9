// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing
import _TestSupport

@testable import LMDB
@testable import ManagedObjects
@testable import Store

/// Saves of several threads that are committed together: each answers as if it were alone.
@Suite struct SharedCommitTests {
    private func make(
        _ name: String, _ number: Int, in context: NSManagedObjectContext
    ) -> NSManagedObject {
        context.performAndWait { context.make("Item", ["name": name, "number": number]) }
    }

    private func set(_ number: Int, _ object: NSManagedObject, _ context: NSManagedObjectContext) {
        context.performAndWait { object.setValue(number, forKey: "number") }
    }

    /// An object as another context knows it, with its values read.
    private func read(
        _ object: NSManagedObject, in context: NSManagedObjectContext
    ) throws -> NSManagedObject {
        let identifier = object.objectID
        return try context.performAndWait {
            let object = try context.existingObject(with: identifier)
            _ = object.text("name")
            return object
        }
    }

    private func number(_ object: NSManagedObject, _ context: NSManagedObjectContext) -> Int {
        context.performAndWait { object.number("number") }
    }

    @Test func insertedObjectsGetTheirPlacesInOneCommit() async throws {
        let shared = try SharedCommits(ItemModel.make())
        let contexts = (0..<5).map { _ in shared.context() }
        let objects = contexts.enumerated().map { make("item \($0)", $0, in: $1) }
        let before = shared.store.lastTransactionID
        #expect(try await shared.save(contexts) == [0, 0, 0, 0, 0])
        #expect(shared.store.lastTransactionID == before + 1)
        #expect(try shared.items() == (0..<5).map { "item \($0) \($0)" })
        #expect(Set(objects.map(\.objectID)).count == 5)
        for (index, (object, context)) in zip(objects, contexts).enumerated() {
            #expect(!object.objectID.isTemporaryID)
            #expect(number(object, context) == index)
            // Each sees the objects of all others.
            #expect(try context.performAndWait { try context.count("Item") } == 5)
        }
        // What they do next is as if each had saved alone.
        for (object, context) in zip(objects, contexts) {
            set(10, object, context)
            try context.performAndWait { try context.save() }
        }
        #expect(try shared.items() == (0..<5).map { "item \($0) 10" })
    }

    @Test func valuesThatWereReadStayUntilTheyAreRefreshed() async throws {
        let shared = try SharedCommits(ItemModel.make())
        let (first, second, third) = (shared.context(), shared.context(), shared.context())
        let mine = make("a", 1, in: first)
        try first.performAndWait { try first.save() }
        let theirs = try read(mine, in: second)
        let also = try read(mine, in: third)
        _ = make("b", 2, in: second)
        _ = make("c", 3, in: third)
        set(7, mine, first)
        // It leads, is in the middle, and comes last: once each.
        for order in [[first, second, third], [second, first, third], [second, third, first]] {
            set(number(mine, first) + 1, mine, first)
            _ = make("x", 0, in: second)
            _ = make("x", 0, in: third)
            let before = shared.store.lastTransactionID
            #expect(try await shared.save(order) == [0, 0, 0])
            #expect(shared.store.lastTransactionID == before + 1)
            #expect(number(theirs, second) == 1)
            #expect(number(also, third) == 1)
        }
        second.performAndWait { second.refresh(theirs, mergeChanges: false) }
        #expect(number(theirs, second) == 10)
        // The third one has not: it must not overwrite what it has not seen.
        set(100, also, third)
        #expect(code { try third.performAndWait { try third.save() } } == 133_020)
        #expect(try shared.items().contains("a 10"))
    }

    /// A save runs on the thread of another context, which uses that one, not this.
    @Test func theThreadThatWritesForOthersDoesNotUseTheirContexts() async throws {
        let shared = try SharedCommits(ItemModel.make())
        let contexts = (0..<4).map { _ in shared.context() }
        let items = contexts.enumerated().map { make("item \($0)", $0, in: $1) }
        #expect(try await shared.save(contexts) == [0, 0, 0, 0])
        _ = make("other", 0, in: contexts[0])
        #expect(try await shared.save([contexts[0]]) == [0])
        for (item, context) in zip(items, contexts) {
            context.performAndWait { context.refresh(item, mergeChanges: false) }
            context.performAndWait { context.detectConflicts(for: item) }
            _ = make("more", 1, in: context)
            set(20, item, context)
        }
        #expect(try await shared.save(contexts) == [0, 0, 0, 0])
        let users = contexts.map { $0.queue.directUser.load(ordering: .relaxed) }
        #expect(users == [0, 0, 0, 0])
        #expect(contexts.allSatisfy { !$0.queue.isLent.load(ordering: .relaxed) })
    }

    /// A value set to what it was writes nothing: the other's change must be seen, not lost.
    @Test func aSetterOfAnEqualValueDoesNotHideTheOthersChange() async throws {
        let shared = try SharedCommits(ItemModel.make())
        let (first, second) = (shared.context(), shared.context())
        let mine = make("a", 1, in: first)
        try first.performAndWait { try first.save() }
        let theirs = try read(mine, in: second)
        set(1, mine, first)
        _ = make("b", 2, in: first)
        set(7, theirs, second)
        let before = shared.store.lastTransactionID
        #expect(try await shared.save([first, second]) == [0, 0])
        #expect(shared.store.lastTransactionID == before + 1)
        #expect(number(mine, first) == 1)
        set(5, mine, first)
        #expect(code { try first.performAndWait { try first.save() } } == 133_020)
        #expect(try shared.items() == ["a 7", "b 2"])
    }

    /// Saves that only compare make no commit; its number is the next one's.
    @Test func savesThatWriteNothingLeaveTheNextCommitAlone() async throws {
        let shared = try SharedCommits(ItemModel.make())
        let contexts = (0..<2).map { _ in shared.context() }
        let writer = shared.context()
        let item = make("a", 1, in: writer)
        try writer.performAndWait { try writer.save() }
        let reader = shared.context()
        let known = try read(item, in: reader)
        for context in contexts {
            let seen = try read(item, in: context)
            context.performAndWait {
                context.detectConflicts(for: seen)
                seen.setValue(1, forKey: "number")
            }
        }
        let before = shared.store.lastTransactionID
        #expect(try await shared.save(contexts) == [0, 0])
        #expect(shared.store.lastTransactionID == before)
        set(9, item, writer)
        try writer.performAndWait { try writer.save() }
        #expect(shared.store.lastTransactionID == before + 1)
        // It moves on, and keeps what it has read.
        #expect(try reader.performAndWait { try reader.count("Item") } == 1)
        #expect(number(known, reader) == 1)
        set(3, known, reader)
        #expect(code { try reader.performAndWait { try reader.save() } } == 133_020)
        #expect(try shared.items() == ["a 9"])
    }

    @Test func theSecondOfTwoThatChangeOneObjectConflicts() async throws {
        let shared = try SharedCommits(ItemModel.make())
        let contexts = [
            shared.context(), shared.context(),
            shared.context(NSMergeByPropertyObjectTrumpMergePolicy), shared.context(),
        ]
        let item = make("a", 1, in: contexts[0])
        try contexts[0].performAndWait { try contexts[0].save() }
        for index in 1..<3 {
            set(index + 10, try read(item, in: contexts[index]), contexts[index])
        }
        set(10, item, contexts[0])
        _ = make("b", 2, in: contexts[3])
        #expect(try await shared.save(contexts) == [0, 133_020, 0, 0])
        // The third one's policy let its value win.
        #expect(try shared.items() == ["a 12", "b 2"])
        #expect(contexts[1].performAndWait { contexts[1].hasChanges })
    }

    @Test func aDeletedObjectIsGoneForTheOthers() async throws {
        let shared = try SharedCommits(ItemModel.make())
        let (first, second, third) = (shared.context(), shared.context(), shared.context())
        let mine = make("a", 1, in: first)
        try first.performAndWait { try first.save() }
        let theirs = try read(mine, in: second)
        set(2, theirs, second)
        first.performAndWait {
            first.delete(mine)
            first.make("Item", ["name": "b", "number": 5])
        }
        _ = make("c", 3, in: third)
        let codes = try await shared.save([first, third, second])
        #expect(codes == [0, 0, 133_020])
        let items = try shared.items()
        #expect(items == ["b 5", "c 3"])
    }

    @Test func aNameIsGivenOnce() async throws {
        let shared = try SharedCommits(ItemModel.make(isUnique: true))
        let contexts = (0..<3).map { _ in shared.context() }
        _ = make("same", 0, in: contexts[0])
        _ = make("same", 1, in: contexts[1])
        _ = make("other", 2, in: contexts[2])
        #expect(try await shared.save(contexts) == [0, 133_021, 0])
        #expect(try shared.items() == ["other 2", "same 0"])
    }

    @Test func theHistoryHasATransactionForEach() async throws {
        let shared = try SharedCommits(ItemModel.make()) {
            $0.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        }
        let contexts = (0..<3).map { index in
            let context = shared.context()
            context.transactionAuthor = "author \(index)"
            _ = make("item \(index)", index, in: context)
            return context
        }
        let before = shared.store.lastTransactionID
        #expect(try await shared.save(contexts) == [0, 0, 0])
        #expect(shared.store.lastTransactionID == before + 1)
        let context = shared.stack.context
        let result =
            try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: .distantPast))
            as? NSPersistentHistoryResult
        let transactions = try #require(result?.result as? [NSPersistentHistoryTransaction])
        #expect(transactions.map { $0.author ?? "" } == ["author 0", "author 1", "author 2"])
        #expect(transactions.map { $0.changes?.count ?? 0 } == [1, 1, 1])
        #expect(Set(transactions.map(\.transactionNumber)).count == 3)
    }

    @Test func largeSavesAndMereDeletionsAreOnTheirOwn() async throws {
        let shared = try SharedCommits(ItemModel.make())
        let contexts = (0..<3).map { _ in shared.context() }
        let doomed = make("a", 1, in: contexts[1])
        try contexts[1].performAndWait { try contexts[1].save() }
        _ = make("b", 2, in: contexts[0])
        contexts[1].performAndWait { contexts[1].delete(doomed) }
        for index in 0..<300 { _ = make("c", index, in: contexts[2]) }
        let before = shared.store.lastTransactionID
        for context in contexts { try context.performAndWait { try context.save() } }
        #expect(shared.store.lastTransactionID == before + 3)
        #expect(try shared.items().count == 301)
    }

    /// No increment is lost, whoever shares a commit with whom.
    @Test func countersThatManyThreadsRaiseAreRight() async throws {
        let shared = try SharedCommits(ItemModel.make())
        let counters = (0..<3).map { make("counter \($0)", 0, in: shared.stack.context) }
        try shared.stack.context.save()
        let identifiers = counters.map(\.objectID)
        let (threads, rounds) = (8, 40)
        try await runOnThreads(
            (0..<threads).map { thread in
                // SAFETY: a context is used in its `performAndWait` only, on one thread.
                nonisolated(unsafe) let context = shared.context()
                return { raise(identifiers, context, thread, rounds) }
            })
        let items = try shared.items()
        let raised = items.filter { $0.hasPrefix("counter") }
            .compactMap { $0.split(separator: " ").last.flatMap { Int($0) } }
        #expect(raised.count == 3 && raised.reduce(0, +) == threads * rounds)
        #expect(items.filter { $0.hasPrefix("note") }.count == threads * rounds)
        try shared.store.verifyContents()
    }
}

/// Raises one of some counters a number of times, each time with a note of its own; where another
/// thread was faster, it begins anew.
private func raise(
    _ counters: [NSManagedObjectID], _ context: NSManagedObjectContext, _ thread: Int,
    _ rounds: Int
) {
    context.performAndWait {
        for round in 0..<rounds {
            while true {
                do {
                    let counter = try context.existingObject(with: counters[(thread + round) % 3])
                    counter.setValue(counter.number("number") + 1, forKey: "number")
                    context.make("Item", ["name": "note \(thread) \(round)"])
                    try context.save()
                    break
                } catch let error as CocoaError where error.errorCode == 133_020 {
                    context.rollback()
                    context.refreshAllObjects()
                } catch {
                    Issue.record(error)
                    return
                }
            }
        }
    }
}
