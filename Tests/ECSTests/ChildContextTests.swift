// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing

/// Components made in a child context, at every level that their save goes through.
@Suite struct ChildContextTests {
    @Test func look_ups_agree_at_each_level() throws {
        let world = try World()
        let root = world.container.newBackgroundContext()
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = root
        let hero = GameObject.create(name: "Hero", moc: child)
        let health = Health(context: child)
        health.points = 10
        try hero.addComponent(with: health, moc: child)
        try expect([10], child)
        try expect([], root)
        try child.save()
        try expect([10], child)
        try expect([10], root)
        try root.save()
        try expect([10], child)
        try expect([10], root)
        let other = try #require(try GameObject.fetch(name: "Hero", moc: root))
        let data = try #require(try other.getData(ofType: Health.self).first)
        try other.removeComponent(with: data)
        #expect(try GameObject.fetchAll(withComponentOfType: Health.self, moc: root).isEmpty)
        try root.save()
        child.reset()
        try expect([], child)
    }

    private func expect(_ points: [Int], _ context: NSManagedObjectContext) throws {
        let hero = try GameObject.fetch(name: "Hero", moc: context)
        #expect(try (hero?.getData(ofType: Health.self) ?? []).map(\.points) == points)
        let owners = try GameObject.fetchAll(withComponentOfType: Health.self, moc: context)
        #expect(owners.map(\.name) == points.map { _ in "Hero" })
        for data in try hero?.getData(ofType: Health.self) ?? [] {
            #expect(try GameObject.fetch(data: data, moc: context) === hero)
        }
    }
}
