// SPDX-License-Identifier: Apache-2.0

// The README's first program: the lines between the marks, at file scope and in a function, are
// the README's first Swift block. `ReadmeTests` compares them and runs the function.

// README: begin
import CoreData

final class Person: NSManagedObject {
    @Managed var name: String
    @Managed var boss: Person?
    @Managed var staff: Set<Person>
}
// README: end

func runReadmeProgram() throws {
    // README: begin
    let person = NSEntityDescription(name: "Person", managedObjectClass: Person.self)
    let staff = NSRelationshipDescription(name: "staff", destination: person)
    let boss = NSRelationshipDescription(
        name: "boss", destination: person, maxCount: 1, inverse: staff)
    person.properties = [NSAttributeDescription(name: "name", type: .string), boss, staff]
    let model = NSManagedObjectModel(entities: [person])
    let container = NSPersistentContainer(name: "Office", managedObjectModel: model)
    try container.persistentStoreCoordinator.addPersistentStore(
        type: .sqlite, at: URL(fileURLWithPath: "office.lode"))
    let moc = container.viewContext

    let (ada, bob) = (Person(context: moc), Person(context: moc))
    (ada.name, bob.name, bob.boss) = ("Ada", "Bob", ada)  // ada.staff has bob now
    try moc.save()
    let request = NSFetchRequest<Person>(entityName: "Person")
    request.predicate = NSPredicate(format: "boss.name == %@", "Ada")
    for person in try moc.fetch(request) { print("\(person.name) works for \(person.boss!.name)") }
    // README: end
}
