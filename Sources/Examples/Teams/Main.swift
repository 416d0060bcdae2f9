// SPDX-License-Identifier: Apache-2.0

import CoreData

@main
struct Main {
    static func main() throws {
        let persistence = try Persistence(inMemory: true)
        let roster = Roster(moc: persistence.container.viewContext)
        let (reds, blues) = (roster.addTeam("Reds"), roster.addTeam("Blues"))
        roster.addPlayer("Ada", position: "goal", teams: [reds])
        let grace = roster.addPlayer("Grace", position: "wing", teams: [reds, blues])
        try persistence.save()
        for team in try roster.teams() { print(roster.describe(team)) }

        // A player leaves all teams at once: each team's set follows.
        grace.setValue(Set<NSManagedObject>(), forKey: "teams")
        try persistence.save()
        for team in try roster.teams() { print(roster.describe(team)) }
        print("\(try roster.players().count) players, \(type(of: grace)) each")
    }
}
