// SPDX-License-Identifier: Apache-2.0

import Lode

/// The objects of a file that is migrated.
enum MigratedLibrary {
    private static let books = 1_800
    private static let authors = 100
    private static let drafts = 150

    static var migratingOptions: [AnyHashable: Any] {
        [
            NSMigratePersistentStoresAutomaticallyOption: true,
            NSInferMappingModelAutomaticallyOption: true,
            LodeMigrationMayRemoveOption: true,
        ]
    }

    // The values of a book

    private static func title(_ book: Int) -> String {
        "Book \(book)" + String(repeating: ".", count: book % 7 == 0 ? 600 : 0)
    }

    private static func note(_ book: Int) -> String? { book % 3 == 0 ? nil : "note \(book)" }

    private static func cover(_ book: Int) -> Data? {
        guard book % 100 == 0 else { return nil }
        return Data(repeating: UInt8(book % 251), count: book == 0 ? 1_500_000 : 5_000 + book)
    }

    private static func author(_ book: Int) -> Int? { book % 10 == 9 ? nil : book % authors }

    private static func fans(_ book: Int) -> [Int] {
        book % 4 == 0 ? [book * 7 % authors, (book * 7 + 1) % authors] : []
    }

    /// Makes a file of the first version.
    static func make(at path: String) throws {
        try WorkStore.with(path, model: LibraryVersion.first.makeModel()) { store in
            try store.context.performAndWait {
                func insert(_ entity: String) -> NSManagedObject {
                    NSEntityDescription.insertNewObject(forEntityName: entity, into: store.context)
                }
                let people = (0..<authors).map { number in
                    let person = insert("Author")
                    person.setValue("Author \(number)", forKey: "name")
                    return person
                }
                for number in 0..<books {
                    let book = insert("Book")
                    book.setValue(number, forKey: "number")
                    book.setValue(title(number), forKey: "title")
                    book.setValue(note(number), forKey: "note")
                    book.setValue(cover(number), forKey: "cover")
                    book.setValue(number % 900, forKey: "pages")
                    book.setValue(author(number).map { people[$0] }, forKey: "author")
                    book.setValue(Set(fans(number).map { people[$0] }), forKey: "fans")
                }
                for number in 0..<drafts { insert("Draft").setValue("\(number)", forKey: "text") }
                try store.context.save()
            }
        }
    }

    /// Checks all objects and values of a file of a version, from both sides of relationships and
    /// by indexes.
    static func check(_ path: String, _ version: LibraryVersion) throws {
        try WorkStore.with(path, model: version.makeModel()) { store in
            try store.context.performAndWait {
                try compare(
                    try bookLines(store, version), (0..<books).map { bookLine($0, version) })
                try compare(try personLines(store, version), personLines())
                let found = try indexCounts(store, version)
                guard found == indexCounts(version) else {
                    throw Violation("\(version): fetches found \(found)")
                }
            }
        }
    }

    private static func compare(_ found: [String], _ expected: [String]) throws {
        for (one, other) in zip(found, expected) where one != other {
            throw Violation("there is \(one), should be \(other)")
        }
        guard found.count == expected.count else {
            throw Violation("\(found.count) objects, should be \(expected.count)")
        }
    }
}

/// What the objects should be.
extension MigratedLibrary {
    private static func bookLine(_ book: Int, _ version: LibraryVersion) -> String {
        let note = note(book) ?? (version == .first ? "nil" : "none")
        let fans = fans(book).map { "Author \($0)" }.sorted()
        let rest = version == .first ? Double(book % 900) : 2.5
        return "\(book), \(title(book)), \(note), \(cover(book)?.count ?? -1) bytes, "
            + "by \(author(book).map { ["Author \($0)"] } ?? []), fans \(fans), \(rest)"
    }

    private static func personLines() -> [String] {
        var written: [Int: [Int]] = [:]
        var liked: [Int: [Int]] = [:]
        for book in 0..<books {
            if let author = author(book) { written[author, default: []].append(book) }
            for fan in fans(book) { liked[fan, default: []].append(book) }
        }
        return (0..<authors).map {
            "Author \($0): \(written[$0] ?? []), likes \(liked[$0] ?? [])"
        }.sorted()
    }

    private static func indexCounts(_ version: LibraryVersion) -> [Int] {
        version == .first ? [1, 10, drafts] : [1, 10, books, 0]
    }
}

/// What they are.
extension MigratedLibrary {
    private static func bookLines(
        _ store: WorkStore, _ version: LibraryVersion
    ) throws -> [String] {
        let isFirst = version == .first
        let found: [NSManagedObject] = try store.all("Book", by: "number")
        return try found.map { book in
            let number = try integer(book)
            let cover = book.value(forKey: "cover") as? Data
            guard cover == MigratedLibrary.cover(number) else {
                throw Violation("the cover of book \(number) is another one")
            }
            let writers = names(book.value(forKey: isFirst ? "author" : "writers"))
            let fans = names(book.value(forKey: "fans"))
            let title = book.value(forKey: isFirst ? "title" : "name") as? String ?? "nil"
            let note = book.value(forKey: "note") as? String ?? "nil"
            let rest = book.value(forKey: isFirst ? "pages" : "rating") as? NSNumber
            return "\(number), \(title), \(note), \(cover?.count ?? -1) bytes, by \(writers), "
                + "fans \(fans), \(rest?.doubleValue ?? -1)"
        }
    }

    private static func personLines(
        _ store: WorkStore, _ version: LibraryVersion
    ) throws -> [String] {
        let people: [NSManagedObject] = try store.all(version == .first ? "Author" : "Writer")
        return try people.map { person in
            let name = person.value(forKey: "name") as? String ?? "nil"
            let books = try members(person.value(forKey: "books")).map(integer).sorted()
            let likes = try members(person.value(forKey: "favourites")).map(integer).sorted()
            return "\(name): \(books), likes \(likes)"
        }.sorted()
    }

    /// How many objects fetches find that indexes answer, and how many of entities come or go.
    private static func indexCounts(
        _ store: WorkStore, _ version: LibraryVersion
    ) throws -> [Int] {
        func count(_ entity: String, _ format: String = "TRUEPREDICATE") throws -> Int {
            let found: [NSManagedObject] = try store.all(entity, NSPredicate(format: format))
            return found.count
        }
        let counts = [
            try count("Book", "number == 17"), try count("Book", "number >= 40 AND number < 50"),
        ]
        guard version == .second else { return counts + [try count("Draft")] }
        return counts + [try count("Book", "rating == 2.5"), try count("Award")]
    }

    private static func integer(_ book: NSManagedObject) throws -> Int {
        guard let number = book.value(forKey: "number") as? NSNumber else {
            throw Violation("a book has no number")
        }
        return number.intValue
    }

    /// The members of a relationship, or its one destination.
    private static func members(_ value: Any?) -> [NSManagedObject] {
        if let one = value as? NSManagedObject { return [one] }
        if let ordered = value as? NSOrderedSet {
            return ordered.array.compactMap { $0 as? NSManagedObject }
        }
        return Array(value as? Set<NSManagedObject> ?? [])
    }

    private static func names(_ value: Any?) -> [String] {
        members(value).compactMap { $0.value(forKey: "name") as? String }.sorted()
    }
}
