// SPDX-License-Identifier: Apache-2.0

import Lode

extension ForeignFile {
    /// Reads all that a program could, through typed properties and by name, then changes some.
    ///
    /// - Returns: How many values were met.
    /// - Throws: Whatever opening, or the first request, throws.
    static func use(_ url: URL, verify: String = "pages") throws -> Int {
        let container = try open(url, verify: verify)
        let model = try? NSManagedObjectModel.stored(at: url)
        var met = model?.entities.count ?? 0
        let context = container.newBackgroundContext()
        return try withExtendedLifetime(container) {
            try context.performAndWait {
                // Each part may fail by itself: the others are read all the same.
                let parts: [(NSManagedObjectContext, NSPersistentContainer) throws -> Int] = [
                    readThings, readHolders, readOthers, readByName, query, readHistory,
                    readSizes, change,
                ]
                var failure: (any Error)?
                for part in parts {
                    do { met += try part(context, container) } catch { failure = error }
                }
                if let failure { throw failure }
                return met
            }
        }
    }

    private static func all<Object: NSManagedObject>(
        _ name: String, _ context: NSManagedObjectContext, _ type: Object.Type = Object.self
    ) throws -> [Object] {
        try context.fetch(NSFetchRequest<Object>(entityName: name))
    }

    private static func readThings(
        _ context: NSManagedObjectContext, _: NSPersistentContainer
    ) throws -> Int {
        var met = 0
        for thing in try all("Thing", context, Thing.self) {
            met += thing.name.utf8.count + Int(thing.short & 1) + Int(thing.medium & 1)
            met += thing.long & 1 == 0 ? 1 : 0
            met += thing.real.isFinite && thing.single.isFinite && thing.flag ? 1 : 0
            met += "\(thing.price ?? 0)".count
            met += thing.day.map { $0.timeIntervalSinceReferenceDate.isNaN ? 0 : 1 } ?? 0
            met += (thing.picture?.count ?? 0) + (thing.note?.count ?? 0)
            met += thing.id?.uuidString.count ?? 0
            met += thing.site?.absoluteString.count ?? 0
            met += thing.holder?.name.count ?? 0
            met += thing.next?.next?.name.count ?? 0
            met += thing.tags.reduce(0) { $0 + $1.name.count }
            met += thing.shownBy.count
            met += (thing as? SpecialThing)?.extra?.count ?? 0
            met += thing.objectID.uriRepresentation().absoluteString.count
        }
        return met
    }

    private static func readHolders(
        _ context: NSManagedObjectContext, _: NSPersistentContainer
    ) throws -> Int {
        var met = 0
        for holder in try all("Holder", context, Holder.self) {
            met += holder.name.count + holder.things.count
            met += holder.shown.reduce(0) { $0 + Int($1.short & 1) }
            met += holder.things.reduce(0) { $0 + $1.name.count }
        }
        return met
    }

    private static func readOthers(
        _ context: NSManagedObjectContext, _: NSPersistentContainer
    ) throws -> Int {
        var met = 0
        for tag in try all("Tag", context, Tag.self) {
            met += tag.name.count + tag.things.count
            met += try GameObject.fetch(data: tag, moc: context)?.name?.count ?? 0
        }
        for object in try all("GameObject", context, GameObject.self) {
            met += object.name?.count ?? 0
            met += try object.getData().count
            met += try object.getData(ofType: Thing.self).reduce(0) { $0 + $1.name.count }
        }
        met += try GameObject.fetchAll(withComponentOfType: Tag.self, moc: context).count
        return met
    }

    /// Values of all properties by name, through a child as well.
    private static func readByName(
        _ context: NSManagedObjectContext, _: NSPersistentContainer
    ) throws -> Int {
        var met = 0
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = context
        for reader in [context, child] {
            try reader.performAndWait {
                for name in ["Thing", "Holder", "Tag", "GameObject", "Component"] {
                    for object in try all(name, reader, NSManagedObject.self).prefix(60) {
                        let names = object.entity.properties.map(\.name)
                        met += object.dictionaryWithValues(forKeys: names).count
                        for case let relationship as NSRelationshipDescription
                            in object.entity.properties
                        {
                            met += object.objectIDs(forRelationshipNamed: relationship.name).count
                        }
                        met += object.description.count
                    }
                }
            }
        }
        return met
    }

    private static func query(
        _ context: NSManagedObjectContext, _: NSPersistentContainer
    ) throws -> Int {
        var met = 0
        for format in [
            "medium > 3 AND medium < 9", "name BEGINSWITH 'n1'", "name == 'n7'", "price > 3",
            "holder.name == 'holder 0'", "ANY tags.name CONTAINS '1'", "next.next.short > 4",
            "ANY shownBy.things.real > 2", "tags.@count > 1", "name MATCHES 'n[0-9]+'",
            "day > CAST(3, 'NSDate')", "id != NULL AND NOT flag == YES", "picture == NULL",
            "link != NULL", "SUBQUERY(tags, $t, $t.name == 'tag 1').@count > 0",
        ] {
            let request = NSFetchRequest<Thing>(entityName: "Thing")
            request.predicate = NSPredicate(format: format)
            met += (try? context.fetch(request).count) ?? 0
        }
        for key in [
            "name", "-medium", "price", "day", "real", "holder.name", "id", "long", "site",
        ] {
            let request = NSFetchRequest<Thing>(entityName: "Thing")
            request.sortDescriptors = [
                NSSortDescriptor(
                    key: key.hasPrefix("-") ? String(key.dropFirst()) : key,
                    ascending: !key.hasPrefix("-"))
            ]
            request.fetchLimit = key == "name" ? 0 : 40
            met += (try? context.fetch(request).count) ?? 0
        }
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Thing")
        ids.resultType = .managedObjectIDResultType
        ids.predicate = NSPredicate(format: "medium >= 0")
        for id in try context.fetch(ids).prefix(30) {
            met += (try? context.existingObject(with: id).entity.name?.count) ?? 0
        }
        let sums = NSFetchRequest<NSDictionary>(entityName: "Thing")
        sums.resultType = .dictionaryResultType
        sums.propertiesToFetch = ["name", "price", "day", "holder"]
        met += try context.fetch(sums).count
        return met + (try context.count(for: NSFetchRequest<Thing>(entityName: "Thing")))
    }

    private static func readHistory(
        _ context: NSManagedObjectContext, _: NSPersistentContainer
    ) throws -> Int {
        let request = NSPersistentHistoryChangeRequest.fetchHistory(
            after: nil as NSPersistentHistoryToken?)
        request.resultType = .transactionsAndChanges
        let result = try context.execute(request) as? NSPersistentHistoryResult
        var met = 0
        for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
            met += transaction.author?.count ?? 0
            for change in transaction.changes ?? [] {
                met += (change.tombstone?.count ?? 0) + (change.updatedProperties?.count ?? 0)
                met += change.changedObjectID.uriRepresentation().absoluteString.count
            }
        }
        for date in [0, 1e9, Double.greatestFiniteMagnitude] {
            let later = NSPersistentHistoryChangeRequest.fetchHistory(
                after: Date(timeIntervalSinceReferenceDate: date))
            later.resultType = .count
            let count = try context.execute(later) as? NSPersistentHistoryResult
            met += count?.result as? Int ?? 0
        }
        return met
    }

    private static func readSizes(
        _: NSManagedObjectContext, _ container: NSPersistentContainer
    ) throws -> Int {
        try container.persistentStoreCoordinator.persistentStores.reduce(0) {
            let tables = try $1.statistics().tables
            return $0 + $1.metadata.count + tables.reduce(0) { $0 &+ $1.bytes &+ $1.entries }
        }
    }

    /// Writes: what was read is written back, and the free list is used.
    private static func change(
        _ context: NSManagedObjectContext, _: NSPersistentContainer
    ) throws -> Int {
        for step in 0..<4 {
            let things = try all("Thing", context, Thing.self)
            for (index, thing) in things.enumerated() where index % 7 == step {
                switch step {
                case 0:
                    thing.name += "!"
                    thing.picture = Data(repeating: 1, count: 5_000)
                case 1:
                    thing.holder = things.first?.holder
                    thing.next = nil
                case 2: context.delete(thing)
                default: thing.tags = []
                }
            }
            if step == 3 {
                for holder in try all("Holder", context, Holder.self) {
                    holder.shown = Array(holder.shown.reversed().prefix(50))
                }
                for number in 0..<50 {
                    let thing = Thing(context: context)
                    thing.name = "new \(number)"
                    thing.tags = Set(try all("Tag", context, Tag.self).prefix(2))
                }
            }
            do { try context.save() } catch {
                context.rollback()
                throw error
            }
        }
        let purge = NSPersistentHistoryChangeRequest.deleteHistory(before: Date())
        try context.execute(purge)
        return 1
    }
}
