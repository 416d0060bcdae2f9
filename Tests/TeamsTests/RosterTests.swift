// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

@testable import Teams

/// The tutorial's program, used as its readers use it.
@Suite struct RosterTests {
    private func makeRoster() throws -> (Persistence, Roster) {
        let persistence = try Persistence(inMemory: true)
        let roster = Roster(moc: persistence.container.viewContext)
        let (reds, blues) = (roster.addTeam("Reds"), roster.addTeam("Blues"))
        roster.addPlayer("Ada", position: "goal", teams: [reds])
        roster.addPlayer("Grace", position: "wing", teams: [reds, blues])
        try persistence.save()
        return (persistence, roster)
    }

    @Test func members_play_for_several_teams() throws {
        let (_, roster) = try makeRoster()
        #expect(try roster.teams().map(roster.describe) == ["Blues: Grace", "Reds: Ada, Grace"])
        let grace = try #require(try roster.players(matching: "grace").first)
        let teams = try #require(grace.value(forKey: "teams") as? Set<NSManagedObject>)
        #expect(Set(teams.compactMap { ($0 as? Team)?.teamName }) == ["Blues", "Reds"])
    }

    @Test func leaving_is_seen_from_both_sides() throws {
        let (persistence, roster) = try makeRoster()
        let grace = try #require(try roster.players(matching: "GRÀCE").first)
        let blues = try #require(try roster.teams().first)
        blues.removeFromMembers(grace)
        let left = try #require(grace.value(forKey: "teams") as? Set<NSManagedObject>)
        #expect(left.compactMap { ($0 as? Team)?.teamName } == ["Reds"])
        try persistence.save()
        #expect(try roster.teams().map(roster.describe) == ["Blues: nobody", "Reds: Ada, Grace"])
    }

    @Test func an_entity_without_class_falls_back_to_managed_objects() throws {
        let (persistence, roster) = try makeRoster()
        let player = roster.addPlayer("Linus")
        #expect(type(of: player) == NSManagedObject.self)
        #expect(player.entity.managedObjectClassName == "PlayerMO")
        let picture = Data(repeating: 7, count: 100_000)
        let birthday = Date(timeIntervalSinceReferenceDate: -1_000_000_000)
        player.setValuesForKeys([
            "picture": picture, "birthdate": birthday, "phoneNumber": "+44 20 7946 0000",
            "category": "U21",
        ])
        try persistence.save()
        persistence.container.viewContext.reset()
        let again = try #require(try roster.players(matching: "linus").first)
        #expect(again.value(forKey: "picture") as? Data == picture)
        #expect(again.value(forKey: "birthdate") as? Date == birthday)
        #expect(again.value(forKey: "phoneNumber") as? String == "+44 20 7946 0000")
        #expect(again.value(forKey: "category") as? String == "U21")
        #expect(again.value(forKey: "position") == nil)
        #expect(again.value(forKey: "identifier") is UUID)
    }

    @Test func two_stores_in_memory_know_nothing_of_each_other() throws {
        let (_, roster) = try makeRoster()
        let other = try Persistence(inMemory: true)
        #expect(try Roster(moc: other.container.viewContext).teams().isEmpty)
        #expect(try roster.teams().count == 2)
    }

    @Test func the_object_wins_over_the_store() throws {
        let (persistence, roster) = try makeRoster()
        let view = persistence.container.viewContext
        view.automaticallyMergesChangesFromParent = false
        let ada = try #require(try roster.players(matching: "Ada").first)
        let identifier = ada.objectID
        #expect(ada.value(forKey: "position") as? String == "goal")
        let background = persistence.container.newBackgroundContext()
        try background.performAndWait {
            let same = try background.existingObject(with: identifier)
            same.setValue("bench", forKey: "position")
            same.setValue("U21", forKey: "category")
            try background.save()
        }
        ada.setValue("wing", forKey: "position")
        try persistence.save()
        #expect(ada.value(forKey: "position") as? String == "wing")
        #expect(ada.value(forKey: "category") as? String == "U21")
        let stored = Roster(moc: persistence.container.newBackgroundContext())
        let found = try #require(try stored.players(matching: "Ada").first)
        #expect(found.value(forKey: "position") as? String == "wing")
        #expect(found.value(forKey: "category") as? String == "U21")
    }

    @Test func a_store_on_disk_is_there_again() throws {
        let directory = FileManager.default.temporaryDirectory
            .appendingPathComponent("RosterTests-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: directory) }
        let url = directory.appendingPathComponent("teams.lode")
        let first = try Persistence(url: url)
        let team = Roster(moc: first.container.viewContext).addTeam("Greens")
        let identifier = team.identifier
        try first.save()
        let second = try Persistence(url: url)
        let found = try Roster(moc: second.container.viewContext).teams()
        #expect(found.map(\.teamName) == ["Greens"])
        #expect(found.map(\.id) == [identifier])
    }
}
