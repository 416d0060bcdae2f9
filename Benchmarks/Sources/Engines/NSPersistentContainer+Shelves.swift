// SPDX-License-Identifier: Apache-2.0

import CoreData

extension NSPersistentContainer {
    /// Inserts the shelves, then the books with their inverses, a save every `commitSize`.
    func fill(_ source: BookSource, shelfCount: Int, commitSize: Int) throws {
        let context = newBackgroundContext()
        try context.performAndWait {
            let all = (0..<shelfCount).map { number in
                let shelf = Shelf(context: context)
                shelf.name = BookGenerator.shelfName(number)
                return shelf
            }
            var unsaved = 0
            while let row = source.next() {
                let book = ShelvedBook(context: context)
                book.fill(from: row)
                book.shelf = all[Int(row.shelf)]
                unsaved += 1
                guard unsaved == commitSize else { continue }
                try context.save()
                unsaved = 0
            }
            try context.save()
        }
    }
}
