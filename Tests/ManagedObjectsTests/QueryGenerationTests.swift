// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Contexts that stay at one committed state.
@Suite struct QueryGenerationTests {
    private func pair() throws -> (stack: Stack, other: NSManagedObjectContext) {
        let stack = try Stack(ItemModel.make())
        for number in 1...3 {
            stack.context.make("Item", ["name": "old", "number": number])
        }
        try stack.context.save()
        return (stack, stack.container.newBackgroundContext())
    }

    private func rename(_ context: NSManagedObjectContext) throws {
        for item in try context.all("Item") { item.setValue("new", forKey: "name") }
        context.make("Item", ["name": "new", "number": 4])
        try context.save()
    }

    private func names(_ context: NSManagedObjectContext) throws -> [String] {
        try context.all("Item").compactMap { $0.text("name") }
    }

    @Test func a_pinned_context_sees_the_same_rows_whatever_others_save() throws {
        let (stack, other) = try pair()
        try stack.context.setQueryGenerationFrom(.current)
        try rename(other)
        #expect(try names(stack.context) == ["old", "old", "old"])
        #expect(try stack.context.count("Item") == 3)
        stack.context.refreshAllObjects()
        #expect(try names(stack.context) == ["old", "old", "old"])
    }

    @Test func unpinning_moves_with_the_next_fetch() throws {
        let (stack, other) = try pair()
        try stack.context.setQueryGenerationFrom(.current)
        try rename(other)
        try stack.context.setQueryGenerationFrom(nil)
        #expect(stack.context.queryGenerationToken == nil)
        #expect(try names(stack.context) == ["new", "new", "new", "new"])
    }

    @Test func an_own_save_moves_the_pin() throws {
        let (stack, other) = try pair()
        try stack.context.setQueryGenerationFrom(.current)
        let pinned = try #require(stack.context.queryGenerationToken)
        try rename(other)
        stack.context.make("Item", ["name": "mine", "number": 5])
        try stack.context.save()
        let moved = try #require(stack.context.queryGenerationToken)
        #expect(moved != pinned)
        #expect(try names(stack.context).sorted() == ["mine", "new", "new", "new", "new"])
        try rename(other)
        #expect(try stack.context.count("Item") == 5)
    }

    @Test func a_save_tells_the_state_of_a_pinned_context() throws {
        let (stack, _) = try pair()
        let context = stack.context
        let saves = UserInfoRecorder(context, .NSManagedObjectContextDidSave)
        func take() -> [NSQueryGenerationToken?] {
            saves.take().map {
                $0[NSManagedObjectContextQueryGenerationKey] as? NSQueryGenerationToken
            }
        }
        context.make("Item")
        try context.save()
        #expect(take() == [nil])
        try context.setQueryGenerationFrom(.current)
        let pinned = try #require(context.queryGenerationToken)
        context.make("Item")
        try context.save()
        let told = take()
        #expect(told == [context.queryGenerationToken] && told != [pinned] && told != [nil])
        try context.save()
        #expect(take() == [context.queryGenerationToken])
        try context.setQueryGenerationFrom(nil)
        try context.save()
        #expect(take() == [nil])
    }

    @Test func a_pinned_context_meets_conflicts_at_its_save() throws {
        let (stack, other) = try pair()
        try stack.context.setQueryGenerationFrom(.current)
        let item = try #require(try stack.context.all("Item").first)
        try rename(other)
        item.setValue("mine", forKey: "name")
        #expect(code { try stack.context.save() } == 133020)
        #expect(item.text("name") == "mine")
    }

    @Test func contexts_share_a_generation_until_the_next_commit() throws {
        let (stack, other) = try pair()
        try stack.context.setQueryGenerationFrom(.current)
        let token = try #require(stack.context.queryGenerationToken)
        let second = stack.container.newBackgroundContext()
        try second.setQueryGenerationFrom(token)
        #expect(second.queryGenerationToken == token)
        try rename(other)
        #expect(try names(second) == ["old", "old", "old"])
        let third = stack.container.newBackgroundContext()
        #expect(code { try third.setQueryGenerationFrom(token) } == 134070)
        #expect(third.queryGenerationToken == nil)
        #expect(try names(third) == ["new", "new", "new", "new"])
    }

    @Test func resetting_a_pinned_context_pins_it_anew() throws {
        let (stack, other) = try pair()
        try stack.context.setQueryGenerationFrom(.current)
        try rename(other)
        stack.context.reset()
        #expect(try names(stack.context) == ["new", "new", "new", "new"])
        try rename(other)
        #expect(try stack.context.count("Item") == 4)
    }

    @Test func the_token_after_a_reset_names_the_state_that_is_read() throws {
        let (stack, other) = try pair()
        try stack.context.setQueryGenerationFrom(.current)
        let former = try #require(stack.context.queryGenerationToken)
        try rename(other)
        stack.context.reset()
        #expect(try stack.context.count("Item") == 4)
        let token = try #require(stack.context.queryGenerationToken)
        #expect(token != former)
        #expect(token != .current)
        let second = stack.container.newBackgroundContext()
        try second.setQueryGenerationFrom(token)
        try rename(other)
        #expect(try second.count("Item") == 4)
        #expect(try stack.context.count("Item") == 4)
        let third = stack.container.newBackgroundContext()
        #expect(code { try third.setQueryGenerationFrom(token) } == 134070)
    }

    @Test func asking_for_the_token_after_a_reset_pins() throws {
        let (stack, other) = try pair()
        try stack.context.setQueryGenerationFrom(.current)
        stack.context.reset()
        let token = try #require(stack.context.queryGenerationToken)
        try rename(other)
        #expect(try names(stack.context) == ["old", "old", "old"])
        #expect(stack.context.queryGenerationToken == token)
    }

    @Test func tokens_compare_copy_and_archive_by_value() throws {
        let (stack, _) = try pair()
        try stack.context.setQueryGenerationFrom(.current)
        let token = try #require(stack.context.queryGenerationToken)
        #expect(token.copy() as? NSQueryGenerationToken == token)
        #expect(token != .current)
        let data = try NSKeyedArchiver.archivedData(
            withRootObject: token, requiringSecureCoding: true)
        let read = try NSKeyedUnarchiver.unarchivedObject(
            ofClass: NSQueryGenerationToken.self, from: data)
        #expect(read == token)
        #expect(read?.hash == token.hash)
    }
}
