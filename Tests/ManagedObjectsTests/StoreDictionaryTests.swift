// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Dictionaries of fetches that stores beside the main one answer, for children too.
@Suite struct StoreDictionaryTests {
    init() { TableStore.register() }

    private func titles(
        _ context: NSManagedObjectContext, _ predicate: NSPredicate? = nil,
        in stores: [NSPersistentStore]? = nil
    ) throws -> [String] {
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["title"]
        request.predicate = predicate
        request.affectedStores = stores
        return try context.fetch(request).compactMap { $0["title"] as? String }.sorted()
    }

    /// A child and a grandchild, which read past what their parents have not saved.
    private func family(_ root: NSManagedObjectContext) -> [NSManagedObjectContext] {
        let child = Stack.child(of: root)
        child.make("Book", ["title": "unsaved"])
        return [root, child, Stack.child(of: child)]
    }

    @Test func an_incremental_store_gets_a_request_of_the_usual_type() throws {
        let folder = try StoreFolder()
        let context = try folder.open([("books.table", nil)])
        let austen = context.make("Author", ["name": "Austen"])
        context.make("Book", ["title": "Emma", "year": 1815, "author": austen])
        context.make("Book", ["title": "Dracula", "year": 1897])
        try context.save()
        for reader in family(context) {
            #expect(try titles(reader) == ["Dracula", "Emma"])
            #expect(try titles(reader, NSPredicate(format: "year > 1850")) == ["Dracula"])
            let author = reader.object(with: austen.objectID)
            #expect(try titles(reader, NSPredicate(format: "author == %@", author)) == ["Emma"])
        }
    }

    @Test(arguments: ["lode", "memory"]) func children_see_the_rows_of_all_stores(
        kind: String
    ) throws {
        let folder = try StoreFolder()
        let context = try folder.open([("first.\(kind)", nil), ("second.\(kind)", nil)])
        let second = try folder.store("second.\(kind)")
        context.make("Book", ["title": "Emma"])
        let stoker = context.make("Author", ["name": "Stoker"])
        let dracula = context.make("Book", ["title": "Dracula", "author": stoker])
        context.assign(dracula, to: second)
        context.assign(stoker, to: second)
        try context.save()
        for reader in family(context) {
            #expect(try titles(reader) == ["Dracula", "Emma"])
            #expect(try titles(reader, in: [second]) == ["Dracula"])
            #expect(try titles(reader, in: [folder.store("first.\(kind)")]) == ["Emma"])
            let author = reader.object(with: stoker.objectID)
            #expect(try titles(reader, NSPredicate(format: "author == %@", author)) == ["Dracula"])
        }
    }
}
