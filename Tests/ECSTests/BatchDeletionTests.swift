// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds
import _TestSupport

/// Batch requests that delete managed game objects: the rules of relationships in one transaction.
@MainActor
@Suite struct BatchDeletionTests {
    let stack: HistoryWorld
    let world: Worlds.World
    /// Three of managed game objects and two that the world alone knows.
    let ids: [GameObjectID]

    init() throws {
        stack = try HistoryWorld()
        let world = try Worlds.World(context: stack.moc)
        ids =
            try ["Hero", "Squire", "Foe"].map { [moc = stack.moc] in
                try GameObject.create(name: $0, moc: moc).id(in: world)
            } + [world.spawn(), world.spawn()]
        for id in ids { world.add(Place(x: 1, y: 1), Title(text: "t"), to: id) }
        self.world = world
    }

    private func delete(
        _ format: String, _ type: NSBatchDeleteRequestResultType = .resultTypeCount
    ) throws -> Any? {
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "GameObject")
        fetch.predicate = NSPredicate(format: format)
        let request = NSBatchDeleteRequest(fetchRequest: fetch)
        request.resultType = type
        return (try stack.fixture.context().execute(request) as? NSBatchDeleteResult)?.result
    }

    private func lastStory() throws -> [String] {
        try #require(try stack.story(ids[0]).last).split(separator: " ").dropFirst()
            .map(String.init).sorted()
    }

    private func names() throws -> [String] {
        let context = stack.fixture.context()
        return try withExtendedLifetime(context) {
            try context.fetch(GameObject.fetchRequest()).compactMap(\.name).sorted()
        }
    }

    /// The world that was open, and a new one: nothing is left for them to do.
    private func expectWorlds(_ alive: [GameObjectID], links: [String]) throws {
        let context = stack.fixture.context()
        let fresh = try Worlds.World(context: context)
        world.advance()
        for (world, context) in [(fresh, context), (world, stack.moc)] {
            #expect(!context.hasChanges)
            #expect(world.query(GameObjectID.self).objects == alive)
            #expect(world.query(Place.self).objects == alive)
            #expect(world.query(Title.self).objects == alive)
            let found = alive.flatMap { world.links(from: $0) }.map { link in
                "\(link.kind) \(link.source.row - ids[0].row + 1)>"
                    + "\(link.target.row - ids[0].row + 1)"
            }
            #expect(found == links)
        }
        try stack.verify()
    }

    @Test func links_in_both_directions_end() throws {
        world.relate(ids[0], Likes.self, to: ids[1])
        world.relate(ids[1], Likes.self, to: ids[0])
        world.relate(ids[0], Likes.self, to: ids[0])
        world.relate(ids[2], Likes.self, to: ids[3])
        world.relate(ids[0], ChildOf.self, to: ids[3])
        world.relate(ids[3], Guards.self, to: ids[0])
        try stack.moc.save()
        #expect(try delete("name == 'Hero'") as? Int == 1)
        #expect(
            try lastStory() == [
                "-ChildOf/1>4", "-GameObject/1", "-Guards/4>1", "-Likes/1>1", "-Likes/1>2",
                "-Likes/2>1", "-Place/1", "-Title/1",
            ])
        try expectWorlds(Array(ids[1...]), links: ["Likes 3>4"])
        #expect(try stack.transactions().count == 2)
    }

    @Test func cascades_go_all_the_way() throws {
        // By way of one without a managed object, and round in a circle.
        world.relate(ids[3], ChildOf.self, to: ids[0])
        world.relate(ids[1], ChildOf.self, to: ids[3])
        world.relate(ids[0], ChildOf.self, to: ids[1])
        world.relate(ids[2], Likes.self, to: ids[1])
        world.relate(ids[4], ChildOf.self, to: ids[2])
        try stack.moc.save()
        let deleted = try #require(
            try delete("name == 'Hero'", .resultTypeObjectIDs) as? [NSManagedObjectID])
        let keys = deleted.map { $0.uriRepresentation().lastPathComponent }.sorted()
        #expect(keys == ["p\(ids[0].row)", "p\(ids[1].row)"])
        #expect(try names() == ["Foe"])
        #expect(
            try lastStory() == [
                "-ChildOf/1>2", "-ChildOf/2>4", "-ChildOf/4>1", "-GameObject/1", "-GameObject/2",
                "-GameObject/4", "-Likes/3>2", "-Place/1", "-Place/2", "-Place/4", "-Title/1",
                "-Title/2", "-Title/4",
            ])
        try expectWorlds([ids[2], ids[4]], links: ["ChildOf 5>3"])
    }

    @Test func all_at_once() throws {
        for id in ids[1...] { world.relate(id, Likes.self, to: ids[0]) }
        world.relate(ids[4], ChildOf.self, to: ids[2])
        try stack.moc.save()
        #expect(try delete("name != 'Nobody'") as? Int == 3)
        #expect(try names() == [])
        try expectWorlds([ids[3]], links: [])
    }

    @Test func a_world_with_changes_puts_both_together() throws {
        world.relate(ids[1], ChildOf.self, to: ids[0])
        try stack.moc.save()
        world.relate(ids[4], ChildOf.self, to: ids[0])
        world[ids[2], Place.self] = Place(x: 5, y: 5)
        #expect(try delete("name == 'Hero'") as? Int == 2)
        try stack.moc.save()
        // What it had related meanwhile goes along with this save.
        try expectWorlds([ids[2], ids[3]], links: [])
        #expect(world[ids[2], Place.self] == Place(x: 5, y: 5))
    }
}
