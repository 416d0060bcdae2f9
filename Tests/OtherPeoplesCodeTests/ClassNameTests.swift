// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

/// A class of a name that a helper inside the library happens to have.
final class Overriding: NSManagedObject {
    @Managed var x: Double
}

@Suite struct ClassNameTests {
    @Test func a_bare_name_means_the_programs_class() throws {
        let entity = NSEntityDescription()
        entity.name = "Overriding"
        entity.managedObjectClassName = "Overriding"
        let x = NSAttributeDescription()
        x.name = "x"
        x.attributeType = .doubleAttributeType
        entity.properties = [x]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let object = NSEntityDescription.insertNewObject(
                forEntityName: "Overriding", into: context)
            let typed = try #require(object as? Overriding)
            typed.x = 1.5
            try context.save()
            #expect(object.value(forKey: "x") as? Double == 1.5)
        }
    }
}
