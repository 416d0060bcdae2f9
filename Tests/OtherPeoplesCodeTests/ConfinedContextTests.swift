// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

/// Code from before contexts had queues.
@Suite struct ConfinedContextTests {
    @available(*, deprecated)
    private func makeContext(_ container: NSPersistentContainer) -> NSManagedObjectContext {
        let context = NSManagedObjectContext()
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
        return context
    }

    @available(*, deprecated)
    @Test func is_used_on_the_thread_that_made_it() throws {
        let container = NSPersistentContainer.inMemory()
        let context = makeContext(container)
        #expect(context.concurrencyType.rawValue == 0)
        let entity = try #require(NSEntityDescription.entity(forEntityName: "Author", in: context))
        let author = NSManagedObject(entity: entity, insertInto: context)
        author.setValue("Ann", forKeyPath: "name")
        try context.save()
        #expect((author as? Author)?.name == "Ann")
        let people = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author"))
        #expect(people.map { $0.value(forKeyPath: "name") as? String } == ["Ann"])
    }
}
