// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

@testable import CoreDataECS

/// The tutorial's program, used as its readers use it.
@Suite struct GameTests {
    private let directory = FileManager.default.temporaryDirectory
        .appendingPathComponent("GameTests-\(UUID().uuidString)")
    private var url: URL { directory.appendingPathComponent("game.lode") }

    private func withGame(_ body: (Game) throws -> Void) throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        let game = try Game(url: url)
        try game.populate()
        try body(game)
    }

    @Test func describes_hero_and_monster_after_reopening() throws {
        defer { try? FileManager.default.removeItem(at: directory) }
        try Game(url: url).populate()
        let game = try Game(url: url)
        #expect(try game.describe("Hero") == "Hero: agility 7, strength 12")
        #expect(try game.describe("Monster") == "Monster: strength 30")
        #expect(try game.describe("Elf") == "Elf: nobody has this name")
    }

    @Test func finds_by_type_and_from_the_data_back() throws {
        try withGame { game in
            let owners = try GameObject.fetchAll(withComponentOfType: Stat.self, moc: game.moc)
            #expect(owners.map(\.name) == ["Hero", "Monster"])
            let request = NSFetchRequest<Stat>(entityName: "Stat")
            request.predicate = NSPredicate(format: "value == 30")
            let stat = try #require(try game.moc.fetch(request).first)
            #expect(try GameObject.fetch(data: stat, moc: game.moc)?.name == "Monster")
            let component = try #require(
                try Component.fetch(managedObjectID: stat.objectID, moc: game.moc))
            let data: Stat? = try component.fetchData()
            #expect(data === stat)
            let plain: NSManagedObject? = try component.fetchData()
            #expect(plain === stat)
            #expect(component.representation == stat.objectID.uriRepresentation())
        }
    }

    @Test func removes_a_component_with_its_data() throws {
        try withGame { game in
            try game.remove("agility", from: "Hero")
            #expect(try game.describe("Hero") == "Hero: strength 12")
            #expect(try game.moc.count(for: NSFetchRequest<Stat>(entityName: "Stat")) == 2)
        }
    }

    @Test func removes_a_component_and_keeps_its_data() throws {
        try withGame { game in
            let hero = try #require(try GameObject.fetch(name: "Hero", moc: game.moc))
            let stat = try #require(
                try hero.getData(ofType: Stat.self).first { $0.kind == "agility" })
            try hero.removeComponent(with: stat, deletingData: false)
            #expect(try hero.getComponents(ofType: Stat.self).count == 1)
            try game.moc.save()
            #expect(try hero.getComponents(ofType: Stat.self).count == 1)
            #expect(try game.moc.count(for: NSFetchRequest<Stat>(entityName: "Stat")) == 3)
            #expect(try GameObject.fetch(data: stat, moc: game.moc) == nil)
        }
    }

    @Test func look_ups_see_unsaved_changes() throws {
        try withGame { game in
            let elf = GameObject.create(name: "Elf", moc: game.moc)
            let stat = Stat.create(kind: "magic", value: 9, moc: game.moc)
            let component = try elf.addComponent(with: stat, moc: game.moc)
            #expect(!stat.objectID.isTemporaryID)
            #expect(try elf.getData() == [stat])
            #expect(try elf.getComponents(ofType: Stat.self) == [component])
            #expect(try GameObject.fetch(name: "Elf", moc: game.moc) === elf)
            #expect(try GameObject.fetch(data: stat, moc: game.moc) === elf)
            let owners = try GameObject.fetchAll(withComponentOfType: Stat.self, moc: game.moc)
            #expect(Set(owners.map(\.name)) == ["Hero", "Monster", "Elf"])
            try elf.removeComponent(with: stat)
            #expect(try elf.getData().isEmpty)
            #expect(try Component.fetch(managedObjectID: stat.objectID, moc: game.moc) == nil)
        }
    }

    @Test func moving_a_component_moves_its_entries() throws {
        try withGame { game in
            let hero = try #require(try GameObject.fetch(name: "Hero", moc: game.moc))
            let monster = try #require(try GameObject.fetch(name: "Monster", moc: game.moc))
            let component = try #require(try monster.getComponents(ofType: Stat.self).first)
            component.gameObject = hero
            #expect(try monster.getData().isEmpty)
            #expect(try hero.getData().count == 3)
            try game.moc.save()
            #expect(try monster.getData().isEmpty)
            #expect(try hero.getData().count == 3)
            #expect(
                try GameObject.fetchAll(withComponentOfType: Stat.self, moc: game.moc) == [hero])
        }
    }

    @Test func deleting_data_alone_leaves_no_entry() throws {
        try withGame { game in
            let monster = try #require(try GameObject.fetch(name: "Monster", moc: game.moc))
            let stat = try #require(try monster.getData(ofType: Stat.self).first)
            game.moc.delete(stat)
            #expect(try monster.getData().isEmpty)
            try game.moc.save()
            #expect(try monster.getData().isEmpty)
            let owners = try GameObject.fetchAll(withComponentOfType: Stat.self, moc: game.moc)
            #expect(owners.map(\.name) == ["Hero"])
        }
    }

    @Test func deleting_a_game_object_deletes_its_components() throws {
        try withGame { game in
            let hero = try #require(try GameObject.fetch(name: "Hero", moc: game.moc))
            game.moc.delete(hero)
            try game.moc.save()
            let components = NSFetchRequest<Component>(entityName: "Component")
            #expect(try game.moc.count(for: components) == 1)
            let owners = try GameObject.fetchAll(withComponentOfType: Stat.self, moc: game.moc)
            #expect(owners.map(\.name) == ["Monster"])
        }
    }
}
