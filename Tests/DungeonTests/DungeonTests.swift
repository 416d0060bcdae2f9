// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing
import _TestSupport

@testable import Dungeon

@Suite struct DungeonTests {
    private func play(_ keys: String, _ url: URL) throws -> Dungeon {
        let dungeon = try Dungeon(url: url)
        for key in keys { try dungeon.play(key) }
        return dungeon
    }

    @Test func a_game_begins_with_the_level() throws {
        try withTemporaryDirectory { directory in
            let dungeon = try Dungeon(
                url: URL(fileURLWithPath: directory).appendingPathComponent("a.lode"))
            #expect(
                dungeon.drawing() == """
                    ####################
                    #@..#......#.......#
                    #...#..g...#...k...#
                    #.!....#...#.......#
                    #...#..#......#..*.#
                    ####################
                    turn 0, health 30, 0 items

                    """)
        }
    }

    @Test func each_turn_is_saved() throws {
        try withTemporaryDirectory { directory in
            let folder = URL(fileURLWithPath: directory)
            let keys = "sds dddddd  "
            let whole = try play(keys, folder.appendingPathComponent("1.lode"))
            let url = folder.appendingPathComponent("2.lode")
            for key in keys { _ = try play(String(key), url) }
            let parts = try Dungeon(url: url)
            #expect(parts.turn == 12)
            #expect(parts.drawing() == whole.drawing())
            #expect(parts.items(of: parts.hero).count == 1)
        }
    }

    @Test func monsters_die_and_leave_what_they_carried() throws {
        try withTemporaryDirectory { directory in
            let url = URL(fileURLWithPath: directory).appendingPathComponent("a.lode")
            let dungeon = try Dungeon(url: url)
            let kobold = try #require(
                try GameObject.fetch(name: "Kobold", moc: dungeon.moc)?.id(in: dungeon.world))
            let club = try #require(dungeon.items(of: kobold).first)
            #expect(!dungeon.world.has(Place.self, club))
            dungeon.world[kobold, Place.self] = Place(x: 2, y: 1)
            dungeon.stats(of: kobold)?.health = 4
            try dungeon.play("d")
            #expect(!dungeon.world.isAlive(kobold))
            #expect(dungeon.world[club, Place.self] == Place(x: 2, y: 1))
            try dungeon.play("d")
            let again = try Dungeon(url: url)
            #expect(again.items(of: again.hero) == [club])
            #expect(try GameObject.fetch(name: "Kobold", moc: again.moc) == nil)
            #expect(try again.moc.count(for: NSFetchRequest<Stats>(entityName: "Stats")) == 2)
        }
    }

    @Test func the_game_ends_with_the_hero() throws {
        try withTemporaryDirectory { directory in
            let url = URL(fileURLWithPath: directory).appendingPathComponent("a.lode")
            let dungeon = try Dungeon(url: url)
            let goblin = try #require(
                try GameObject.fetch(name: "Goblin", moc: dungeon.moc)?.id(in: dungeon.world))
            dungeon.world[goblin, Place.self] = Place(x: 3, y: 1)
            dungeon.stats(of: dungeon.hero)?.health = 2
            #expect(!dungeon.isOver)
            try dungeon.play(" ")
            #expect(!dungeon.isOver)
            try dungeon.play(" ")
            #expect(dungeon.isOver)
            try dungeon.play("s")
            #expect(try Dungeon(url: url).turn == 2)
        }
    }

    @Test func a_file_that_is_no_game_is_an_error_that_says_so() throws {
        try withTemporaryDirectory { directory in
            let path = directory + "/junk.lode"
            try Data("junk".utf8).write(to: URL(fileURLWithPath: path))
            let message = Main.failure(ofPlaying: path) ?? ""
            #expect(message.contains("junk.lode") && message.contains("no LMDB file"), "\(message)")
        }
    }
}
