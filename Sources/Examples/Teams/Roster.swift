// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Teams and players: what the tutorial's screens do.
struct Roster {
    let moc: NSManagedObjectContext

    /// Adds a team.
    @discardableResult
    func addTeam(_ name: String) -> Team {
        let team = Team(context: moc)
        team.teamName = name
        return team
    }

    /// Adds a player; without a class of its own, values are set by key.
    @discardableResult
    func addPlayer(
        _ name: String, position: String? = nil, teams: [Team] = []
    ) -> NSManagedObject {
        let player = NSEntityDescription.insertNewObject(forEntityName: "Player", into: moc)
        player.setValue(UUID(), forKey: "identifier")
        player.setValue(name, forKey: "name")
        player.setValue(position, forKey: "position")
        for team in teams { team.addToMembers(player) }
        return player
    }

    /// All teams by name.
    func teams() throws -> [Team] {
        let request = NSFetchRequest<Team>(entityName: "Team")
        request.sortDescriptors = [NSSortDescriptor(key: "teamName", ascending: true)]
        return try moc.fetch(request)
    }

    /// The players whose name contains a text, whatever its case; all for an empty one.
    func players(matching text: String = "") throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Player")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        if !text.isEmpty {
            request.predicate = NSPredicate(format: "name CONTAINS[cd] %@", text)
        }
        return try moc.fetch(request)
    }

    /// A team and its members, by name.
    func describe(_ team: Team) -> String {
        let names = team.members.compactMap { $0.value(forKey: "name") as? String }.sorted()
        return "\(team.teamName): \(names.isEmpty ? "nobody" : names.joined(separator: ", "))"
    }
}
