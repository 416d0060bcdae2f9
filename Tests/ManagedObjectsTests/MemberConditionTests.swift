// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing
import _TestSupport

/// `SUBQUERY(…).@count`, planned from the members' end, beside unsaved changes.
@Suite(.inBothPlaces) struct MemberConditionTests {
    /// Shelves of books with tags; labels of tags are indexed.
    private static func model() -> NSManagedObjectModel {
        let shelf = Build.entity("Shelf", [Build.attribute("name")])
        let book = Build.entity(
            "Book", [Build.attribute("title"), Build.attribute("year", .integer64AttributeType)])
        let tag = Build.entity("Tag", [Build.attribute("label")])
        Build.inverse(
            Build.relationship("shelf", of: book, to: shelf, max: 1),
            Build.relationship("books", of: shelf, to: book, max: 0))
        Build.inverse(
            Build.relationship("tags", of: book, to: tag, max: 0),
            Build.relationship("books", of: tag, to: book, max: 0))
        let label = tag.attributesByName["label"].map {
            NSFetchIndexElementDescription(property: $0, collationType: .binary)
        }
        tag.indexes = [
            NSFetchIndexDescription(name: "byLabel", elements: [label].compactMap { $0 })
        ]
        return Build.model(shelf, book, tag)
    }

    /// Conditions on members of a book, `%@` standing for what asks the book itself as well: then
    /// no entity's filter or index can answer, and each book is asked.
    private static let questions = [
        "SUBQUERY(tags, $t, $t.label == 'x'%@).@count > 0",
        "SUBQUERY(tags, $t, $t.label == 'x'%@).@count == 0",
        "SUBQUERY(tags, $t, $t.label == 'x'%@).@count >= 2",
        "SUBQUERY(tags, $t, NOT ($t.label IN {'x', 'y'})%@).@count != 0",
        "SUBQUERY(tags, $t, $t.books.@count > 2%@).@count > 0",
        "SUBQUERY(shelf.books, $b, $b.year > 4 AND ANY $b.tags.label == 'x'%@).@count > 0",
        "SUBQUERY(shelf.books, $b, $b.year > 4 AND "
            + "SUBQUERY($b.tags, $t, $t.label == 'x').@count > 0%@).@count < 2",
        "SUBQUERY(shelf.books, $b, $b.title == 'y'%@).@count > 0 AND year < 7",
    ]

    private func check(
        _ context: NSManagedObjectContext, isSaved: Bool, _ place: Comment
    ) throws {
        let books = try context.all("Book")
        for question in Self.questions {
            func predicate(_ own: String) -> NSPredicate {
                NSPredicate(format: question.replacing("%@", with: own))
            }
            let wanted = Set(try context.all("Book", predicate(" AND SELF == SELF")))
            let found = try context.all("Book", predicate(""))
            #expect(Set(found) == wanted, "\(place): \(question)")
            #expect(found.count == wanted.count, "\(place): \(question)")
            guard isSaved else { continue }
            let holding = books.filter { predicate("").evaluate(with: $0) }
            #expect(Set(holding) == wanted, "\(place): \(question)")
        }
    }

    private func change(_ context: NSManagedObjectContext, _ random: inout SeededGenerator) throws {
        func any(_ entity: String) throws -> NSManagedObject? {
            let all = try context.all(entity).sorted {
                $0.objectID.uriRepresentation().path < $1.objectID.uriRepresentation().path
            }
            return all.isEmpty ? nil : all[Int.random(in: all.indices, using: &random)]
        }
        let label = ["x", "y", "z"][Int.random(in: 0..<3, using: &random)]
        switch Int.random(in: 0..<9, using: &random) {
        case 0:
            let year = Int.random(in: 0..<9, using: &random)
            context.make("Book", ["title": label, "year": year])
                .setValue(try any("Shelf"), forKey: "shelf")
        case 1: context.make("Tag", ["label": label])
        case 2, 3: try any("Tag")?.setValue(label, forKey: "label")
        case 4: try any("Book")?.setValue(try any("Shelf"), forKey: "shelf")
        case 5, 6:
            guard let book = try any("Book"), let tag = try any("Tag") else { return }
            let tags = book.many("tags")
            book.setValue(
                tags.contains(tag) ? tags.subtracting([tag]) : tags.union([tag]), forKey: "tags")
        case 7: try any("Book")?.setValue(Int.random(in: 0..<9, using: &random), forKey: "year")
        default: if let gone = try any(label == "x" ? "Book" : "Tag") { context.delete(gone) }
        }
    }

    @Test(arguments: 1...8)
    func planned_and_asked_of_each_agree(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let stack = try Stack(Self.model())
        let context = stack.context
        for name in ["a", "b", "c"] { context.make("Shelf", ["name": name]) }
        for _ in 0..<40 { try change(context, &random) }
        for step in 0..<40 {
            try change(context, &random)
            try check(context, isSaved: false, "seed \(seed), step \(step)")
            switch step % 10 {
            case 3:
                try context.save()
                try check(context, isSaved: true, "seed \(seed), saved at \(step)")
            case 6:
                let child = Stack.child(of: context)
                for _ in 0..<3 { try change(child, &random) }
                try check(child, isSaved: false, "seed \(seed), child of step \(step)")
                if step > 20 { try child.save() }
            case 9: if step > 20 { context.rollback() }
            default: break
            }
        }
        try context.save()
        try check(context, isSaved: true, "seed \(seed), saved")
    }
}
