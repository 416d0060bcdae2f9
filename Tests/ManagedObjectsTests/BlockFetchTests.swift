// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Makes a controller follow its context.
private final class SilentDelegate: NSObject, NSFetchedResultsControllerDelegate {}

/// Blocks and comparators in fetches: stores in memory evaluate them, files do not.
@Suite struct BlockFetchTests {
    init() { PropertyListStore.register() }

    private static let names = ["books.memory", "books.plist"]

    /// Books of the years 1 to 6, the odd ones by Austen; saved.
    private func filled(
        _ folder: StoreFolder, _ name: String, _ configuration: String? = "Catalogue"
    ) throws -> NSManagedObjectContext {
        let context = try folder.open([(name, configuration)])
        let austen = context.make("Author", ["name": "Austen"])
        for year in 1...6 {
            let book = context.make("Book", ["title": "B\(year)", "year": year])
            if year % 2 == 1 { book.setValue(austen, forKey: "author") }
        }
        try context.save()
        return context
    }

    private static func isBeyond(_ year: Int) -> NSPredicate {
        NSPredicate { object, _ in
            ((object as? NSManagedObject)?.value(forKey: "year") as? Int ?? 0) > year
        }
    }

    private func makeRequest(
        _ predicate: NSPredicate?,
        _ order: [NSSortDescriptor] = [.init(key: "year", ascending: true)]
    ) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = predicate
        request.sortDescriptors = order
        return request
    }

    private func titles(
        _ context: NSManagedObjectContext, _ predicate: NSPredicate
    ) throws -> [String] {
        try context.fetch(makeRequest(predicate)).map { $0.text("title") }
    }

    @Test(arguments: names) func blocks_are_evaluated(name: String) throws {
        let folder = try StoreFolder()
        let context = try filled(folder, name)
        let block = Self.isBeyond(3)
        #expect(try titles(context, block) == ["B4", "B5", "B6"])
        let isOdd = NSPredicate(format: "author.name == 'Austen'")
        #expect(
            try titles(context, NSCompoundPredicate(andPredicateWithSubpredicates: [block, isOdd]))
                == ["B5"])
        #expect(
            try titles(context, NSCompoundPredicate(orPredicateWithSubpredicates: [block, isOdd]))
                == ["B1", "B3", "B4", "B5", "B6"])
        let isNot = NSCompoundPredicate(notPredicateWithSubpredicate: block)
        #expect(try titles(context, isNot) == ["B1", "B2", "B3"])
        #expect(
            try titles(context, NSCompoundPredicate(andPredicateWithSubpredicates: [isNot, isOdd]))
                == ["B1", "B3"])
        let neither = NSCompoundPredicate(
            notPredicateWithSubpredicate: NSCompoundPredicate(
                orPredicateWithSubpredicates: [block, isOdd]))
        #expect(try titles(context, neither) == ["B2"])
        let other = folder.makeContext()
        #expect(try other.performAndWait { try titles(other, block) } == ["B4", "B5", "B6"])
    }

    @Test(arguments: names) func counts_limits_and_offsets_come_after_blocks(name: String) throws {
        let context = try filled(StoreFolder(), name)
        let request = makeRequest(Self.isBeyond(2))
        #expect(try context.count(for: request) == 4)
        request.fetchLimit = 2
        request.fetchOffset = 1
        #expect(try context.fetch(request).map { $0.text("title") } == ["B4", "B5"])
        #expect(try context.count(for: request) == 2)
        request.fetchOffset = 9
        #expect(try context.fetch(request) == [])
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
        ids.resultType = .managedObjectIDResultType
        ids.predicate = Self.isBeyond(5)
        #expect(try context.fetch(ids).map(\.entity.name) == ["Book"])
    }

    @Test(arguments: names) func unsaved_changes_count(name: String) throws {
        let context = try filled(StoreFolder(), name)
        let block = Self.isBeyond(4)
        let books = try context.fetch(makeRequest(nil))
        books[0].setValue(10, forKey: "year")
        books[4].setValue(0, forKey: "year")
        context.delete(books[5])
        context.make("Book", ["title": "new", "year": 7])
        #expect(try titles(context, block) == ["new", "B1"])
        #expect(try context.count(for: makeRequest(block)) == 2)
        let child = Stack.child(of: context)
        try child.performAndWait {
            #expect(try titles(child, block) == ["new", "B1"])
            child.make("Book", ["title": "newer", "year": 8])
            try child.fetch(makeRequest(block))[0].setValue(1, forKey: "year")
            #expect(try titles(child, block) == ["newer", "B1"])
        }
        #expect(try titles(context, block) == ["new", "B1"])
        try context.save()
        #expect(try titles(context, block) == ["new", "B1"])
    }

    /// A block gets the objects of the context that fetches, on its queue.
    @Test func blocks_get_the_objects_of_the_context() throws {
        let context = try filled(StoreFolder(), "books.memory")
        let child = Stack.child(of: context)
        for place in [context, child] {
            let isOwn = NSPredicate { object, bindings in
                (object as? NSManagedObject)?.managedObjectContext === place && bindings == nil
            }
            let count = try place.performAndWait { try place.count(for: makeRequest(isOwn)) }
            #expect(count == 6)
        }
    }

    @Test(arguments: names) func comparators_are_called(name: String) throws {
        let context = try filled(StoreFolder(), name)
        let byRest = NSSortDescriptor(key: "year", ascending: true) { left, right in
            let (a, b) = ((left as? Int ?? 0) % 3, (right as? Int ?? 0) % 3)
            return a < b ? .orderedAscending : a == b ? .orderedSame : .orderedDescending
        }
        let byYear = NSSortDescriptor(key: "year", ascending: false)
        let request = makeRequest(nil, [byRest, byYear])
        #expect(
            try context.fetch(request).map { $0.text("title") }
                == ["B6", "B3", "B4", "B1", "B5", "B2"])
        request.fetchLimit = 3
        #expect(try context.fetch(request).map { $0.text("title") } == ["B6", "B3", "B4"])
        #expect(try context.count(for: request) == 3)
        request.predicate = Self.isBeyond(3)
        context.make("Book", ["title": "new", "year": 9])
        #expect(try context.fetch(request).map { $0.text("title") } == ["new", "B6", "B4"])
        request.sortDescriptors = [byYear, byRest]
        request.predicate = NSPredicate(format: "year < 3")
        #expect(try context.fetch(request).map { $0.text("title") } == ["B2", "B1"])
    }

    @Test func blocks_of_expressions_are_called() throws {
        let context = try filled(StoreFolder(), "books.memory")
        let double = NSExpression(
            block: { object, arguments, _ in
                (arguments[0] as? Int ?? 0) * ((object as? NSManagedObject)?.number("year") ?? 0)
            }, arguments: [NSExpression(forConstantValue: 2)])
        let predicate = NSPredicate(format: "%@ == 8 AND title BEGINSWITH 'B'", double)
        #expect(try titles(context, predicate) == ["B4"])
    }

    @Test func mistakes_are_thrown() throws {
        let context = try filled(StoreFolder(), "books.memory")
        let block = Self.isBeyond(0)
        for format in ["nmae == 1", "year == 'x'", "title MATCHES '('"] {
            let wrong = NSPredicate(format: format)
            let both = NSCompoundPredicate(andPredicateWithSubpredicates: [block, wrong])
            #expect(code { _ = try titles(context, both) } == 134_070, "\(format)")
        }
        let bad = NSCompoundPredicate(orPredicateWithSubpredicates: [
            NSCompoundPredicate(notPredicateWithSubpredicate: block),
            NSPredicate(format: "title MATCHES '('"),
        ])
        #expect(code { _ = try titles(context, bad) } == 134_070)
        for key in ["nmae", "author.nmae"] {
            let order = NSSortDescriptor(key: key, ascending: true) { _, _ in .orderedSame }
            #expect(code { _ = try context.fetch(makeRequest(nil, [order])) } == 134_070)
        }
        let saved = makeRequest(block)
        saved.includesPendingChanges = false
        #expect(code { _ = try context.fetch(saved) } == 134_070)
    }

    private func rows(
        _ context: NSManagedObjectContext, _ predicate: NSPredicate, _ columns: [Any],
        _ change: (NSFetchRequest<NSDictionary>) -> Void = { _ in }
    ) throws -> [String] {
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.resultType = .dictionaryResultType
        request.predicate = predicate
        request.propertiesToFetch = columns
        request.sortDescriptors = [NSSortDescriptor(key: "year", ascending: false)]
        change(request)
        return try context.fetch(request).map { row in
            row.allKeys.map { "\($0)" }.sorted().map { "\(row[$0] ?? "nil")" }
                .joined(separator: " ")
        }
    }

    @Test(arguments: names) func dictionaries_are_of_what_blocks_take(name: String) throws {
        let context = try filled(StoreFolder(), name)
        let block = Self.isBeyond(2)
        let count = NSExpressionDescription()
        count.name = "count"
        count.expression = NSExpression(format: "count:(title)")
        count.expressionResultType = .integer64AttributeType
        let isOdd = NSCompoundPredicate(andPredicateWithSubpredicates: [
            block, NSPredicate(format: "author.name == 'Austen'"),
        ])
        let isNot = NSCompoundPredicate(notPredicateWithSubpredicate: block)
        for place in [context, Stack.child(of: context)] {
            try place.performAndWait {
                #expect(
                    try rows(place, block, ["title", "year"]) == ["B6 6", "B5 5", "B4 4", "B3 3"])
                #expect(try rows(place, isOdd, ["title"]) == ["B5", "B3"])
                #expect(try rows(place, isNot, ["title"]) == ["B2", "B1"])
                let part = try rows(place, block, ["title"]) {
                    ($0.fetchLimit, $0.fetchOffset) = (2, 1)
                }
                #expect(part == ["B5", "B4"])
                let groups = try rows(place, block, ["author.name", count]) {
                    $0.propertiesToGroupBy = ["author.name"]
                    $0.sortDescriptors = [NSSortDescriptor(key: "author.name", ascending: true)]
                }
                #expect(groups == ["2", "Austen 2"])
                #expect(try rows(place, Self.isBeyond(9), ["title"]) == [])
            }
        }
    }

    /// Dictionaries are of what is saved, and so is what blocks are asked about.
    @Test(arguments: names) func blocks_of_dictionaries_see_what_is_saved(name: String) throws {
        let folder = try StoreFolder()
        let context = try filled(folder, name)
        let block = Self.isBeyond(4)
        let child = Stack.child(of: context)
        // Objects that know their old values.
        let books = try context.fetch(makeRequest(nil))
        #expect(books.map { $0.number("year") } == [1, 2, 3, 4, 5, 6])
        let years = try child.performAndWait {
            try child.fetch(makeRequest(nil)).map { $0.number("year") }
        }
        #expect(years == [1, 2, 3, 4, 5, 6])
        context.make("Book", ["title": "new", "year": 7])
        for place in [context, child] {
            let titles = try place.performAndWait { try rows(place, block, ["title"]) }
            #expect(titles == ["B6", "B5"])
        }
        let other = folder.makeContext()
        try other.performAndWait {
            let books = try other.fetch(makeRequest(nil))
            books[0].setValue(9, forKey: "year")
            books[4].setValue(0, forKey: "year")
            try other.save()
        }
        for place in [context, child] {
            let found = try place.performAndWait { try rows(place, block, ["title", "year"]) }
            #expect(found == ["B1 9", "B6 6"])
        }
        try context.save()
        #expect(try rows(context, block, ["title", "year"]) == ["B1 9", "new 7", "B6 6"])
        #expect(code { _ = try rows(context, block, ["nmae"]) } == 134_070)
        let order = NSSortDescriptor(key: "year", ascending: true) { _, _ in .orderedSame }
        let error = code {
            _ = try rows(context, block, ["title"]) { $0.sortDescriptors = [order] }
        }
        #expect(error == 134_070)
    }

    private func controller(
        _ request: NSFetchRequest<NSManagedObject>, _ context: NSManagedObjectContext
    ) -> NSFetchedResultsController<NSManagedObject> {
        NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
            cacheName: nil)
    }

    @Test(arguments: names) func controllers_ask_blocks(name: String) throws {
        let context = try filled(StoreFolder(), name)
        let isOdd = NSPredicate(format: "title != 'B5'")
        let controller = controller(
            makeRequest(
                NSCompoundPredicate(andPredicateWithSubpredicates: [Self.isBeyond(3), isOdd])),
            context)
        let delegate = SilentDelegate()
        controller.delegate = delegate
        try controller.performFetch()
        func shown() -> [String] { (controller.fetchedObjects ?? []).map { $0.text("title") } }
        #expect(shown() == ["B4", "B6"])
        let books = try context.fetch(makeRequest(nil))
        books[0].setValue(9, forKey: "year")
        books[3].setValue(0, forKey: "year")
        books[4].setValue(8, forKey: "year")
        context.make("Book", ["title": "new", "year": 7])
        context.make("Book", ["title": "old", "year": 1])
        context.processPendingChanges()
        #expect(shown() == ["B6", "new", "B1"])
        books[4].setValue("five", forKey: "title")
        context.delete(books[5])
        context.processPendingChanges()
        #expect(shown() == ["new", "five", "B1"])
        context.rollback()
        #expect(shown() == ["B4", "B6"])
    }

    @Test(arguments: names) func windows_of_controllers_come_after_blocks(name: String) throws {
        let context = try filled(StoreFolder(), name)
        let request = makeRequest(Self.isBeyond(2))
        (request.fetchLimit, request.fetchOffset) = (2, 1)
        let controller = controller(request, context)
        let delegate = SilentDelegate()
        controller.delegate = delegate
        try controller.performFetch()
        func shown() -> [String] { (controller.fetchedObjects ?? []).map { $0.text("title") } }
        #expect(shown() == ["B4", "B5"])
        try context.fetch(makeRequest(nil))[2].setValue(0, forKey: "year")
        context.processPendingChanges()
        #expect(shown() == ["B5", "B6"])
    }

    @Test func comparators_of_controllers_and_blocks_of_batches_are_refused() throws {
        let context = try filled(StoreFolder(), "books.memory")
        let order = NSSortDescriptor(key: "year", ascending: true) { _, _ in .orderedSame }
        let controller = controller(makeRequest(Self.isBeyond(1), [order]), context)
        #expect(code { try controller.performFetch() } == 134_070)
        let batch = NSBatchUpdateRequest(entityName: "Book")
        batch.predicate = Self.isBeyond(1)
        batch.propertiesToUpdate = ["year": 0]
        #expect(code { _ = try context.execute(batch) } == 134_070)
        #expect(try titles(context, Self.isBeyond(1)).count == 5)
    }

    /// A file has more objects than a program should make for a block.
    @Test func files_refuse_them() throws {
        let folder = try StoreFolder()
        let context = try filled(folder, "books.lode", nil)
        let block = Self.isBeyond(3)
        let order = NSSortDescriptor(key: "year", ascending: true) { _, _ in .orderedSame }
        #expect(code { _ = try context.fetch(makeRequest(block)) } == 134_070)
        #expect(code { _ = try context.count(for: makeRequest(block)) } == 134_070)
        #expect(code { _ = try context.fetch(makeRequest(nil, [order])) } == 134_070)
        let child = Stack.child(of: context)
        #expect(
            child.performAndWait { code { _ = try child.fetch(makeRequest(block)) } } == 134_070)
        // With a store in memory beside it, the request may name that one.
        let memory = try folder.add("more.memory")
        let book = context.make("Book", ["title": "M", "year": 9])
        context.assign(book, to: memory)
        try context.save()
        #expect(code { _ = try context.fetch(makeRequest(block)) } == 134_070)
        let request = makeRequest(block)
        request.affectedStores = [memory]
        #expect(try context.fetch(request).map { $0.text("title") } == ["M"])
    }
}
