// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Store
import Testing
import Worlds

enum Likes: Worlds.Relationship {}
enum ChildOf: Worlds.Relationship {
    static let isExclusive = true
    static let whenTargetDespawns = RelationshipDeleteRule.cascade
}

/// Relationships and resources of worlds that are kept in a file.
@MainActor
@Suite struct WorldRelationshipTests {
    let fixture: WorldFixture

    init() throws { fixture = try WorldFixture() }

    private func verify() throws { try WorldPages(fixture.url).verify() }

    @Test func relationships_and_resources_are_saved() throws {
        let ids: [GameObjectID]
        do {
            let world = try Worlds.World(context: fixture.moc)
            ids = Array(world.spawnAll([Place(x: 0, y: 0), Place(x: 1, y: 0), Place(x: 2, y: 0)]))
            world.relate(ids[1], ChildOf.self, to: ids[0])
            world.relate(ids[1], Likes.self, to: ids[2])
            world.relate(ids[0], Likes.self, to: ids[2])
            world[resource: Speed.self] = Speed(x: 7, y: 8)
            #expect(fixture.moc.hasChanges)
            try fixture.moc.save()
            #expect(!fixture.moc.hasChanges)
        }
        try verify()
        try fixture.open()
        let world = try Worlds.World(context: fixture.moc)
        #expect(world.links(to: ids[2]).map(\.source) == [ids[0], ids[1]])
        #expect(world.target(of: ids[1], ChildOf.self) == ids[0])
        #expect(world.sources(of: ids[2], Likes.self) == [ids[0], ids[1]])
        #expect(world[resource: Speed.self] == Speed(x: 7, y: 8))
        #expect(world.query(Speed.self).isEmpty)
        #expect(world.count == 3)
        #expect(!fixture.moc.hasChanges)
        world.unrelate(ids[1], Likes.self, from: ids[2])
        world[resource: Speed.self]?.x = 9
        try fixture.moc.save()
        let other = try Worlds.World(context: fixture.context())
        #expect(other.sources(of: ids[2], Likes.self) == [ids[0]])
        #expect(other[resource: Speed.self] == Speed(x: 9, y: 8))
        try verify()
    }

    @Test func a_file_knows_the_rules_before_the_program_names_the_kind() throws {
        do {
            let world = try Worlds.World(context: fixture.moc)
            let ids = world.spawnAll(count: 3)
            world.relate(ids[1], ChildOf.self, to: ids[0])
            world.relate(ids[2], ChildOf.self, to: ids[1])
            try fixture.moc.save()
        }
        try fixture.open()
        let world = try Worlds.World(context: fixture.moc)
        let first = try #require(world.query(GameObjectID.self).first)
        #expect(world.despawn(first))
        #expect(world.count == 0)
        try fixture.moc.save()
        try verify()
    }

    @Test func a_program_may_change_the_rules_but_not_what_is_kept() throws {
        enum Former {
            enum Knows: Worlds.Relationship {}
        }
        enum Stricter {
            enum Knows: Worlds.Relationship {
                static let whenTargetDespawns = RelationshipDeleteRule.deny
            }
        }
        enum Exclusive {
            enum Knows: Worlds.Relationship { static let isExclusive = true }
        }
        do {
            let world = try Worlds.World(context: fixture.moc)
            let ids = world.spawnAll(count: 2)
            world.relate(ids[0], Former.Knows.self, to: ids[1])
            try fixture.moc.save()
        }
        #expect {
            let all: [any ValueComponent.Type] = [Link<Exclusive.Knows>.self]
            _ = try Worlds.World(context: fixture.context(), components: all)
        } throws: { error in
            (error as? CocoaError)?.code == .persistentStoreIncompatibleVersionHash
                && "\(error.localizedDescription)".contains("exclusive")
        }
        do {
            let moc = fixture.context()
            let world = try Worlds.World(context: moc, components: [Link<Stricter.Knows>.self])
            let ids = world.query(GameObjectID.self).objects
            #expect(world.sources(of: ids[1], Stricter.Knows.self) == [ids[0]])
            #expect(!world.despawn(ids[1]))
            world.spawn()
            try moc.save()
        }
        let world = try Worlds.World(context: fixture.moc)
        let ids = world.query(GameObjectID.self).objects
        #expect(world.denials(ofDespawning: ids[1]).map(\.kind) == ["Knows"])
    }

    @Test func a_rollback_takes_relationships_back() throws {
        let world = try Worlds.World(context: fixture.moc)
        let ids = world.spawnAll(count: 3)
        world.relate(ids[0], Likes.self, to: ids[1])
        world.relate(ids[0], ChildOf.self, to: ids[1])
        try fixture.moc.save()
        world.relate(ids[0], ChildOf.self, to: ids[2])
        world.unrelate(ids[0], Likes.self, from: ids[1])
        world.relate(ids[2], Likes.self, to: ids[1])
        fixture.moc.rollback()
        #expect(world.sources(of: ids[1], Likes.self) == [ids[0]])
        #expect(world.targets(of: ids[2], Likes.self) == [])
        #expect(world.target(of: ids[0], ChildOf.self) == ids[1])
        #expect(world.sources(of: ids[2], ChildOf.self) == [])
        world.despawn(ids[1])
        fixture.moc.rollback()
        #expect(world.count == 3)
        #expect(world.sources(of: ids[1], ChildOf.self) == [ids[0]])
        #expect(world.targets(of: ids[0], Likes.self) == [ids[1]])
    }

    // MARK: Several programs

    @Test func two_contexts_relate_at_once() throws {
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        let ids = first.spawnAll(count: 3)
        try one.save()
        let second = try Worlds.World(context: two)
        first.relate(ids[0], Likes.self, to: ids[1])
        first.relate(ids[0], Likes.self, to: ids[2])
        second.relate(ids[0], Likes.self, to: ids[1])
        second.relate(ids[1], Likes.self, to: ids[0])
        try one.save()
        try two.save()
        first.advance()
        for world in [first, second, try Worlds.World(context: fixture.moc)] {
            #expect(world.targets(of: ids[0], Likes.self) == [ids[1], ids[2]])
            #expect(world.sources(of: ids[0], Likes.self) == [ids[1]])
            #expect(world.links(from: ids[0]).count == 2)
        }
        // The pair is related once, though both did it; ending it ends it for both.
        #expect(first.unrelate(ids[0], Likes.self, from: ids[1]))
        try one.save()
        second.advance()
        #expect(second.targets(of: ids[0], Likes.self) == [ids[2]])
        try verify()
    }

    @Test func two_targets_of_an_exclusive_relationship_conflict() throws {
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        let ids = first.spawnAll(count: 3)
        try one.save()
        let second = try Worlds.World(context: two)
        first.relate(ids[0], ChildOf.self, to: ids[1])
        second.relate(ids[0], ChildOf.self, to: ids[2])
        try one.save()
        #expect(throws: CocoaError.self) { try two.save() }
        two.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
        try two.save()
        #expect(second.target(of: ids[0], ChildOf.self) == ids[1])
        #expect(second.sources(of: ids[2], ChildOf.self) == [])
        #expect(second.sources(of: ids[1], ChildOf.self) == [ids[0]])
    }

    @Test func a_target_that_another_program_despawns_takes_new_sources_along() throws {
        let (one, two) = (fixture.context(), fixture.context())
        let first = try Worlds.World(context: one)
        let ids = first.spawnAll([Place(x: 0, y: 0), Place(x: 1, y: 1), Place(x: 2, y: 2)])
        try one.save()
        let second = try Worlds.World(context: two)
        second.relate(ids[1], ChildOf.self, to: ids[0])
        second.relate(ids[2], Likes.self, to: ids[0])
        first.despawn(ids[0])
        try one.save()
        try two.save()
        for world in [second, try Worlds.World(context: fixture.moc)] {
            #expect(world.query(GameObjectID.self).objects == [ids[2]])
            #expect(world.links(from: ids[2]).isEmpty)
            #expect(world.query(Link<ChildOf>.self).isEmpty)
        }
        try verify()
    }

    @Test func a_managed_parent_that_anybody_deletes_takes_its_children_along() throws {
        let parent: GameObjectID
        let child: GameObjectID
        do {
            let world = try Worlds.World(context: fixture.moc)
            parent = try GameObject.create(name: "Parent", moc: fixture.moc).id(in: world)
            child = try GameObject.create(name: "Child", moc: fixture.moc).id(in: world)
            world.relate(child, ChildOf.self, to: parent)
            world.relate(parent, Likes.self, to: child)
            try fixture.moc.save()
        }
        try fixture.open()
        let plain = fixture.context()
        plain.delete(try #require(try GameObject.fetch(name: "Parent", moc: plain)))
        try plain.save()
        try verify()
        let moc = fixture.context()
        let world = try Worlds.World(context: moc)
        #expect(world.count == 0)
        #expect(moc.hasChanges)
        try moc.save()
        #expect(try GameObject.fetch(name: "Child", moc: fixture.context()) == nil)
        #expect(try Worlds.World(context: fixture.context()).query(Link<Likes>.self).isEmpty)
        try verify()
    }

    @Test func only_files_with_relationships_need_the_newer_version() throws {
        let world = try Worlds.World(context: fixture.moc)
        let ids = world.spawnAll(count: 2)
        try fixture.moc.save()
        #expect(try WorldPages(fixture.url).version() == 13)
        world.relate(ids[0], Likes.self, to: ids[1])
        try fixture.moc.save()
        #expect(try WorldPages(fixture.url).version() == 14)
        #expect(try WorldPages(fixture.url).chunks().count == 2)
    }

    @Test func many_relationships_are_kept() throws {
        let count = 100_000
        let ids: GameObjectIDs
        do {
            let world = try Worlds.World(context: fixture.moc)
            ids = world.spawnAll((0..<Int32(count)).map { Place(x: $0, y: 0) })
            for child in 1..<count {
                world.relate(ids[child], ChildOf.self, to: ids[(child - 1) / 10])
                world.relate(ids[child], Likes.self, to: ids[child * 7 % count])
            }
            try fixture.moc.save()
        }
        try fixture.open()
        let world = try Worlds.World(context: fixture.moc)
        #expect(world.query(Link<Likes>.self).count == count - 1)
        #expect(world.sources(of: ids[0], ChildOf.self) == ids[1...10].map { $0 })
        let order = world.breadthFirst(ChildOf.self)
        #expect(order == Array(ids))
        #expect(world.despawn(ids[1]))
        #expect(world.count == 100_000 - 11_111)
        try fixture.moc.save()
        try verify()
    }
}
