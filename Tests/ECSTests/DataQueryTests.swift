// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import ECS
import Foundation
import ManagedObjects
import Testing
import Worlds

/// Queries that have value components and managed objects as terms.
@MainActor
@Suite struct DataQueryTests {
    let fixture: WorldFixture

    init() throws { fixture = try WorldFixture() }

    /// Game objects with some data each, named after them.
    private func makeObjects(
        _ world: Worlds.World, _ counts: [String: Int]
    ) throws -> [String: GameObjectID] {
        var ids: [String: GameObjectID] = [:]
        for (name, count) in counts.sorted(by: { $0.key < $1.key }) {
            let object = GameObject.create(name: name, moc: fixture.moc)
            for number in 0..<count {
                let data = GameObject.create(name: "\(name)\(number)", moc: fixture.moc)
                try object.addComponent(with: data, moc: fixture.moc)
            }
            ids[name] = try object.id(in: world)
        }
        return ids
    }

    @Test func what_a_closure_changes_does_not_decide_which_others_come() throws {
        let world = try Worlds.World(context: fixture.moc)
        let objects = try makeObjects(world, ["a": 1, "b": 1, "c": 1])
        let ids = try ["a", "b", "c"].map { try #require(objects[$0]) }
        for id in ids { world[id, Place.self] = Place(x: 1, y: 0) }
        world.advance()
        world[ids[0], Place.self]?.y = 1
        let changed = world.query(GameObjectID.self, GameObject.self).changed(Place.self)
        var seen: [GameObjectID] = []
        try changed.forEach { id, _ in
            seen.append(id)
            for other in ids { world[other, Place.self]?.y += 1 }
        }
        #expect(seen == [ids[0]])
        #expect(try changed.objects() == ids)
        let byX = world.index(Place.self, by: \.x)
        seen = []
        try world.query(GameObjectID.self, GameObject.self).with(byX, 1).forEach { id, _ in
            seen.append(id)
            for other in ids { world[other, Place.self]?.x = 2 }
        }
        #expect(seen == ids)
    }

    @Test func values_and_data_come_together() throws {
        let world = try Worlds.World(context: fixture.moc)
        let ids = try makeObjects(world, ["a": 2, "b": 1, "c": 0, "d": 1])
        for (name, x) in [("a", 1), ("b", 2), ("c", 3)] as [(String, Int32)] {
            world.add(Place(x: x, y: 0), to: try #require(ids[name]))
        }
        world.add(Title(text: "Lady"), to: try #require(ids["a"]))
        let query = world.query(Mut<Place>.self, GameObject.self)
        func visit() throws -> [String] {
            var seen: [String] = []
            try query.forEach { place, data in seen.append("\(place.x) \(data.name ?? "")") }
            return seen
        }
        for isSaved in [false, true] {
            #expect(try Set(visit()) == ["1 a0", "1 a1", "2 b0"])
            #expect(try visit().last == "2 b0")
            #expect(try query.objects() == [ids["a"], ids["b"]])
            #expect(try query.count() == 2)
            #expect(try query.first() == ids["a"])
            #expect(try query.with(Title.self).objects() == [ids["a"]])
            #expect(try query.without(Title.self).objects() == [ids["b"]])
            #expect(try query.with(Title.self).without(Title.self).isEmpty())
            if !isSaved { try fixture.moc.save() }
        }
        try query.with(Title.self).forEach { place, _ in place.y += 1 }
        #expect(world[try #require(ids["a"]), Place.self] == Place(x: 1, y: 2))
    }

    @Test func an_answer_marks_nothing_as_changed() throws {
        let world = try Worlds.World(context: fixture.moc)
        let id = try #require(try makeObjects(world, ["a": 1])["a"])
        world.add(Place(x: 1, y: 0), to: id)
        try fixture.moc.save()
        world.advance()
        let query = world.query(Mut<Place>.self, GameObject.self)
        #expect(try query.count() == 1 && query.first() == id)
        #expect(world.query(Place.self).changed(Place.self).isEmpty)
        #expect(!fixture.moc.hasChanges)
        try query.forEach { place, _ in place.x = 2 }
        #expect(world.query(Place.self).changed(Place.self).objects == [id])
        #expect(try query.changed(Place.self).objects() == [id])
    }

    @Test func more_terms_are_arguments_of_their_own() throws {
        let world = try Worlds.World(context: fixture.moc)
        let id = try #require(try makeObjects(world, ["a": 1])["a"])
        world.add(Place(x: 1, y: 2), Title(text: "Sir"), to: id)
        var seen: [String] = []
        try world.query(Place.self, Title.self, GameObject.self).forEach { place, title, data in
            seen.append("\(place.x) \(title.text) \(data.name ?? "")")
        }
        try world.query(GameObjectID.self, Place?.self, Has<Title>.self, GameObject.self)
            .forEach { object, place, hasTitle, data in
                #expect(object == id && place?.y == 2 && hasTitle)
                seen.append(data.name ?? "")
            }
        try world.query(GameObjectID.self, Place.self, Title.self, Has<Title>.self, GameObject.self)
            .forEach { _, _, title, _, data in seen.append(title.text + (data.name ?? "")) }
        #expect(seen == ["1 Sir a0", "a0", "Sira0"])
    }

    @Test func a_world_in_memory_has_no_data() {
        let world = Worlds.World()
        world.spawn(Place(x: 1, y: 1))
        let query = world.query(Place.self, GameObject.self)
        let errors = [
            #expect(throws: CocoaError.self) { try query.forEach { _, _ in } },
            #expect(throws: CocoaError.self) { try query.count() },
            #expect(throws: CocoaError.self) { try query.objects() },
        ]
        #expect(errors.allSatisfy { $0?.code.rawValue == 134_060 })
    }
}
