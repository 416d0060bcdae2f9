// SPDX-License-Identifier: Apache-2.0

import CoreData

/// The samples of the articles Getting started, Game objects and components, and Properties.
enum ArticleSamples {
    static func load(_ model: NSManagedObjectModel, _ url: URL) -> NSPersistentContainer {
        // SAMPLE: GettingStarted.md
        let container = NSPersistentContainer(name: "League", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        container.loadPersistentStores { description, error in
            if let error { print("\(description.url?.path ?? ""): \(error)") }
        }
        // SAMPLE: end
        return container
    }

    static func work(_ container: NSPersistentContainer) throws {
        // SAMPLE: GettingStarted.md
        let moc = container.viewContext
        let blues = Team(context: moc)
        blues.name = "Blues"
        let ada = Player(context: moc)
        ada.team = blues  // blues.players has ada now
        try moc.save()
        // SAMPLE: end

        // SAMPLE: GettingStarted.md
        let request = NSFetchRequest<Player>(entityName: "Player")
        request.predicate = NSPredicate(format: "score > %d AND team.name == %@", 10, "Blues")
        request.sortDescriptors = [NSSortDescriptor(key: "score", ascending: false)]
        request.fetchLimit = 10
        for player in try moc.fetch(request) { print(player.team?.name ?? "", player.score) }
        // SAMPLE: end
    }

    static func model() -> NSManagedObjectModel {
        // SAMPLE: GameObjects.md
        let model = NSManagedObjectModel()
        model.entities = GameObject.makeEntities() + [Stat.makeEntity()]
        // SAMPLE: end
        return model
    }

    static func components(_ moc: NSManagedObjectContext) throws {
        // SAMPLE: GameObjects.md
        let hero = GameObject.create(name: "Hero", moc: moc)
        let strength = Stat.create(kind: "strength", value: 12, moc: moc)
        try hero.addComponent(with: strength, moc: moc)
        try moc.save()

        try hero.removeComponent(with: strength)  // deletes the stat too
        try hero.removeComponent(with: strength, deletingData: false)  // keeps it
        // SAMPLE: end
    }

    static func manyComponents(_ hero: GameObject, _ moc: NSManagedObjectContext) throws {
        // SAMPLE: GameObjects.md
        let stats = ["dexterity", "wisdom"].map { Stat.create(kind: $0, value: 8, moc: moc) }
        try hero.addComponents(with: stats, moc: moc)
        // SAMPLE: end
    }

    static func rules() -> [NSAttributeDescription] {
        // SAMPLE: Properties.md
        let age = NSAttributeDescription()
        age.name = "age"
        age.type = .integer16
        age.defaultValue = 18
        age.validationRules = [.minimum(0), .maximum(150)]

        let code = NSAttributeDescription()
        code.name = "code"
        code.type = .string
        code.isOptional = false
        code.validationRules = [.minimumLength(2), .maximumLength(8), .pattern("[A-Z]+")]

        let born = NSAttributeDescription()
        born.name = "born"
        born.type = .date
        born.validationRules = [.earliest(Date(timeIntervalSince1970: 0))]
        // SAMPLE: end
        return [age, code, born]
    }

    static func transformer(_ place: NSAttributeDescription) {
        // SAMPLE: Properties.md
        final class PlaceTransformer: ValueTransformer {
            override class func transformedValueClass() -> AnyClass { NSData.self }
            override class func allowsReverseTransformation() -> Bool { true }

            override func transformedValue(_ value: Any?) -> Any? {
                (value as? Place).flatMap { try? JSONEncoder().encode($0) }
            }

            override func reverseTransformedValue(_ value: Any?) -> Any? {
                (value as? Data).flatMap { try? JSONDecoder().decode(Place.self, from: $0) }
            }
        }

        ValueTransformer.setValueTransformer(
            PlaceTransformer(), forName: NSValueTransformerName("PlaceTransformer"))
        place.type = .transformable
        place.valueTransformerName = "PlaceTransformer"
        // SAMPLE: end
    }
}

// SAMPLE: GameObjects.md
func regenerate(_ moc: NSManagedObjectContext) throws {
    for object in try GameObject.fetchAll(withComponentOfType: Stat.self, moc: moc) {
        for stat in try object.getData(ofType: Stat.self) where stat.kind == "health" {
            stat.value = min(stat.value + 1, 100)
        }
    }
    try moc.save()
}
// SAMPLE: end

struct Place: Codable {
    var latitude = 0.0
    var longitude = 0.0
}

/// The classes of the article Properties; a name of their own keeps them apart from others.
enum PropertiesArticle {
    // SAMPLE: Properties.md
    enum Priority: Int16 { case low, normal, high }

    final class Task: NSManagedObject {
        @Managed var title: String
        @Managed var priority: Priority
        @Managed var price: NSDecimalNumber?
        @Managed var place: Place?  // transformable
        @Managed var parts: Set<Task>
        @Managed var whole: Task?
    }
    // SAMPLE: end
}
