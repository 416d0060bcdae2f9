// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Samples about requests of all kinds.
enum RequestSamples {
    static func columns(_ context: NSManagedObjectContext) throws -> [NSDictionary] {
        // SAMPLE: NSExpressionDescription.swift
        let total = NSExpressionDescription()
        total.name = "total"
        total.expression = NSExpression(
            forFunction: "sum:", arguments: [NSExpression(forKeyPath: "score")])
        total.resultType = .integer64

        let request = NSFetchRequest<NSDictionary>(entityName: "Player")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [total]
        let sums = try context.fetch(request)  // one dictionary: ["total": …]
        // SAMPLE: end
        return sums
    }

    static func expression(_ player: Player) {
        // SAMPLE: NSExpression+Making.swift
        let twice = NSExpression(
            forFunction: "multiply:by:", arguments: [NSExpression(forKeyPath: "score"), 2])
        print(twice.expressionValue(with: player, context: nil) ?? 0)
        // SAMPLE: end
    }

    static func insertBatch(_ context: NSManagedObjectContext) throws {
        // SAMPLE: NSBatchInsertRequest.swift
        let request = NSBatchInsertRequest(
            entityName: "Team", objects: [["name": "Greens"], ["name": "Whites"]])
        request.resultType = .count
        let result = try context.execute(request) as? NSBatchInsertResult
        print(result?.result ?? 0)
        // SAMPLE: end
    }

    static func updateBatch(_ context: NSManagedObjectContext) throws {
        // SAMPLE: NSBatchUpdateRequest.swift
        let request = NSBatchUpdateRequest(entityName: "Player")
        request.predicate = NSPredicate(format: "score < 0")
        request.propertiesToUpdate = ["score": 0]
        try context.execute(request)
        // SAMPLE: end
    }

    static func deleteBatch(_ context: NSManagedObjectContext) throws {
        // SAMPLE: NSBatchDeleteRequest.swift
        let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Player")
        fetch.predicate = NSPredicate(format: "team == nil")
        try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
        // SAMPLE: end
    }

    static func batches(
        _ context: NSManagedObjectContext, _ list: [(title: String, year: Int32)],
        _ fetch: NSFetchRequest<any NSFetchRequestResult>
    ) throws -> [NSBatchInsertResult?] {
        var rows = list.makeIterator()
        // SAMPLE: BatchRequests.md
        let insert = NSBatchInsertRequest(entityName: "Book") { (object: NSManagedObject) in
            guard let row = rows.next(), let book = object as? Book else { return true }
            book.title = row.title
            return false
        }
        insert.resultType = .objectIDs
        let result = try context.execute(insert) as? NSBatchInsertResult
        // SAMPLE: end

        func deleteAll() throws {
            // SAMPLE: BatchRequests.md
            let delete = NSBatchDeleteRequest(fetchRequest: fetch)
            delete.resultType = .resultTypeObjectIDs
            let result = try context.execute(delete) as? NSBatchDeleteResult
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSDeletedObjectsKey: result?.result ?? []], into: [context])
            // SAMPLE: end
        }
        try deleteAll()
        return [result]
    }

    static func laterFetch(_ context: NSManagedObjectContext) throws {
        // SAMPLE: NSAsynchronousFetchRequest.swift
        let request = NSAsynchronousFetchRequest(
            fetchRequest: NSFetchRequest<Player>(entityName: "Player")
        ) { result in
            print(result.finalResult?.count ?? 0)
        }
        try context.execute(request)
        // SAMPLE: end
    }

    static func history(
        _ context: NSManagedObjectContext, _ token: NSPersistentHistoryToken?
    ) throws {
        // SAMPLE: NSPersistentHistoryChangeRequest.swift
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
            print(transaction.author ?? "", transaction.changes?.count ?? 0)
        }
        // SAMPLE: end
    }

    static func mergeHistory(
        _ context: NSManagedObjectContext, _ lastToken: inout NSPersistentHistoryToken?
    ) throws {
        // SAMPLE: HistoryAndOtherProcesses.md
        let request = NSPersistentHistoryChangeRequest.fetchHistory(after: lastToken)
        let result = try context.execute(request) as? NSPersistentHistoryResult
        for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
            guard transaction.author != "app" else { continue }
            context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
            lastToken = transaction.token
        }
        // SAMPLE: end
    }

    static func pruneHistory(
        _ context: NSManagedObjectContext
    ) throws -> NSPersistentHistoryChangeRequest {
        // SAMPLE: HistoryAndOtherProcesses.md
        let fetch = NSPersistentHistoryTransaction.fetchRequest!
        fetch.predicate = NSPredicate(format: "author != %@", "app")
        let others = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        // SAMPLE: end

        // SAMPLE: HistoryAndOtherProcesses.md
        let week = Date(timeIntervalSinceNow: -7 * 86_400)
        try context.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: week))
        // SAMPLE: end
        return others
    }

    static func observe(_ coordinator: NSPersistentStoreCoordinator) -> any NSObjectProtocol {
        // SAMPLE: HistoryAndOtherProcesses.md
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { notification in
            let newest = notification.userInfo?[NSPersistentHistoryTokenKey]
            if let token = newest as? NSPersistentHistoryToken { print(token) }
        }
        // SAMPLE: end
        return observer
    }

    static func controller(
        _ context: NSManagedObjectContext, _ list: any NSFetchedResultsControllerDelegate
    ) throws {
        // SAMPLE: NSFetchedResultsController.swift
        let request = NSFetchRequest<Player>(entityName: "Player")
        request.sortDescriptors = [NSSortDescriptor(key: "score", ascending: false)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
            cacheName: nil)
        controller.delegate = list  // is told of what changes from now on
        try controller.performFetch()
        print(controller.fetchedObjects?.first?.score ?? 0)
        // SAMPLE: end
    }

    static func films(
        _ container: NSPersistentContainer, _ list: any NSFetchedResultsControllerDelegate
    ) throws {
        // SAMPLE: LiveResults.md
        let request = NSFetchRequest<Film>(entityName: "Film")
        request.sortDescriptors = [NSSortDescriptor(key: "episode", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: container.viewContext,
            sectionNameKeyPath: nil, cacheName: nil)
        controller.delegate = list
        try controller.performFetch()
        // SAMPLE: end
    }

    static func books(_ context: NSManagedObjectContext, _ prefix: String) throws -> [Book] {
        // SAMPLE: Fetching.md
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.predicate = NSPredicate(
            format: "year >= %d AND ANY authors.name BEGINSWITH[cd] %@", 1900, prefix)
        request.sortDescriptors = [
            NSSortDescriptor(key: "year", ascending: false),
            NSSortDescriptor(key: "title", ascending: true),
        ]
        request.fetchLimit = 20
        let books = try context.fetch(request)
        print(try context.explain(request))  // how it is answered: index, scan, sort
        // SAMPLE: end

        // SAMPLE: Fetching.md
        print(try context.explain(request, running: true))
        // SAMPLE: end

        // SAMPLE: Fetching.md
        context.scanLimit = 10_000
        // SAMPLE: end
        return books
    }

    static func inMemory(_ books: [Book], _ shelf: Shelf) {
        // SAMPLE: Fetching.md
        let old = NSPredicate(format: "year < $limit").withSubstitutionVariables(["limit": 1900])
        print(books.filter { old.evaluate(with: $0) })
        let byTitle = [NSSortDescriptor(key: "title", ascending: true)]
        print(NSArray(array: books).sortedArray(using: byTitle))
        print(NSSet(set: shelf.books).filtered(using: old))
        print(old.evaluate(with: ["year": 1851, "title": "Moby-Dick"]))
        // SAMPLE: end
    }

    static func compounds(_ other: NSPredicate) -> NSPredicate {
        // SAMPLE: Fetching.md
        func compare(
            _ key: String, _ type: NSComparisonPredicate.Operator, _ value: Any?
        ) -> NSPredicate {
            NSComparisonPredicate(
                leftExpression: NSExpression(forKeyPath: key),
                rightExpression: NSExpression(forConstantValue: value), modifier: .direct,
                type: type)
        }

        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
            compare("year", .greaterThanOrEqualTo, 1900),
            NSCompoundPredicate(notPredicateWithSubpredicate: other),
        ])
        // SAMPLE: end
        return both
    }

    static func comparison() {
        // SAMPLE: NSComparisonPredicate+Making.swift
        let named = NSComparisonPredicate(
            leftExpression: NSExpression(forKeyPath: "title"),
            rightExpression: NSExpression(forConstantValue: "the"), modifier: .direct,
            type: .beginsWith, options: .caseInsensitive)
        print(named)  // title BEGINSWITH[c] "the"
        // SAMPLE: end
    }

    static func nested(
        _ context: NSManagedObjectContext, _ request: NSFetchRequest<Book>,
        _ bestAuthors: NSFetchRequest<Author>
    ) {
        // SAMPLE: NSFetchRequestExpression.swift
        let best = NSFetchRequestExpression.expression(
            forFetch: NSExpression(forConstantValue: bestAuthors),
            context: NSExpression(forConstantValue: context), countOnly: false)
        request.predicate = NSPredicate(format: "author IN %@", best)
        // The same, written in the format:
        request.predicate = NSPredicate(
            format: "author IN FETCH(%@, %@, NO)", bestAuthors, context)
        // SAMPLE: end
    }
}

/// A walk over the parts of a predicate.
enum PredicateSamples {
    // SAMPLE: Fetching.md
    static func keys(_ predicate: NSPredicate) -> [String] {
        switch predicate {
        case let compound as NSCompoundPredicate: compound.subpredicates.flatMap(keys)
        case let comparison as NSComparisonPredicate
        where comparison.leftExpression.expressionType == .keyPath:
            [comparison.leftExpression.keyPath]
        default: []
        }
    }
    // SAMPLE: end
}
