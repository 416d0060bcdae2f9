// SPDX-License-Identifier: Apache-2.0

// The README's second program: the lines between the marks, at file scope and in a function, are
// the README's second Swift block. `ReadmeTests` compares them and runs the function.

// README: begin
import CoreData

final class Health: NSManagedObject {
    @Managed var points: Int32
}
struct Position: ValueComponent { var x, y: Float }
struct Velocity: ValueComponent { var x, y: Float }
// README: end

func runReadmeComponents() throws {
    // README: begin
    let health = NSEntityDescription(name: "Health", managedObjectClass: Health.self)
    health.properties = [NSAttributeDescription(name: "points", type: .integer32, defaultValue: 12)]
    let model = NSManagedObjectModel(entities: [health] + GameObject.makeEntities())
    let container = NSPersistentContainer(name: "World", managedObjectModel: model)
    try container.persistentStoreCoordinator.addPersistentStore(
        type: .sqlite, at: URL(fileURLWithPath: "world.lode"))
    let moc = container.viewContext
    let hero = GameObject.create(name: "Hero", moc: moc)
    try hero.addComponent(with: Health(context: moc), moc: moc)
    let world = try World(context: moc)
    world.add(Position(x: 0, y: 0), Velocity(x: 1, y: 2), to: try hero.id(in: world))
    world.query(Mut<Position>.self, Velocity.self).forEach { $0.x += $1.x / 60 }
    try moc.save()
    for hero in try GameObject.fetchAll(withComponentOfType: Health.self, moc: moc) {
        let health: Health? = try hero.getData()
        print("\(hero.name ?? "") has \(health?.points ?? 0) points")
    }
    // README: end
}
