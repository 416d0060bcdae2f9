// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing

/// Two contexts give the same data to two game objects: one of them gets it.
@Suite struct ClaimedDataTests {
    /// The names of the game objects that have the data, by each way of asking.
    private func owners(_ world: World, _ stat: NSManagedObjectID) throws -> [String] {
        let context = world.container.newBackgroundContext()
        let data = try context.existingObject(with: stat)
        var names: [String] = []
        for name in ["a", "b"] {
            let object = try #require(try GameObject.fetch(name: name, moc: context))
            let count = try object.getData(ofType: Health.self).count
            #expect(object.components.count == count)
            if count > 0 { names.append(name) }
        }
        #expect(try GameObject.fetch(data: data, moc: context)?.name == names.first)
        return names
    }

    private func claim(_ policy: NSMergePolicy) throws -> (World, NSManagedObjectID, (any Error)?) {
        let world = try World()
        let first = world.moc
        let stat = world.health(3)
        let mine = GameObject.create(name: "a", moc: first)
        GameObject.create(name: "b", moc: first)
        try first.save()
        let second = world.container.newBackgroundContext()
        second.mergePolicy = policy
        let theirs = try #require(try GameObject.fetch(name: "b", moc: second))
        let data = try second.existingObject(with: stat.objectID)
        try mine.addComponent(with: stat, moc: first)
        try theirs.addComponent(with: data, moc: second)
        try first.save()
        do {
            try second.save()
            return (world, stat.objectID, nil)
        } catch {
            return (world, stat.objectID, error)
        }
    }

    @Test(arguments: [
        (NSMergePolicy.mergeByPropertyObjectTrump, "b"), (.overwrite, "b"),
        (.mergeByPropertyStoreTrump, "a"), (.rollback, "a"),
    ])
    func the_policy_decides(_ policy: NSMergePolicy, _ winner: String) throws {
        let (world, stat, error) = try claim(policy)
        #expect(error == nil)
        #expect(try owners(world, stat) == [winner])
    }

    @Test func the_error_policy_throws() throws {
        let (world, stat, error) = try claim(.error)
        let conflict = try #require(error as? CocoaError)
        #expect(conflict.code.rawValue == 133020)
        #expect(try owners(world, stat) == ["a"])
    }
}
