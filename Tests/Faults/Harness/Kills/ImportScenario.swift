// SPDX-License-Identifier: Apache-2.0

import Lode

/// Imports of a folder: into a new store, which is there in full or not at all, and then into that
/// one, batch by batch.
struct ImportScenario: KillScenario {
    let name = "imports"

    private static let books = 240
    private static let shelves = 7

    private func source(_ place: WorkPlace) -> String { place.folder + "/source" }

    private var options: ImportOptions {
        var options = ImportOptions()
        options.batchSize = 50
        return options
    }

    /// Writes the files of a version: the stock of each book is the version.
    private func write(_ version: Int, _ place: WorkPlace) throws {
        let folder = source(place)
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true)
        var books = "BookId,Title,Stock,ShelfId\n"
        for book in 1...Self.books {
            books += "\(book),Title \(book),\(version),\(book % Self.shelves + 1)\n"
        }
        var shelves = "ShelfId,Name\n"
        for shelf in 1...Self.shelves { shelves += "\(shelf),Shelf \(shelf)\n" }
        try Data(books.utf8).write(to: URL(fileURLWithPath: folder + "/Book.csv"))
        try Data(shelves.utf8).write(to: URL(fileURLWithPath: folder + "/Shelf.csv"))
    }

    /// Imports a version.
    func load(_ version: Int, _ place: WorkPlace) throws {
        try write(version, place)
        let importer = try LibraryImporter(
            path: source(place), into: URL(fileURLWithPath: place.path), options: options)
        let report = try importer.load()
        guard report.entities.allSatisfy({ $0.rejected == 0 }) else {
            throw Violation("rows were rejected: \(report)")
        }
    }

    func work(
        _ place: WorkPlace, from step: Int, _ acknowledge: (Int) throws -> Void
    ) throws {
        var version = step
        while true {
            version += 1
            try load(version, place)
            try acknowledge(version)
        }
    }

    func check(_ place: WorkPlace, from: Int, acknowledged: Int) throws -> Int {
        let isThere = FileManager.default.fileExists(atPath: place.path)
        guard isThere || acknowledged == 0 else { throw Violation("the file is gone") }
        if isThere {
            let stocks = try self.stocks(place)
            // A new store has all of its first version.
            let least = max(acknowledged, 1)
            guard stocks.isSubset(of: [least, acknowledged + 1]) else {
                throw Violation("version \(acknowledged) was imported, the stocks are \(stocks)")
            }
        }
        // The next import repairs what is half done, and takes away what was left.
        try load(acknowledged + 1, place)
        let stocks = try self.stocks(place)
        guard stocks == [acknowledged + 1] else {
            throw Violation("importing again left \(stocks)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: place.folder)
            .filter { $0.contains(".import-") }
        guard left.isEmpty else { throw Violation("\(left) were left behind") }
        return acknowledged + 1
    }

    /// The stocks of all books, which have to be there.
    private func stocks(_ place: WorkPlace) throws -> Set<Int> {
        let url = URL(fileURLWithPath: place.path)
        try NSPersistentStore.verify(at: url)
        let model = try NSManagedObjectModel.stored(at: url)
        func key(_ entity: String, _ wanted: String) throws -> String {
            let names = model.entitiesByName[entity]?.propertiesByName.keys.map { $0 } ?? []
            guard let found = names.first(where: { $0.lowercased() == wanted }) else {
                throw Violation("\(entity) has \(names), but no \(wanted)")
            }
            return found
        }
        let (stock, shelf) = (try key("Book", "stock"), try key("Book", "shelf"))
        return try WorkStore.with(place.path, model: model) { store in
            try store.context.performAndWait {
                let books: [NSManagedObject] = try store.all("Book")
                guard books.count == Self.books,
                    try (store.all("Shelf") as [NSManagedObject]).count == Self.shelves
                else { throw Violation("\(books.count) books, should be \(Self.books)") }
                guard books.allSatisfy({ $0.value(forKey: shelf) is NSManagedObject }) else {
                    throw Violation("books without a shelf")
                }
                return Set(books.compactMap { ($0.value(forKey: stock) as? NSNumber)?.intValue })
            }
        }
    }
}
