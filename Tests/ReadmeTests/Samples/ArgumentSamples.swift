// SPDX-License-Identifier: Apache-2.0

import CoreData

/// Samples about the arguments of formats, and about key-value coding of collections.
enum ArgumentSamples {
    struct Shelf {
        let request: NSFetchRequest<Book>
        let context: NSManagedObjectContext

        // SAMPLE: FormatArguments.swift
        func books(where format: String, _ arguments: any CVarArg...) throws -> [Book] {
            request.predicate = NSPredicate(format: format, arguments: getVaList(arguments))
            return try context.fetch(request)
        }
        // SAMPLE: end
    }

    static func article(_ books: [Book]) -> NSNumber? {
        // SAMPLE: Fetching.md
        let total = (books as NSArray).value(forKeyPath: "@sum.price") as? NSNumber
        // SAMPLE: end
        return total
    }

    static func collections(_ books: [Book]) {
        // SAMPLE: CollectionCoding.swift
        let total = (books as NSArray).value(forKeyPath: "@sum.price") as? NSNumber
        let names = (books as NSArray).value(forKeyPath: "author.name") as? [String]
        // SAMPLE: end
        _ = (total, names)
        // SAMPLE: CollectionCoding.swift
        (books as NSArray).setValue(true, forKey: "isRead")
        // SAMPLE: end
    }

    static func expression() -> NSExpression {
        // SAMPLE: NSExpression+Making.swift
        let name = NSExpression(forKeyPath: \Book.author?.name)
        // SAMPLE: end
        return name
    }
}
