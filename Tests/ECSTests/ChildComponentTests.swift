// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing

/// Look-ups in a child see the parent's unsaved components, corrected by the child's own changes.
@Suite struct ChildComponentTests {
    private let world: World
    private let root: NSManagedObjectContext
    private let child: NSManagedObjectContext

    init() throws {
        world = try World()
        root = world.container.newBackgroundContext()
        child = NSManagedObjectContext(.privateQueue)
        child.parent = root
    }

    private func health(_ points: Int, _ context: NSManagedObjectContext) -> Health {
        let health = Health(context: context)
        health.points = points
        return health
    }

    private func owners(_ context: NSManagedObjectContext) throws -> [String] {
        try GameObject.fetchAll(withComponentOfType: Health.self, moc: context)
            .compactMap(\.name).sorted()
    }

    private func owner(_ data: Health, _ context: NSManagedObjectContext) throws -> String? {
        try GameObject.fetch(data: data, moc: context)?.name
    }

    @Test func what_the_parent_has_not_saved_is_found() throws {
        let data = health(1, root)
        try GameObject.create(name: "Hero", moc: root).addComponent(with: data, moc: root)
        let theirs = try #require(child.object(with: data.objectID) as? Health)
        #expect(try owner(theirs, child) == "Hero")
        #expect(try owners(child) == ["Hero"])
        let hero = try #require(try GameObject.fetch(name: "Hero", moc: child))
        let one: Health? = try hero.getData()
        #expect(one === theirs)
        let component = try #require(try hero.getComponents(ofType: Health.self).first)
        #expect(try component.fetchData() === theirs)
        // The child's own change stays its own until it is pushed.
        let ghost = GameObject.create(name: "Ghost", moc: child)
        try ghost.addComponent(with: theirs, moc: child)
        #expect(try owner(theirs, child) == "Ghost")
        #expect(try owners(child) == ["Ghost"])
        #expect(try owner(data, root) == "Hero")
        #expect(try owners(root) == ["Hero"])
        try child.save()
        #expect(try owner(data, root) == "Ghost")
        #expect(try owners(root) == ["Ghost"])
        try root.save()
        #expect(try owner(theirs, child) == "Ghost")
        #expect(try owners(world.container.newBackgroundContext()) == ["Ghost"])
    }

    @Test func unsaved_data_of_a_child_gets_its_id_from_the_block() throws {
        let last = try root.mainStore().lastTransactionID
        let hero = GameObject.create(name: "Hero", moc: child)
        var rows: [String] = []
        for points in 1...20 {
            let data = health(points, child)
            try hero.addComponent(with: data, moc: child)
            rows.append(data.objectID.uriRepresentation().lastPathComponent)
        }
        #expect(rows == (1...20).map { "p\($0)" })
        #expect(try root.mainStore().lastTransactionID == last + 1)
        try child.save()
        try root.save()
        let other = world.container.newBackgroundContext()
        let found = try #require(try GameObject.fetch(name: "Hero", moc: other))
        #expect(try found.getData(ofType: Health.self).map(\.points) == Array(1...20))
    }

    @Test func a_child_that_rolls_back_or_deletes() throws {
        let data = health(1, root)
        let hero = GameObject.create(name: "Hero", moc: root)
        let component = try hero.addComponent(with: data, moc: root)
        try root.save()
        let theirs = try #require(child.object(with: data.objectID) as? Health)
        let twin = try #require(child.object(with: component.objectID) as? Component)
        #expect(try owner(theirs, child) == "Hero")
        child.delete(twin)
        #expect(try owner(theirs, child) == nil)
        #expect(try owners(child) == [])
        #expect(try owners(root) == ["Hero"])
        child.rollback()
        #expect(try owner(theirs, child) == "Hero")
        child.delete(theirs)
        #expect(try owners(child) == [])
        child.rollback()
        #expect(try owners(child) == ["Hero"])
        let squire = try #require(try GameObject.fetch(name: "Hero", moc: child))
        squire.name = "Squire"
        #expect(try GameObject.fetch(name: "Hero", moc: child) == nil)
        #expect(try GameObject.fetch(name: "Squire", moc: child) === squire)
        #expect(try GameObject.fetch(name: "Hero", moc: root) === hero)
    }

    @Test func a_grandchild_asks_all_the_way_up() throws {
        let grandchild = NSManagedObjectContext(.privateQueue)
        grandchild.parent = child
        let data = health(3, root)
        try GameObject.create(name: "Hero", moc: root).addComponent(with: data, moc: root)
        let middle = try #require(child.object(with: data.objectID) as? Health)
        let ghost = GameObject.create(name: "Ghost", moc: child)
        try ghost.addComponent(with: middle, moc: child)
        let theirs = try #require(grandchild.object(with: data.objectID) as? Health)
        #expect(try owner(theirs, grandchild) == "Ghost")
        #expect(try owners(grandchild) == ["Ghost"])
        #expect(try GameObject.fetch(name: "Hero", moc: grandchild) != nil)
        #expect(try owner(data, root) == "Hero")
    }
}
