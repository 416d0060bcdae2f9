// SPDX-License-Identifier: Apache-2.0

// The classes that most samples are about, and a store with a few of their objects.

// SAMPLE: GettingStarted.md
import CoreData

final class Team: NSManagedObject {
    @Managed var name: String
    @Managed var players: Set<Player>
}

final class Player: NSManagedObject {
    @Managed var score: Int32
    @Managed var team: Team?
}
// SAMPLE: end

final class Stat: NSManagedObject {
    @Managed var kind: String
    @Managed var value: Int32

    static func makeEntity() -> NSEntityDescription {
        NSEntityDescription(
            name: "Stat", managedObjectClass: Stat.self,
            properties: [
                NSAttributeDescription(name: "kind", type: .string),
                NSAttributeDescription(name: "value", type: .integer32),
            ])
    }

    static func create(kind: String, value: Int32, moc: NSManagedObjectContext) -> Stat {
        let stat = Stat(context: moc)
        (stat.kind, stat.value) = (kind, value)
        return stat
    }
}

func makeLeagueModel() -> NSManagedObjectModel {
    // SAMPLE: GettingStarted.md
    let team = NSEntityDescription(name: "Team", managedObjectClass: Team.self)
    let player = NSEntityDescription(name: "Player", managedObjectClass: Player.self)
    let players = NSRelationshipDescription(name: "players", destination: player)
    team.properties = [
        NSAttributeDescription(name: "name", type: .string, isOptional: false), players,
    ]
    player.properties = [
        NSAttributeDescription(name: "score", type: .integer32),
        NSRelationshipDescription(name: "team", destination: team, maxCount: 1, inverse: players),
    ]
    let model = NSManagedObjectModel(entities: [team, player])
    // SAMPLE: end
    model.entities += GameObject.makeEntities() + [Stat.makeEntity()]
    return model
}

/// A store with two teams and a player, which keeps a history.
struct League {
    let container: NSPersistentContainer
    let context: NSManagedObjectContext
    let blues: Team
    let reds: Team
    let player: Player

    init(at url: URL) throws {
        container = NSPersistentContainer(name: "League", managedObjectModel: makeLeagueModel())
        try container.persistentStoreCoordinator.addPersistentStore(
            type: .sqlite, at: url, options: [NSPersistentHistoryTrackingKey: true as NSNumber])
        context = container.newBackgroundContext()
        (blues, reds) = (Team(context: context), Team(context: context))
        player = Player(context: context)
        (blues.name, reds.name, player.team, player.score) = ("Blues", "Reds", blues, 12)
        try context.save()
    }
}
