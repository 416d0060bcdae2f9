// SPDX-License-Identifier: Apache-2.0

import Foundation
import LibraryImport
import ManagedObjects
import Testing

/// Imports into a store whose index holds some objects only, the greatest first.
@Suite struct IndexFormImportTests {
    private func titles(_ place: Workplace) throws -> String {
        let coordinator = NSPersistentStoreCoordinator(
            managedObjectModel: try NSManagedObjectModel.stored(at: place.store))
        let store = try coordinator.addPersistentStore(type: .sqlite, at: place.store)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = NSPredicate(format: "year > 1950 AND year < 3000")
        request.sortDescriptors = [NSSortDescriptor(key: "year", ascending: false)]
        let text = try context.explain(request)
        #expect(text.contains("index range recent where year >= 1951: year > 1950"), "\(text)")
        let found = try context.fetch(request).map { "\($0.value(forKey: "title") ?? "")" }
        try coordinator.remove(store)
        return found.joined()
    }

    @Test func new_and_changed_rows_have_their_entries() throws {
        try withWorkplace { place throws in
            let mapping = #"{"entities": {"Book": {"key": "Isbn"}}}"#
            let books = "Isbn,Title,Year\n1,a,1940\n2,b,1960\n3,c,1970\n"
            _ = try place.load(["Book.csv": books], mapping: mapping)
            try place.remakeStore { model in
                guard let book = model.entitiesByName["Book"],
                    let year = book.attributesByName["year"]
                else { return }
                let recent = NSFetchIndexDescription(name: "recent", properties: [year])
                recent.elements[0].isAscending = false
                recent.partialIndexPredicate = NSPredicate(format: "year > 1950")
                book.indexes = [recent]
            }
            _ = try place.load(["Book.csv": books], mapping: mapping)
            #expect(try titles(place) == "cb")
            let more = "Isbn,Title,Year\n1,a,1999\n3,c,1900\n4,d,1980\n5,e,1930\n"
            _ = try place.load(["Book.csv": more], mapping: mapping)
            #expect(try titles(place) == "adb")
            try NSPersistentStore.verify(at: place.store)
        }
    }
}
