// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Dictionaries and counts of indexed attributes, which need not read records.
@Suite struct CoveringFetchTests {
    private func filled(isIndexed: Bool) throws -> Stack {
        let mark = Build.entity(
            "Mark",
            [
                Build.attribute("name"), Build.attribute("number", .integer64AttributeType),
                Build.attribute("price", .doubleAttributeType),
                Build.attribute("added", .dateAttributeType),
                Build.attribute("isOpen", .booleanAttributeType),
            ])
        if isIndexed {
            for name in ["name", "number", "price", "added"] { Build.index(mark, name) }
            Build.index(mark, "isOpen", "number")
        }
        let stack = try Stack(Build.model(mark))
        for number in 0..<300 {
            let object = stack.context.make("Mark", ["isOpen": number % 3 == 0])
            if number % 5 > 0 { object.setValue(number % 60, forKey: "number") }
            let name = number % 9 == 0 ? String(repeating: "n", count: 600) : "n"
            if number % 7 > 0 { object.setValue("\(name)\(number)", forKey: "name") }
            object.setValue([0.0, -0.0, 1.5, .nan, -2.5][number % 5], forKey: "price")
            object.setValue(
                Date(timeIntervalSinceReferenceDate: Double(number % 4) * -1.5), forKey: "added")
        }
        try stack.context.save()
        return stack
    }

    private func rows(
        _ stack: Stack, _ format: String, _ properties: [String], isDistinct: Bool
    ) throws -> [String] {
        let request = NSFetchRequest<NSDictionary>(entityName: "Mark")
        request.resultType = .dictionaryResultType
        request.predicate = NSPredicate(format: format)
        request.propertiesToFetch = properties
        request.returnsDistinctResults = isDistinct
        let found = try stack.context.fetch(request)
        #expect(
            try isDistinct || stack.context.count(for: plain(request)) == found.count, "\(format)")
        return found.map { row in
            properties.map { "\($0): \(row[$0] ?? "nil")" }.joined(separator: ", ")
        }.sorted()
    }

    private func plain(_ request: NSFetchRequest<NSDictionary>) -> NSFetchRequest<NSDictionary> {
        let plain = NSFetchRequest<NSDictionary>(entityName: "Mark")
        plain.predicate = request.predicate
        return plain
    }

    private static let questions: [(String, [String])] = [
        ("number < 20", ["number"]), ("number IN {3, 4, 59}", ["number"]),
        ("name BEGINSWITH 'n1'", ["name"]), ("name BEGINSWITH 'nnn'", ["name"]),
        ("name == nil", ["name"]), ("price <= 0", ["price"]), ("price > -9", ["price"]),
        ("added <= %@", ["added"]), ("isOpen == YES", ["isOpen", "number"]),
        ("isOpen == YES AND number > 9", ["number"]), ("number < 20", ["number", "name"]),
        ("number < 20 AND name CONTAINS '1'", ["number"]),
    ]

    @Test(arguments: questions)
    func indexed_dictionaries_are_those_of_records(format: String, names: [String]) throws {
        let format = format.replacingOccurrences(of: "%@", with: "CAST(-1, 'NSDate')")
        let (indexed, plain) = (try filled(isIndexed: true), try filled(isIndexed: false))
        for isDistinct in [false, true] {
            let found = try rows(indexed, format, names, isDistinct: isDistinct)
            #expect(try found == rows(plain, format, names, isDistinct: isDistinct))
            #expect(!found.isEmpty)
        }
    }

    @Test func unsaved_changes_count_where_objects_are_counted() throws {
        let context = try filled(isIndexed: true).context
        let request = NSFetchRequest<NSManagedObject>(entityName: "Mark")
        request.predicate = NSPredicate(format: "number == 3")
        let saved = try context.count(for: request)
        context.make("Mark", ["number": 3])
        #expect(try context.count(for: request) == saved + 1)
        try context.save()
        let child = Stack.child(of: context)
        #expect(try child.performAndWait { try child.count(for: request) } == saved + 1)
    }
}
