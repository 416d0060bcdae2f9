// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

/// `@Managed` properties of objects outside the coordinator's main store.
@Suite struct FurtherStoreTests {
    @Test func typed_properties_of_a_second_file() throws {
        let library = try Library()
        let coordinator = library.container.persistentStoreCoordinator
        let second = try coordinator.addPersistentStore(
            type: .sqlite, at: library.directory.appendingPathComponent("second.lode"))
        let context = library.context
        let author = Author(context: context)
        author.name = "Austen"
        author.born = Date(timeIntervalSinceReferenceDate: -7_000_000_000)
        let book = Book(context: context)
        context.assign(book, to: second)
        (book.title, book.pages, book.weight, book.isOut) = ("Emma", 474, 0.25, true)
        book.price = Decimal(string: "12.50")
        book.cover = Data(repeating: 7, count: 4_000)
        book.author = author
        let other = Book(context: context)
        other.title = "main"
        try context.save()
        #expect(author.objectID.persistentStore === second && author.books == [book])
        #expect(other.objectID.persistentStore !== second)
        #expect(book.title == "Emma" && book.pages == 474 && book.cover?.count == 4_000)

        let reader = library.container.newBackgroundContext()
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let read = try reader.fetch(request)
        #expect(read.map(\.title) == ["Emma", "main"])
        #expect(read[0].pages == 474 && read[0].weight == 0.25 && read[0].isOut)
        #expect(read[0].price == Decimal(string: "12.5"))
        #expect(read[0].author?.name == "Austen")
        #expect(read[0].author?.born == author.born)
        #expect(read[0].author?.books == [read[0]])

        book.pages = 500
        author.prize = Prize(context: context)
        try context.save()
        // Realised objects keep their values until they are refreshed.
        #expect(read[0].pages == 474)
        reader.refresh(read[0], mergeChanges: true)
        #expect(read[0].pages == 500 && read[0].title == "Emma")
        reader.refreshAllObjects()
        #expect(read[0].author?.prize?.winner === read[0].author)
        // The main store's snapshot moves: copies stay valid.
        other.title = "MAIN"
        try context.save()
        #expect(try reader.fetch(request).map(\.title).count == 2)
        #expect(read[0].title == "Emma" && read[0].cover?.count == 4_000)
        reader.reset()
        try coordinator.remove(second)
        #expect(book.title == "" && book.author == nil)
        #expect(other.title == "MAIN")
    }
}
