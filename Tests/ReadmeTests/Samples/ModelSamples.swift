// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Samples about models and the stack.
enum ModelSamples {
    static func entity() -> NSEntityDescription {
        // SAMPLE: NSEntityDescription.swift
        let team = NSEntityDescription(name: "Team", managedObjectClass: Team.self)
        team.properties = [NSAttributeDescription(name: "name", type: .string, isOptional: false)]
        team.uniquenessConstraints = [["name"]]
        // SAMPLE: end
        return team
    }

    static func attribute(_ player: NSEntityDescription) {
        // SAMPLE: NSAttributeDescription.swift
        let score = NSAttributeDescription(name: "score", type: .integer32, defaultValue: 0)
        score.validationRules = [.minimum(0), .maximum(100)]
        player.properties.append(score)
        // SAMPLE: end

        // SAMPLE: NSFetchIndexDescription.swift
        player.indexes = [NSFetchIndexDescription(name: "byScore", properties: [score])]
        // SAMPLE: end
    }

    static func indexes(
        _ book: NSEntityDescription, _ year: NSAttributeDescription, _ title: NSAttributeDescription
    ) {
        // SAMPLE: Fetching.md
        let byYear = NSFetchIndexDescription(name: "byYear", properties: [year, title])
        byYear.elements[0].isAscending = false  // year descending, title ascending
        book.indexes.append(byYear)
        // SAMPLE: end

        // SAMPLE: Fetching.md
        let unread = NSFetchIndexDescription(name: "unread", properties: [year])
        unread.partialIndexPredicate = NSPredicate(format: "isRead == NO AND year > 1900")
        book.indexes.append(unread)
        // SAMPLE: end
    }

    static func relationship(_ team: NSEntityDescription, _ player: NSEntityDescription) {
        // SAMPLE: NSRelationshipDescription.swift
        let players = NSRelationshipDescription(
            name: "players", destination: player, deleteRule: .cascadeDeleteRule)
        team.properties.append(players)
        player.properties.append(
            NSRelationshipDescription(
                name: "team", destination: team, maxCount: 1, inverse: players))
        // SAMPLE: end
    }

    static func initialisers(_ player: NSEntityDescription, _ team: NSEntityDescription) {
        func describe() -> [NSRelationshipDescription] {
            // SAMPLE: ModelInitialisers.swift
            let players = NSRelationshipDescription(name: "players", destination: player)
            let owner = NSRelationshipDescription(
                name: "team", destination: team, maxCount: 1, inverse: players)
            // SAMPLE: end
            return [players, owner]
        }
        _ = describe()
    }

    static func rules(_ age: NSAttributeDescription, _ code: NSAttributeDescription) {
        // SAMPLE: ValidationRule.swift
        age.validationRules = [.minimum(0), .maximum(150)]
        code.validationRules = [.minimumLength(2), .pattern("[A-Z]+")]
        // SAMPLE: end
    }

    static func fetchedProperty(_ player: NSEntityDescription) {
        // SAMPLE: NSFetchedPropertyDescription.swift
        let equals = NSFetchedPropertyDescription()
        equals.name = "equals"
        equals.fetchRequest = NSFetchRequest(entityName: "Player")
        equals.fetchRequest?.predicate = NSPredicate(format: "score == $FETCH_SOURCE.score")
        player.properties.append(equals)
        // SAMPLE: end
    }

    static func model(_ team: NSEntityDescription, _ player: NSEntityDescription, _ url: URL) throws
    {
        // SAMPLE: NSManagedObjectModel.swift
        let model = NSManagedObjectModel(entities: [team, player])
        let kept = try NSManagedObjectModel.stored(at: url)  // the one that a file has
        print(model.entityVersionHashesByName == kept.entityVersionHashesByName)
        // SAMPLE: end
    }

    static func container(_ model: NSManagedObjectModel, _ url: URL) -> NSManagedObjectContext {
        // SAMPLE: NSPersistentContainer.swift
        let container = NSPersistentContainer(name: "League", managedObjectModel: model)
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        container.loadPersistentStores { description, error in
            if let error { print("\(description.url?.path ?? ""): \(error)") }
        }
        let context = container.newBackgroundContext()
        // SAMPLE: end
        return context
    }

    static func coordinator(
        _ model: NSManagedObjectModel, _ url: URL
    ) throws -> NSManagedObjectContext {
        // SAMPLE: NSPersistentStoreCoordinator.swift
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        // SAMPLE: end
        return context
    }

    static func description(_ container: NSPersistentContainer, _ url: URL) {
        // SAMPLE: NSPersistentStoreDescription.swift
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        container.persistentStoreDescriptions = [description]
        // SAMPLE: end
    }

    static func historyDescription(_ container: NSPersistentContainer, _ url: URL) {
        // SAMPLE: HistoryAndOtherProcesses.md
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        description.setOption(
            true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
        container.persistentStoreDescriptions = [description]
        // SAMPLE: end
    }

    static func stores(
        _ coordinator: NSPersistentStoreCoordinator, _ userFile: URL, _ shippedFile: URL
    ) throws -> [Book] {
        // SAMPLE: Stores.md
        let options = [NSReadOnlyPersistentStoreOption: true as NSNumber]
        let userStore = try coordinator.addPersistentStore(type: .sqlite, at: userFile)
        try coordinator.addPersistentStore(type: .sqlite, at: shippedFile, options: options)

        let request = NSFetchRequest<Book>(entityName: "Book")
        request.affectedStores = [userStore]  // one of them only
        // SAMPLE: end
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        return try context.fetch(request)
    }

    static func backUp(_ model: NSManagedObjectModel, _ url: URL, to backup: URL) throws {
        // SAMPLE: Stores.md
        let copying = NSPersistentStoreCoordinator(managedObjectModel: model)
        let open = try copying.addPersistentStore(
            type: .sqlite, at: url, options: [NSReadOnlyPersistentStoreOption: true])
        let saved = try copying.migratePersistentStore(open, to: backup, type: .sqlite)
        try copying.remove(saved)
        // SAMPLE: end
    }

    static func configurations(
        _ model: NSManagedObjectModel, _ coordinator: NSPersistentStoreCoordinator, notesFile: URL,
        book: NSEntityDescription, author: NSEntityDescription, note: NSEntityDescription
    ) throws {
        // SAMPLE: Stores.md
        model.setEntities([book, author], forConfigurationName: "Catalogue")
        model.setEntities([note], forConfigurationName: "Notes")
        try coordinator.addPersistentStore(type: .sqlite, configuration: "Notes", at: notesFile)
        // SAMPLE: end
    }
}
