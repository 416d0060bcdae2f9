// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Fetch indexes with mixed directions: unsaved changes, children, and opening the file again.
@Suite struct IndexDirectionTests {
    private static func model(_ newestFirst: Bool = true) -> NSManagedObjectModel {
        let film = Build.entity(
            "Film",
            [Build.attribute("title"), Build.attribute("year", .integer16AttributeType)])
        let short = Build.entity("Short", [])
        film.subentities = [short]
        Build.index(film, "year", "title")
        film.indexes[0].elements[0].isAscending = !newestFirst
        return Build.model(film, short)
    }

    private static var orders: [NSSortDescriptor] {
        [
            NSSortDescriptor(key: "year", ascending: false),
            NSSortDescriptor(key: "title", ascending: true),
        ]
    }

    private static func titles(
        _ context: NSManagedObjectContext, _ orders: [NSSortDescriptor] = orders,
        _ predicate: NSPredicate? = nil
    ) throws -> String {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Film")
        (request.sortDescriptors, request.predicate) = (orders, predicate)
        return try context.fetch(request).map { $0.text("title") }.joined()
    }

    private static func filled() throws -> Stack {
        let stack = try Stack(model())
        for (title, year) in [("b", 1977), ("d", 1980), ("a", 1977), ("c", 1999)] {
            stack.context.make(title == "a" ? "Short" : "Film", ["title": title, "year": year])
        }
        try stack.context.save()
        return stack
    }

    @Test func the_order_and_its_reverse_come_from_the_index() throws {
        let stack = try Self.filled()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Film")
        request.sortDescriptors = Self.orders
        let text = try stack.context.explain(request)
        #expect(text.contains("index year_title (whole)\n  order from index"))
        #expect(!text.contains("in memory"))
        #expect(try Self.titles(stack.context) == "cdab")
        let reversed = Self.orders.compactMap { $0.reversedSortDescriptor as? NSSortDescriptor }
        request.sortDescriptors = reversed
        #expect(try stack.context.explain(request).contains("order from index, backwards"))
        #expect(try Self.titles(stack.context, reversed) == "badc")
    }

    @Test func what_is_not_saved_takes_its_place() throws {
        let stack = try Self.filled()
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = stack.context
        stack.context.make("Film", ["title": "e", "year": 1980])
        stack.context.make("Short", ["title": "f"])
        let found = try stack.context.all("Film", NSPredicate(format: "title == 'c'"))
        found.first?.setValue(1950, forKey: "year")
        for context in [stack.context, child] {
            #expect(try Self.titles(context) == "deabcf")
            let recent = NSPredicate(format: "year >= 1977")
            #expect(try Self.titles(context, Self.orders, recent) == "deab")
        }
        child.make("Film", ["title": "g", "year": 1979])
        #expect(try Self.titles(child) == "degabcf")
        #expect(try Self.titles(stack.context) == "deabcf")
        try child.save()
        try stack.context.save()
        try stack.reopenChecked()
        #expect(try Self.titles(stack.context) == "degabcf")
    }

    @Test func a_file_keeps_the_directions() throws {
        let stack = try Self.filled()
        let stored = try NSManagedObjectModel.stored(at: stack.url)
        let film = try #require(stored.entitiesByName["Film"])
        #expect(film.indexes.map { $0.elements.map(\.isAscending) } == [[false, true]])
        #expect(film.indexes == Self.model().entitiesByName["Film"]?.indexes)
    }

    @Test func another_direction_answers_alike() throws {
        let stack = try Self.filled()
        let coordinator = stack.container.persistentStoreCoordinator
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        let other = NSPersistentStoreCoordinator(managedObjectModel: Self.model(false))
        try other.addPersistentStore(
            type: .sqlite, at: stack.url, options: [LodeVerifyOption: "records"])
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = other
        #expect(try Self.titles(context) == "cdab")
        let request = NSFetchRequest<NSManagedObject>(entityName: "Film")
        request.sortDescriptors = Self.orders
        #expect(try context.explain(request).contains("in memory"))
    }
}
