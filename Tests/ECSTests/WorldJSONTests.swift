// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds

enum Mood: String, Codable { case calm, angry }

struct Stance: ValueComponent, Codable, Equatable {
    var mood: Mood
    var leader: GameObjectID
    var rival: GameObjectID?
}

struct Turn: ValueComponent, Codable, Equatable { var number: Int32 }
struct Spot: ValueComponent, Codable, Equatable { var x, y: Float }
struct Dead: ValueComponent, Codable, Equatable {}
enum PartOf: Worlds.Relationship {
    static let isExclusive = true
    static let isAcyclic = true
}

struct Loose: ValueComponent, Codable, Equatable {
    var id, points: Int
    static func == (left: Loose, right: Loose) -> Bool { left.id == right.id }
}
struct Wish: ValueComponent, Codable {
    enum Goal: BitwiseCopyable, Codable { case none, follow(GameObjectID) }
    var goal: Goal
}

/// A component of which a chunk has 64.
struct Wide: ValueComponent, Codable {
    var number: Int
    private var rest = Rest()

    init(number: Int) { self.number = number }

    private struct Rest: BitwiseCopyable {
        var one, two, three, four: SIMD64<UInt8>
        var five, six, seven, eight: SIMD64<UInt8>

        init() {
            (one, two, three, four) = (.zero, .zero, .zero, .zero)
            (five, six, seven, eight) = (.zero, .zero, .zero, .zero)
        }
    }

    private enum CodingKeys: CodingKey { case number }
}

/// Worlds as JSON.
@MainActor
@Suite struct WorldJSONTests {
    let json = WorldJSON(
        components: Spot.self, Stance.self, Turn.self, Dead.self,
        relationships: Likes.self, PartOf.self)

    private func text(_ world: Worlds.World) throws -> String {
        String(decoding: try json.data(of: world), as: UTF8.self)
    }

    private func sample() -> (Worlds.World, [GameObjectID]) {
        let world = Worlds.World()
        let king = world.spawn(Spot(x: 1, y: 2.5))
        let guardian = world.spawn(Stance(mood: .angry, leader: king, rival: nil), Dead())
        let fool = world.spawn(Stance(mood: .calm, leader: king, rival: guardian))
        world.relate(guardian, PartOf.self, to: king)
        world.relate(fool, Likes.self, to: king)
        world.relate(fool, Likes.self, to: guardian)
        world[resource: Turn.self] = Turn(number: 7)
        return (world, [king, guardian, fool])
    }

    @Test func a_world_is_written_as_documented() throws {
        let (world, _) = sample()
        let expected = """
            {
              "objects" : [
                {
                  "components" : {
                    "Spot" : {
                      "x" : 1,
                      "y" : 2.5
                    }
                  },
                  "id" : "1/p1"
                },
                {
                  "components" : {
                    "Dead" : {

                    },
                    "Stance" : {
                      "leader" : "1/p1",
                      "mood" : "angry"
                    }
                  },
                  "id" : "1/p2",
                  "relationships" : {
                    "PartOf" : [
                      "1/p1"
                    ]
                  }
                },
                {
                  "components" : {
                    "Stance" : {
                      "leader" : "1/p1",
                      "mood" : "calm",
                      "rival" : "1/p2"
                    }
                  },
                  "id" : "1/p3",
                  "relationships" : {
                    "Likes" : [
                      "1/p1",
                      "1/p2"
                    ]
                  }
                }
              ],
              "resources" : {
                "Turn" : {
                  "number" : 7
                }
              }
            }
            """
        #expect(try text(world) == expected)
    }

    @Test func loading_gives_the_same_world_and_again_nothing_new() throws {
        let (world, ids) = sample()
        let data = try json.data(of: world)
        let fixture = try WorldFixture()
        let loaded = try Worlds.World(context: fixture.moc)
        let map = try json.load(data, into: loaded)
        let king = try #require(map[ids[0]])
        let guardian = try #require(map[ids[1]])
        let fool = try #require(map[ids[2]])
        #expect(king.row == ids[0].row && king.entity == loaded.spawn().entity)
        #expect(
            loaded[fool, Stance.self] == Stance(mood: .calm, leader: king, rival: guardian))
        #expect(loaded.targets(of: fool, Likes.self) == [king, guardian])
        #expect(loaded.target(of: guardian, PartOf.self) == king)
        #expect(loaded.has(Dead.self, guardian))
        #expect(loaded[resource: Turn.self] == Turn(number: 7))
        #expect(loaded.count == 4)
        try fixture.moc.save()
        #expect(try json.load(data, into: loaded) == map)
        #expect(!fixture.moc.hasChanges)
        let other = try Worlds.World(context: fixture.context())
        #expect(try text(other) == text(loaded))
        try WorldPages(fixture.url).verify()
    }

    @Test func loading_again_updates_what_differs() throws {
        let (world, ids) = sample()
        let data = try json.data(of: world)
        world[ids[0], Spot.self]?.x = 100
        world.remove(Dead.self, from: ids[1])
        world.unrelate(ids[2], Likes.self, from: ids[0])
        let extra = world.spawn(Spot(x: 9, y: 9))
        world.advance()
        let map = try json.load(data, into: world)
        #expect(map == [ids[0]: ids[0], ids[1]: ids[1], ids[2]: ids[2]])
        #expect(world[ids[0], Spot.self] == Spot(x: 1, y: 2.5))
        #expect(world.has(Dead.self, ids[1]))
        #expect(world.targets(of: ids[2], Likes.self) == [ids[0], ids[1]])
        #expect(world[extra, Spot.self] == Spot(x: 9, y: 9))
        #expect(world.query(Stance.self).changed(Stance.self).isEmpty)
        #expect(world.query(Spot.self).changed(Spot.self).objects == [ids[0]])
    }

    @Test func new_ids_make_copies() throws {
        let (world, ids) = sample()
        let data = try json.data(of: world)
        let map = try json.load(data, into: world, ids: .new)
        #expect(world.count == 6)
        let king = try #require(map[ids[0]])
        let fool = try #require(map[ids[2]])
        #expect(!ids.contains(king))
        #expect(world[fool, Stance.self]?.leader == king)
        #expect(world[fool, Stance.self]?.rival == map[ids[1]])
        #expect(world.targets(of: fool, Likes.self).count == 2)
        #expect(world.sources(of: ids[0], Likes.self) == [ids[2]])
    }

    @Test func a_world_with_far_ids_can_be_loaded() throws {
        let world = Worlds.World()
        world.rows.skip(upTo: 1 << 30)
        let king = world.spawn(Spot(x: 1, y: 2))
        let data = try json.data(of: world)
        let loaded = Worlds.World()
        #expect(try json.load(data, into: loaded) == [king: king])
        #expect(loaded[king, Spot.self] == Spot(x: 1, y: 2))
        let fixture = try WorldFixture()
        let stored = try Worlds.World(context: fixture.moc)
        let map = try json.load(data, into: stored)
        #expect(map[king]?.row == 1 << 30 + 1)
        try fixture.moc.save()
        let again = try Worlds.World(context: fixture.context())
        #expect(try text(again) == text(stored))
    }

    /// What only near game objects have needs no list up to the far ones.
    @Test func far_ids_are_taken_whatever_else_the_document_knows() throws {
        let world = Worlds.World()
        let fool = world.spawn(Wide(number: 3))
        world.rows.skip(upTo: 1 << 33)
        let king = world.spawn()
        let json = WorldJSON(components: Spot.self, Wide.self, relationships: Likes.self)
        let loaded = Worlds.World()
        #expect(
            try json.load(try json.data(of: world), into: loaded) == [fool: fool, king: king])
        #expect(king.row == 1 << 33 + 1)
        #expect(loaded[fool, Wide.self]?.number == 3)
        #expect(loaded.query(GameObjectID.self).objects == [fool, king])
        // A wide value of the far one does need it.
        let data = Data(
            #"{"objects":[{"id":"1/p8589934593","components":{"Wide":{"number":4}}}]}"#.utf8)
        #expect(throws: CocoaError.self) { try json.load(data, into: Worlds.World()) }
    }

    @Test func a_file_that_cannot_be_written_refuses_new_ids() throws {
        let (world, _) = sample()
        let data = try json.data(of: world)
        let fixture = try WorldFixture()
        try Worlds.World(context: fixture.moc).spawn(Spot(x: 5, y: 5))
        try fixture.moc.save()
        let coordinator = fixture.container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: fixture.url,
            options: [NSReadOnlyPersistentStoreOption: true])
        let loaded = try Worlds.World(context: fixture.context())
        for ids in [WorldJSON.IDs.new, .kept] {
            #expect(throws: CocoaError.self) { try json.load(data, into: loaded, ids: ids) }
        }
        #expect(loaded.count == 1)
        #expect(loaded.query(Spot.self).count == 1)
        #expect(loaded[resource: Turn.self] == nil)
    }

    @Test func numbers_that_json_lacks_are_named() throws {
        let world = Worlds.World()
        world.spawn(Spot(x: 1, y: 2))
        let id = world.spawn(Spot(x: 1, y: .nan))
        func refusal() -> String? {
            do {
                _ = try json.data(of: world)
                return nil
            } catch EncodingError.invalidValue(_, let context) {
                return context.debugDescription
            } catch { return "\(error)" }
        }
        #expect(refusal()?.hasPrefix("Spot.y of 1/p2 cannot be written: ") == true)
        world[id, Spot.self]?.y = 0
        #expect(refusal() == nil)
        world[resource: Spot.self] = Spot(x: -.infinity, y: 0)
        #expect(refusal()?.hasPrefix("Spot.x of the world cannot be written: ") == true)
    }

    @Test func ids_that_others_had_are_refused() throws {
        let (world, ids) = sample()
        let data = try json.data(of: world)
        world.despawn(ids[1])
        let before = try text(world)
        #expect(throws: CocoaError.self) { try json.load(data, into: world) }
        #expect(try text(world) == before)
        let fixture = try WorldFixture()
        let file = try Worlds.World(context: fixture.moc)
        let gone = file.spawn()
        file.despawn(gone)
        #expect(throws: CocoaError.self) { try json.load(data, into: file) }
        #expect(file.count == 0)
        #expect(try json.load(data, into: file, ids: .new).count == 3)
        try fixture.moc.save()
    }

    @Test(arguments: [
        "", "[]", "{}", #"{"objects":[{}]}"#, #"{"objects":[{"id":7}]}"#,
        #"{"objects":[{"id":"p1"}]}"#, #"{"objects":[{"id":"1/p-1"}]}"#,
        #"{"objects":[{"id":"1/p01"}]}"#, #"{"objects":[{"id":"1/p0"}]}"#,
        #"{"objects":[{"id":"1/p281474976710655"}]}"#,
        #"{"objects":[{"id":"1/p281474976710656"}]}"#,
        #"{"objects":[{"id":"1/p1"},{"id":"1/p1"}]}"#,
        #"{"objects":[{"id":"1/p1"},{"id":"2/p1"}]}"#,
        #"{"objects":[{"id":"1/p1","components":{"Other":{}}}]}"#,
        #"{"objects":[{"id":"1/p1","components":{"Spot":{"x":1}}}]}"#,
        #"{"objects":[{"id":"1/p1","components":{"Turn":{"number":4294967296}}}]}"#,
        #"{"objects":[{"id":"1/p1","components":{"Stance":{"mood":"odd","leader":"1/p1"}}}]}"#,
        #"{"objects":[{"id":"1/p1","relationships":{"Other":["1/p1"]}}]}"#,
        #"{"objects":[{"id":"1/p1","relationships":{"Likes":["1/p2"]}}]}"#,
        #"{"objects":[{"id":"1/p1","relationships":{"PartOf":["1/p1"]}}]}"#,
        #"{"objects":[{"id":"1/p1","relationships":{"PartOf":["1/p2"]}},"#
            + #"{"id":"1/p2","relationships":{"PartOf":["1/p1"]}}]}"#,
        #"{"objects":[],"resources":{"Other":{}}}"#,
    ])
    func documents_that_are_wrong_change_nothing(_ document: String) throws {
        for ids in [WorldJSON.IDs.kept, .new] {
            // New IDs do not care for those of the document.
            if case .new = ids, document.contains("p0\"") || document.contains("p281474976710655") {
                continue
            }
            if case .new = ids, document.contains("2/p1\"}") { continue }
            let world = Worlds.World()
            #expect(throws: (any Error).self, "\(document)") {
                try json.load(Data(document.utf8), into: world, ids: ids)
            }
            #expect(world.count == 0)
            #expect(try text(world) == text(Worlds.World()))
        }
    }

    @Test func a_circle_with_links_of_the_world_is_refused() throws {
        let world = Worlds.World()
        let ids = world.spawnAll(count: 3)
        world.relate(ids[0], PartOf.self, to: ids[1])
        world.relate(ids[1], PartOf.self, to: ids[2])
        let circle = #"{"objects":[{"id":"1/p3","relationships":{"PartOf":["1/p1"]}}]}"#
        #expect(throws: CocoaError.self) { try json.load(Data(circle.utf8), into: world) }
        #expect(world.target(of: ids[2], PartOf.self) == nil)
        // An exclusive source that gets another target breaks the circle.
        let straight = #"""
            {"objects":[{"id":"1/p3","relationships":{"PartOf":["1/p1"]}},
            {"id":"1/p1","relationships":{"PartOf":["1/p2"]}},
            {"id":"1/p2","relationships":{}}]}
            """#
        #expect(throws: CocoaError.self) { try json.load(Data(straight.utf8), into: world) }
        world.unrelate(ids[1], PartOf.self)
        try json.load(Data(straight.utf8), into: world)
        #expect(world.ancestors(of: ids[2], PartOf.self) == [ids[0], ids[1]])
    }

    @Test func links_that_change_places_close_no_circle_on_the_way() throws {
        let world = Worlds.World()
        let ids = world.spawnAll(count: 3)
        world.relate(ids[1], PartOf.self, to: ids[0])
        let turned = #"""
            {"objects":[{"id":"1/p1","relationships":{"PartOf":["1/p2"]}},
            {"id":"1/p2","relationships":{"PartOf":["1/p3"]}},{"id":"1/p3"}]}
            """#
        try json.load(Data(turned.utf8), into: world)
        #expect(world.ancestors(of: ids[0], PartOf.self) == [ids[1], ids[2]])
        let both = #"{"objects":[{"id":"1/p1","relationships":{"PartOf":["1/p2","1/p3"]}}]}"#
        #expect(throws: CocoaError.self) { try json.load(Data(both.utf8), into: world) }
    }

    @Test func a_document_that_failed_or_was_taken_back_can_be_loaded_again() throws {
        let wrong = #"{"objects":[{"id":"1/p1","relationships":{"Likes":["1/p9"]}},{"id":"1/p2"}]}"#
        let right = #"{"objects":[{"id":"1/p1","relationships":{"Likes":["1/p2"]}},{"id":"1/p2"}]}"#
        let fixture = try WorldFixture()
        let world = try Worlds.World(context: fixture.moc)
        for world in [Worlds.World(), world] {
            #expect(throws: CocoaError.self) { try json.load(Data(wrong.utf8), into: world) }
            #expect(try json.load(Data(right.utf8), into: world).count == 2)
            #expect(world.count == 2)
        }
        fixture.moc.rollback()
        #expect(world.count == 0)
        #expect(try json.load(Data(right.utf8), into: world).count == 2)
        try fixture.moc.save()
        #expect(try Worlds.World(context: fixture.context()).query(Link<Likes>.self).count == 1)
    }

    @Test func equality_that_leaves_something_out_does_not_count() throws {
        let json = WorldJSON(components: Loose.self)
        let world = Worlds.World()
        let object = world.spawn(Loose(id: 1, points: 10))
        let data = try json.data(of: world)
        world[object, Loose.self]?.points = 5
        try json.load(data, into: world)
        #expect(world[object, Loose.self]?.points == 10)
    }

    @Test func ids_in_payloads_are_refused_where_they_would_have_to_change() throws {
        let json = WorldJSON(components: Wish.self)
        let world = Worlds.World()
        let object = world.spawn()
        world[object, Wish.self] = Wish(goal: .follow(object))
        let data = try json.data(of: world)
        #expect(throws: CocoaError.self) { try json.load(data, into: world, ids: .new) }
        #expect(world.count == 1)
        #expect(try json.load(data, into: world).count == 1)
    }

    @Test func what_the_coder_does_not_know_is_not_left_out_silently() throws {
        let world = Worlds.World()
        world.spawn(Place(x: 1, y: 1))
        world.relate(world.spawn(), ChildOf.self, to: world.spawn())
        world[resource: Speed.self] = Speed(x: 1, y: 1)
        #expect {
            try json.data(of: world)
        } throws: { error in
            "\((error as? CocoaError)?.localizedDescription ?? "")"
                .contains("ChildOf, Place, resource/Speed")
        }
    }

    @Test func ids_are_read_as_they_are_written() {
        #expect(GameObjectID("3/p17")?.rawValue == 3 << 48 | 17)
        #expect(GameObjectID("65535/p0")?.description == "65535/p0")
        let others = [
            "", "3", "3/17", "3/p", "/p1", "3/p1/", "65536/p1", "3/p+1", "03/p1", " 3/p1",
        ]
        for text in others {
            #expect(GameObjectID(text) == nil, "\(text)")
        }
    }
}
