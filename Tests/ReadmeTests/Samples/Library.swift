// SPDX-License-Identifier: Apache-2.0

import CoreData

// The classes of the samples about books and films.

final class Book: NSManagedObject {
    @Managed var title: String
    @Managed var year: Int32
    @Managed var author: Author?
    @Managed var authors: Set<Author>
    @Managed var shelf: Shelf?
}

final class Author: NSManagedObject {
    @Managed var name: String
}

final class Shelf: NSManagedObject {
    @Managed var books: Set<Book>
}

final class Film: NSManagedObject {
    @Managed var episode: Int32
}
