// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Samples about contexts, objects and fetches.
enum ContextSamples {
    static func background(_ container: NSPersistentContainer) async throws {
        // SAMPLE: NSManagedObjectContext.swift
        let context = container.newBackgroundContext()
        try await context.perform {
            let team = Team(context: context)
            team.name = "Blues"
            try context.save()
        }
        // SAMPLE: end
    }

    static func waiting(_ context: NSManagedObjectContext) async throws -> [Int] {
        // SAMPLE: NSManagedObjectContext+Perform.swift
        let names = try context.performAndWait {
            try context.fetch(NSFetchRequest<Team>(entityName: "Team")).map(\.name)
        }
        // SAMPLE: end

        // SAMPLE: NSManagedObjectContext+Perform.swift
        let count = try await context.perform {
            try context.count(for: NSFetchRequest<Player>(entityName: "Player"))
        }
        // SAMPLE: end
        return [names.count, count]
    }

    static func save(_ context: NSManagedObjectContext) throws {
        // SAMPLE: NSManagedObjectContext.swift
        do {
            try context.save()
        } catch let error as CocoaError where error.code == .managedObjectMerge {
            context.rollback()  // others have changed the same objects
        }
        // SAMPLE: end
    }

    static func object(_ context: NSManagedObjectContext, _ blues: Team) throws {
        // SAMPLE: NSManagedObject.swift
        let player = Player(context: context)
        player.team = blues  // blues.players has the player now
        player.setValue(12, forKey: "score")  // as player.score = 12
        print(player.isInserted, player.changedValues())
        try context.save()
        // SAMPLE: end
    }

    static func identity(_ player: Player, _ other: NSManagedObjectContext) async throws {
        // SAMPLE: NSManagedObjectID.swift
        let id = player.objectID
        try await other.perform {
            let same = try other.existingObject(with: id) as? Player
            same?.score += 1
            try other.save()
        }
        // SAMPLE: end
    }

    static func snapshot(_ context: NSManagedObjectContext, _ player: Player) async -> Int? {
        // SAMPLE: ObjectSnapshot.swift
        let snapshot = await context.perform { player.snapshot() }
        let score: Int? = snapshot["score"]
        // SAMPLE: end
        return score
    }

    static func age(_ snapshot: ObjectSnapshot) -> Int? {
        // SAMPLE: ObjectSnapshot.swift
        let age: Int? = snapshot["age"]
        // SAMPLE: end
        return age
    }

    static func fetch(_ context: NSManagedObjectContext) throws -> [Player] {
        // SAMPLE: NSManagedObjectContext+Fetching.swift
        for team in try context.fetch(NSFetchRequest<Team>(entityName: "Team")) {
            print(team.name, team.players.count)
        }
        // SAMPLE: end

        // SAMPLE: NSFetchRequest.swift
        let request = NSFetchRequest<Player>(entityName: "Player")
        request.predicate = NSPredicate(format: "team.name == %@", "Blues")
        request.sortDescriptors = [NSSortDescriptor(key: "score", ascending: false)]
        request.fetchLimit = 3
        let best = try context.fetch(request)
        // SAMPLE: end

        // SAMPLE: NSSortDescriptor+Key.swift
        request.sortDescriptors = [
            NSSortDescriptor(key: "team.name", ascending: true),
            NSSortDescriptor(key: "score", ascending: false),
        ]
        // SAMPLE: end

        // SAMPLE: NSManagedObjectContext+Explaining.swift
        print(try context.explain(request))  // the index or the scan, the filter, the order
        // SAMPLE: end
        return best
    }

    static func predicates(
        _ request: NSFetchRequest<Player>, _ blues: Team, _ reds: Team
    ) throws -> [NSPredicate] {
        // SAMPLE: NSPredicate+Format.swift
        let good = NSPredicate(format: "score > %d AND team.name BEGINSWITH[c] %@", 10, "b")
        let theirs = NSPredicate(format: "%K IN %@", "team", [blues, reds])
        // SAMPLE: end

        // SAMPLE: NSPredicate+Format.swift
        let typed = try NSPredicate.parse("score BETWEEN {10, 20}")
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [theirs, typed])
        // SAMPLE: end
        return [good, theirs]
    }

    static func generations(
        _ context: NSManagedObjectContext, _ request: NSFetchRequest<Player>
    ) throws -> Bool {
        // SAMPLE: NSQueryGenerationToken.swift
        try context.setQueryGenerationFrom(.current)
        let players = try context.fetch(request)
        let count = try context.count(for: request)  // players.count, whatever others save
        try context.setQueryGenerationFrom(nil)
        // SAMPLE: end
        return players.count == count
    }

    static func policy(_ context: NSManagedObjectContext) throws {
        // SAMPLE: NSMergePolicy.swift
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try context.save()  // what was changed here stands; the rest comes from the store
        // SAMPLE: end
    }

    static func undo(_ context: NSManagedObjectContext, _ player: Player) {
        // SAMPLE: UndoManager.swift
        context.undoManager = UndoManager()
        player.score = 13
        context.processPendingChanges()
        context.undo()  // player.score is what it was
        // SAMPLE: end
    }

    static func quietImport(_ context: NSManagedObjectContext) {
        func importDefaults() {}
        // SAMPLE: ChangesAndUndo.md
        context.processPendingChanges()
        context.undoManager?.disableUndoRegistration()
        importDefaults()
        context.processPendingChanges()
        context.undoManager?.enableUndoRegistration()
        // SAMPLE: end
    }

    static func report(_ context: NSManagedObjectContext) throws -> Int {
        func makeReport(_ context: NSManagedObjectContext) throws -> Int {
            try context.count(for: NSFetchRequest<Player>(entityName: "Player"))
        }
        // SAMPLE: QueryGenerations.md
        try context.setQueryGenerationFrom(.current)
        let report = try makeReport(context)  // each fetch sees the same rows
        try context.setQueryGenerationFrom(nil)
        // SAMPLE: end
        return report
    }
}
