// SPDX-License-Identifier: Apache-2.0

import CoreData

extension NSPersistentContainer {
    /// Inserts the shelves, then the books with their inverses, a save every `commitSize`.
    func fill(_ books: [BookRow], shelves: [Int], shelfCount: Int, commitSize: Int) throws {
        let context = newBackgroundContext()
        try context.performAndWait {
            let all = (0..<shelfCount).map { number in
                let shelf = Shelf(context: context)
                shelf.name = "Shelf \(number)"
                return shelf
            }
            for (index, row) in books.enumerated() {
                let book = ShelvedBook(context: context)
                book.fill(from: row)
                book.shelf = all[shelves[index]]
                if index % commitSize == commitSize - 1 { try context.save() }
            }
            try context.save()
        }
    }
}
