// SPDX-License-Identifier: Apache-2.0

import CocoaErrors
import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Objects that are asked for while their store is away, and the same once it is back.
@Suite struct StoreAwayTests {
    private func withShelf(_ body: (ShelfOfStores) throws -> Void) throws {
        try withTemporaryDirectory { directory in try body(ShelfOfStores(directory)) }
    }

    @Test(arguments: [false, true])
    func a_fault_read_meanwhile_has_its_values_once_the_store_is_back(inChild: Bool) throws {
        try withShelf { shelf in
            let ids = try shelf.fill()
            let root = shelf.container.newBackgroundContext()
            let context = inChild ? Stack.child(of: root) : root
            try shelf.removeAll()
            try context.performAndWait {
                let book = context.object(with: ids[0])
                let author = context.object(with: ids[1])
                #expect(book.value(forKey: "title") == nil && book.number("year") == -1)
                #expect(author.many("books").isEmpty && book.one("author") == nil)
                #expect(!book.isDeleted && !book.hasChanges)
                #expect(context.lastReadError != nil)
                #expect(code { _ = try context.existingObject(with: ids[0]) } == 134_070)
                try shelf.add("a.lode")
                #expect(book.text("title") == "kept" && book.number("year") == 7)
                #expect(!book.isFault && !book.isDeleted)
                #expect(author.many("books") == [book] && book.one("author") === author)
                #expect(try context.existingObject(with: ids[0]) === book)
                #expect(try context.all("Book") == [book])
                #expect(book.objectID == ids[0])
                #expect(
                    book.objectID.persistentStore === shelf.coordinator.persistentStores.first)
            }
        }
    }

    @Test func an_object_read_meanwhile_exists_once_the_store_is_back() throws {
        try withShelf { shelf in
            let ids = try shelf.fill()
            let context = shelf.container.newBackgroundContext()
            try shelf.removeAll()
            let book = context.object(with: ids[0])
            #expect(book.value(forKey: "title") == nil)
            try shelf.add("a.lode")
            // Nothing was asked of the object in between.
            #expect(try context.existingObject(with: ids[0]) === book)
            #expect(!book.isFault && book.text("title") == "kept")
        }
    }

    @Test func a_fault_made_and_never_read_meanwhile_is_that_of_its_store() throws {
        try withShelf { shelf in
            let ids = try shelf.fill()
            let context = shelf.container.newBackgroundContext()
            try shelf.removeAll()
            let book = context.object(with: ids[0])
            try shelf.add("a.lode")
            #expect(book.text("title") == "kept")
            context.refreshAllObjects()
            #expect(book.text("title") == "kept")
        }
    }

    /// The next file has a row of the same number.
    @Test(arguments: [false, true], [false, true])
    func a_fault_made_meanwhile_is_none_of_another_file(reads: Bool, inChild: Bool) throws {
        try withShelf { shelf in
            let ids = try shelf.fill()
            let root = shelf.container.newBackgroundContext()
            let context = inChild ? Stack.child(of: root) : root
            try shelf.removeAll()
            try context.performAndWait {
                let book = context.object(with: ids[0])
                if reads { #expect(book.value(forKey: "title") == nil) }
                try shelf.add("b.lode")
                let others = try shelf.fill("other")
                #expect(
                    others[0].uriRepresentation().lastPathComponent
                        == ids[0].uriRepresentation().lastPathComponent)
                #expect(book.value(forKey: "title") == nil)
                #expect(try context.all("Book").map { $0.text("title") } == ["other"])
                #expect(try context.all("Book").first !== book)
                #expect(book.objectID == ids[0] && book.objectID != others[0])
                #expect(code { _ = try context.existingObject(with: ids[0]) } == 133_000)
                // Both files now: the first one is a further store.
                try shelf.add("a.lode")
                #expect(try context.existingObject(with: ids[0]).text("title") == "kept")
                #expect(try context.existingObject(with: others[0]).text("title") == "other")
            }
        }
    }

    @Test func what_is_set_meanwhile_is_saved_beside_what_is_stored() throws {
        try withShelf { shelf in
            let ids = try shelf.fill()
            let context = shelf.container.newBackgroundContext()
            try shelf.removeAll()
            let book = context.object(with: ids[0])
            book.setValue(9, forKey: "year")
            #expect(book.value(forKey: "title") == nil && book.number("year") == 9)
            #expect(code { try context.save() } == 134_070)
            #expect(book.isUpdated)
            try shelf.add("a.lode")
            try context.save()
            #expect(book.text("title") == "kept" && book.number("year") == 9)
            let other = shelf.container.newBackgroundContext()
            let found = try other.existingObject(with: ids[0])
            #expect(found.text("title") == "kept" && found.number("year") == 9)
            #expect(found.one("author")?.text("name") == "Ann")
        }
    }

    @Test func a_child_saves_what_was_set_meanwhile() throws {
        try withShelf { shelf in
            let ids = try shelf.fill()
            let root = shelf.container.newBackgroundContext()
            let child = Stack.child(of: root)
            try shelf.removeAll()
            let book = child.performAndWait { child.object(with: ids[0]) }
            try child.performAndWait {
                book.setValue(9, forKey: "year")
                #expect(code { try child.save() } == 134_070)
                try shelf.add("a.lode")
                try child.save()
                #expect(book.text("title") == "kept")
            }
            try root.performAndWait { try root.save() }
            let other = shelf.container.newBackgroundContext()
            let found = try other.existingObject(with: ids[0])
            #expect(found.text("title") == "kept" && found.number("year") == 9)
        }
    }

    @Test func a_record_that_went_meanwhile_is_gone_afterwards() throws {
        try withShelf { shelf in
            let ids = try shelf.fill()
            let context = shelf.container.newBackgroundContext()
            try shelf.removeAll()
            let book = context.object(with: ids[0])
            #expect(book.value(forKey: "title") == nil && !book.isDeleted)
            try shelf.add("a.lode")
            let other = shelf.container.newBackgroundContext()
            try other.performAndWait {
                other.delete(try other.existingObject(with: ids[0]))
                try other.save()
            }
            #expect(book.value(forKey: "title") == nil && book.isDeleted)
            #expect(code { _ = try context.existingObject(with: ids[0]) } == 133_000)
        }
    }

    @Test func a_further_file_comes_back_as_well() throws {
        try withShelf { shelf in
            _ = try shelf.fill("main")
            let second = try shelf.add("b.lode")
            let context = shelf.container.newBackgroundContext()
            let book = context.make("Book", ["title": "further"])
            context.assign(book, to: second)
            try context.save()
            let id = book.objectID
            try shelf.coordinator.remove(second)
            #expect(book.managedObjectContext == nil)
            let fault = context.object(with: id)
            #expect(fault.value(forKey: "title") == nil && !fault.isDeleted)
            try shelf.add("b.lode")
            #expect(fault.text("title") == "further")
            #expect(try context.existingObject(with: id) === fault)
        }
    }

    @Test func threads_read_faults_while_the_store_comes_and_goes() throws {
        try withShelf { shelf in
            let ids = try shelf.fill()
            let contexts = (0..<2).map { _ in shelf.container.newBackgroundContext() }
            let group = DispatchGroup()
            for context in contexts {
                // SAFETY: only its own blocks use it.
                nonisolated(unsafe) let shared = context
                DispatchQueue.global().async(group: group) {
                    for _ in 0..<200 {
                        shared.performAndWait {
                            let title = shared.object(with: ids[0]).value(forKey: "title")
                            #expect(title == nil || title as? String == "kept")
                        }
                    }
                }
            }
            for _ in 0..<20 {
                try shelf.removeAll()
                try shelf.add("a.lode")
            }
            group.wait()
            for context in contexts {
                try context.performAndWait {
                    #expect(context.object(with: ids[0]).text("title") == "kept")
                    let found = try context.existingObject(with: ids[0])
                    #expect(found.number("year") == 7)
                }
            }
        }
    }

    /// Unsaved objects are no answer where there is no store to ask.
    @Test(arguments: [false, true])
    func fetches_without_a_store_throw(inChild: Bool) throws {
        try withShelf { shelf in
            let root = shelf.container.newBackgroundContext()
            let context = inChild ? Stack.child(of: root) : root
            try shelf.removeAll()
            try context.performAndWait {
                let new = context.make("Book", ["title": "new"])
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
                ids.resultType = .managedObjectIDResultType
                let rows = NSFetchRequest<NSDictionary>(entityName: "Book")
                rows.resultType = .dictionaryResultType
                for format in [nil, "title == 'new'", "year > 3"] {
                    request.predicate = format.map { NSPredicate(format: $0) }
                    ids.predicate = request.predicate
                    #expect(code { _ = try context.fetch(request) } == 134_070)
                    #expect(code { _ = try context.count(for: request) } == 134_070)
                    #expect(code { _ = try context.fetch(ids) } == 134_070)
                    #expect(code { _ = try context.fetch(rows) } == 134_070)
                }
                #expect(new.text("title") == "new" && new.isInserted)
                try shelf.add("a.lode")
                #expect(try context.all("Book") == [new])
            }
        }
    }

    @Test func what_stands_for_a_removed_store_has_its_type_and_place() throws {
        try withShelf { shelf in
            let url = URL(fileURLWithPath: "\(shelf.directory)/a.lode")
            let context = shelf.container.newBackgroundContext()
            let book = context.make("Book", ["title": "kept"])
            try context.save()
            let identifier = shelf.coordinator.persistentStores.first?.identifier
            try shelf.removeAll()
            let store = try #require(book.objectID.persistentStore)
            #expect(store.type == "SQLite" && store.url == url)
            #expect(store.identifier == identifier && store.persistentStoreCoordinator == nil)
        }
    }

    @Test(arguments: [true, false])
    func what_stands_for_a_store_whose_container_went_has_its_type_and_place(file: Bool) throws {
        try withTemporaryDirectory { directory in
            let path = file ? "\(directory)/a.lode" : "/dev/null"
            func orphan() throws -> NSManagedObject {
                let container = NSPersistentContainer(
                    name: "Test",
                    managedObjectModel: Build.model(
                        Build.entity("Book", [Build.attribute("title")])))
                container.persistentStoreDescriptions = [
                    NSPersistentStoreDescription(url: URL(fileURLWithPath: path))
                ]
                if let error = load(container) { throw error }
                let book = container.viewContext.make("Book", ["title": "kept"])
                try container.viewContext.save()
                return book
            }
            let book = try orphan()
            #expect(book.managedObjectContext == nil)
            let store = try #require(book.objectID.persistentStore)
            #expect(store.persistentStoreCoordinator == nil)
            #expect(store.type == "SQLite")
            #expect(store.url == URL(fileURLWithPath: path))
        }
    }

    /// The object has no relationships to follow while it cannot be read.
    @Test func delete_rules_are_applied_once_the_store_is_back() throws {
        try withShelf { shelf in
            let ids = try shelf.fill()
            let context = shelf.container.newBackgroundContext()
            try context.performAndWait {
                try shelf.removeAll()
                context.delete(context.object(with: ids[1]))
                context.processPendingChanges()
                try shelf.add("a.lode")
                try context.save()
            }
            let other = shelf.container.newBackgroundContext()
            try other.performAndWait {
                let books = NSFetchRequest<NSManagedObject>(entityName: "Book")
                books.predicate = NSPredicate(format: "author == nil")
                let found = try other.fetch(books).map(\.objectID)
                #expect(found == [ids[0]])
                let authors = NSFetchRequest<NSManagedObject>(entityName: "Author")
                let count = try other.count(for: authors)
                #expect(count == 0)
            }
        }
    }

    /// The context has looked at nothing before its store goes.
    @Test(arguments: [false, true])
    func faults_of_a_context_that_has_read_nothing_leave_it(isBack: Bool) throws {
        try withShelf { shelf in
            let ids = try shelf.fill()
            let context = shelf.container.newBackgroundContext()
            let book = context.performAndWait { context.object(with: ids[0]) }
            let author = context.performAndWait { context.object(with: ids[1]) }
            try shelf.removeAll()
            #expect(book.managedObjectContext == nil && author.managedObjectContext == nil)
            if isBack { try shelf.add("a.lode") }
            try context.performAndWait {
                book.setValue(9, forKey: "year")
                book.setValue(nil, forKey: "author")
                #expect(!context.hasChanges)
                if isBack { try context.save() } else { try shelf.add("a.lode") }
                let found = try context.existingObject(with: ids[0])
                #expect(found !== book && found.text("title") == "kept")
            }
            let other = shelf.container.newBackgroundContext()
            let found = try other.existingObject(with: ids[0])
            #expect(found.text("title") == "kept" && found.number("year") == 7)
            #expect(found.one("author")?.many("books") == [found])
        }
    }

    /// The removal has not reached the context, which is busy with what changes the object.
    @Test func an_object_that_leaves_while_it_is_changed_is_not_saved() throws {
        try withShelf { shelf in
            let ids = try shelf.fill()
            let context = shelf.container.newBackgroundContext()
            try context.performAndWait {
                let book = context.object(with: ids[0])
                try shelf.removeAll()
                try shelf.add("a.lode")
                book.setValue(9, forKey: "year")
                #expect(book.managedObjectContext == nil && !context.hasChanges)
                try context.save()
                let found = try context.existingObject(with: ids[0])
                #expect(found.text("title") == "kept" && found.number("year") == 7)
            }
        }
    }
}
