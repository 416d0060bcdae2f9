// SPDX-License-Identifier: Apache-2.0

// The README's second program: the lines between the marks, at file scope and in a function, are
// the README's second Swift block. `ReadmeTests` compares them and runs the function.

// README: begin
import CoreData

final class Health: NSManagedObject {
    @Managed var points: Int32
}
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

    try GameObject.create(name: "Hero", moc: moc).addComponent(with: Health(context: moc), moc: moc)
    try moc.save()
    for hero in try GameObject.fetchAll(withComponentOfType: Health.self, moc: moc) {
        let health: Health? = try hero.getData()
        print("\(hero.name ?? "") has \(health?.points ?? 0) points")
    }
    // README: end
}
