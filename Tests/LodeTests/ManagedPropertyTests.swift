// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

/// `@Managed` properties of all kinds on a store.
@Suite struct ManagedPropertyTests {
    @Test func attributes_round_trip() throws {
        let library = try Library()
        let book = Book(context: library.context)
        #expect(book.title == "" && book.pages == 0 && book.price == nil && !book.isOut)
        let isbn = UUID()
        book.title = "Emma 📗"
        book.pages = 474
        book.price = Decimal(string: "12.50")
        book.weight = 0.25
        book.isbn = isbn
        book.page = URL(string: "https://example.org/emma")
        book.cover = Data([1, 2, 3])
        book.isOut = true
        for step in 0..<3 {
            let read = try #require(try library.book("Emma 📗"))
            #expect(read.pages == 474, "step \(step)")
            #expect(read.price == Decimal(string: "12.5"), "step \(step)")
            #expect(read.weight == 0.25, "step \(step)")
            #expect(read.isbn == isbn, "step \(step)")
            #expect(read.page?.absoluteString == "https://example.org/emma", "step \(step)")
            #expect(read.cover == Data([1, 2, 3]), "step \(step)")
            #expect(read.isOut, "step \(step)")
            if step == 0 { try library.context.save() }
            if step == 1 { try library.reopen() }
        }
        let read = try #require(try library.book("Emma 📗"))
        read.price = nil
        read.isbn = nil
        read.page = nil
        read.cover = nil
        read.pages += 1
        try library.context.save()
        try library.reopen()
        let again = try #require(try library.book("Emma 📗"))
        #expect(again.price == nil && again.isbn == nil && again.page == nil && again.cover == nil)
        #expect(again.pages == 475 && again.weight == 0.25)
    }

    @Test func to_one_and_to_many_follow_each_other() throws {
        let library = try Library()
        let jane = Author(context: library.context)
        jane.name = "Jane"
        let (emma, persuasion) = (Book(context: library.context), Book(context: library.context))
        emma.title = "Emma"
        persuasion.title = "Persuasion"
        emma.author = jane
        jane.addToBooks(persuasion)
        #expect(jane.books == [emma, persuasion] && persuasion.author === jane)
        jane.removeFromBooks(emma)
        #expect(emma.author == nil && jane.books == [persuasion])
        jane.books = [emma]
        #expect(persuasion.author == nil && emma.author === jane)
        jane.addToBooks([persuasion, emma])
        try library.context.save()
        try library.reopen()
        let author = try #require(try library.book("Emma")?.author)
        #expect(Set(author.books.map(\.title)) == ["Emma", "Persuasion"])
        #expect(author.name == "Jane")
        author.removeFromBooks(author.books)
        #expect(author.books.isEmpty)
        #expect(try library.book("Emma")?.author == nil)
    }

    @Test func an_ns_set_holds_both_sides() throws {
        let library = try Library()
        let book = Book(context: library.context)
        book.title = "Dune"
        let genres = ["space", "sand"].map { name in
            let genre = Genre(context: library.context)
            genre.name = name
            return genre
        }
        #expect(book.genres?.count == 0)
        book.genres = NSSet(array: genres)
        #expect(genres.map(\.books) == [[book], [book]])
        book.removeFromGenres(genres[0])
        #expect(genres[0].books.isEmpty)
        genres[0].addToBooks(book)
        #expect(book.genres?.contains(genres[0]) == true)
        try library.context.save()
        try library.reopen()
        let read = try #require(try library.book("Dune"))
        #expect(Set(read.genres?.compactMap { ($0 as? Genre)?.name } ?? []) == ["space", "sand"])
        read.genres = nil
        try library.context.save()
        try library.reopen()
        #expect(try library.book("Dune")?.genres?.count == 0)
    }

    @Test func one_to_one_steals() throws {
        let library = try Library()
        let (ann, bob) = (Author(context: library.context), Author(context: library.context))
        let prize = Prize(context: library.context)
        ann.prize = prize
        #expect(prize.winner === ann)
        try library.context.save()
        bob.prize = prize
        #expect(ann.prize == nil && prize.winner === bob)
        prize.winner = nil
        #expect(bob.prize == nil)
    }

    @Test func typed_reads_of_faults_refreshed_and_rolled_back_objects() throws {
        let library = try Library()
        let book = Book(context: library.context)
        book.title = "A"
        book.pages = 1
        try library.context.save()
        #expect(book.pages == 1 && book.pages == 1)
        book.pages = 2
        #expect(book.pages == 2)
        library.context.rollback()
        #expect(book.pages == 1 && book.title == "A")
        let other = library.container.newBackgroundContext()
        let twin = try #require(try other.existingObject(with: book.objectID) as? Book)
        twin.pages = 9
        try other.save()
        #expect(book.pages == 1)
        _ = try library.book("A")
        #expect(book.pages == 1)
        library.context.refresh(book, mergeChanges: true)
        #expect(book.pages == 9)
        #expect(twin.pages == 9)
        library.context.refresh(book, mergeChanges: false)
        #expect(book.isFault)
        #expect(book.pages == 9)
        library.context.delete(book)
        try library.context.save()
        #expect(
            book.pages == 0 && book.title == "" && book.author == nil && book.genres?.count == 0)
    }

    @Test func a_typed_value_that_does_not_fit_traps() async {
        await #expect(processExitsWith: .failure) {
            let library = try Library()
            let genre = Genre(context: library.context)
            genre.setValue(3, forKey: "name")
        }
    }
}
