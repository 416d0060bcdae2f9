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
    let (team, player) = (NSEntityDescription(), NSEntityDescription())
    (team.name, team.managedObjectClassName) = ("Team", "Team")
    (player.name, player.managedObjectClassName) = ("Player", "Player")
    let (name, score) = (NSAttributeDescription(), NSAttributeDescription())
    (name.name, name.attributeType) = ("name", .stringAttributeType)
    (score.name, score.attributeType) = ("score", .integer32AttributeType)
    let (players, owner) = (NSRelationshipDescription(), NSRelationshipDescription())
    (players.name, players.destinationEntity) = ("players", player)
    (owner.name, owner.destinationEntity, owner.maxCount) = ("team", team, 1)
    (players.inverseRelationship, owner.inverseRelationship) = (owner, players)
    team.properties = [name, players]
    player.properties = [score, owner]

    let model = NSManagedObjectModel()
    model.entities = [team, player] + GameObject.makeEntities()
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
