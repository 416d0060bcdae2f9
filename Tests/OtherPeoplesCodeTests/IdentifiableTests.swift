// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

struct Row: Identifiable {
    let id: NSManagedObjectID
    let title: String
}

struct RowCache<Item: Identifiable> {
    private(set) var items: [Item.ID: Item] = [:]

    init(_ items: [Item]) {
        for item in items { self.items[item.id] = item }
    }
}

@Suite struct IdentifiableTests {
    @Test func objects_and_their_rows() throws {
        let context = NSPersistentContainer.inMemory().viewContext
        let authors = ["Ann", "Bob"].map { Author(name: $0, context: context) }
        try context.save()
        let cache = RowCache(authors)
        #expect(cache.items[authors[0].id] === authors[0])
        let rows = RowCache(authors.map { Row(id: $0.objectID, title: $0.wrappedName) })
        #expect(rows.items[authors[1].objectID]?.title == "Bob")
        let grouped = Dictionary(grouping: authors, by: \.statusValue)
        #expect(grouped[Status.active.rawValue]?.count == 2)
        #expect(Set(authors).union(authors).count == 2)
        #expect(authors.sorted { $0.wrappedName > $1.wrappedName }.map(\.name) == ["Bob", "Ann"])
    }

    @Test func an_id_stands_in_where_none_is_there_yet() throws {
        let context = NSPersistentContainer.inMemory().viewContext
        let (one, other) = (NSManagedObjectID(), NSManagedObjectID())
        #expect(one != other && one == one)
        #expect(one.isTemporaryID && one.persistentStore == nil)
        #expect(context.registeredObject(for: one) == nil)
        #expect(throws: CocoaError.self) { try context.existingObject(with: one) }
        let row = Row(id: one, title: "preview")
        #expect(row.id.uriRepresentation().scheme == "x-coredata")
    }
}
