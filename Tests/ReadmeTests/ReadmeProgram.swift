// SPDX-License-Identifier: Apache-2.0

// The README's program: the lines between the marks, at file scope and in a function, are the
// README's first Swift block. `ReadmeTests` compares them and runs the function.

// README: begin
import CoreData

final class Team: NSManagedObject {
    @Managed var name: String
    @Managed var players: Set<Player>
}

final class Player: NSManagedObject {
    @Managed var score: Int32
    @Managed var team: Team?
}
// README: end

func runReadmeProgram() throws {
    // README: begin
    let team = NSEntityDescription(name: "Team", managedObjectClass: Team.self)
    let player = NSEntityDescription(name: "Player", managedObjectClass: Player.self)
    let players = NSRelationshipDescription(name: "players", destination: player)
    team.properties = [NSAttributeDescription(name: "name", type: .string), players]
    player.properties = [
        NSAttributeDescription(name: "score", type: .integer32),
        NSRelationshipDescription(name: "team", destination: team, maxCount: 1, inverse: players),
    ]

    let model = NSManagedObjectModel(entities: [team, player] + GameObject.makeEntities())
    let container = NSPersistentContainer(name: "League", managedObjectModel: model)
    try container.persistentStoreCoordinator.addPersistentStore(
        type: .sqlite, at: URL(fileURLWithPath: "league.lode"))
    let moc = container.viewContext

    let (blues, ada) = (Team(context: moc), Player(context: moc))
    blues.name = "Blues"
    (ada.score, ada.team) = (12, blues)
    try GameObject.create(name: "Ada", moc: moc).addComponent(with: ada, moc: moc)
    try moc.save()

    let request = NSFetchRequest<Player>(entityName: "Player")
    request.predicate = NSPredicate(format: "score > %d AND team.name BEGINSWITH %@", 10, "B")
    for player in try moc.fetch(request) {
        let name = try GameObject.fetch(data: player, moc: moc)?.name ?? "nobody"
        print("\(name) scored \(player.score) for the \(player.team?.name ?? "nobody")")
    }
    // README: end
}
