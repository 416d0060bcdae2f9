// SPDX-License-Identifier: Apache-2.0

import CoreData
import Testing

/// Arguments of formats as programs for Apple's systems pass and forward them.
@Suite struct FormatArgumentTests {
    private static let id = UUID(uuidString: "6B29FC40-CA47-1067-B31D-00DD010662DA") ?? UUID()
    private static let day = Date(timeIntervalSinceReferenceDate: 599_529_600)

    private func predicate(_ format: String, _ arguments: any CVarArg...) -> NSPredicate {
        NSPredicate(format: format, arguments: getVaList(arguments))
    }

    private func constant(_ predicate: NSPredicate) -> Any? {
        (predicate as? NSComparisonPredicate)?.rightExpression.constantValue
    }

    @Test func values_cast_to_arguments() throws {
        let (id, day) = (FormatArgumentTests.id, FormatArgumentTests.day)
        let url = try #require(URL(string: "https://a.example/x?y=1"))
        #expect(constant(NSPredicate(format: "a == %@", id as any CVarArg)) as? UUID == id)
        #expect(constant(NSPredicate(format: "a == %@", day as any CVarArg)) as? Date == day)
        let data = NSPredicate(format: "a == %@", Data([1, 2]) as any CVarArg)
        #expect(constant(data) as? Data == Data([1, 2]))
        #expect(constant(NSPredicate(format: "a == %@", url as any CVarArg)) as? URL == url)
        let price = try #require(Decimal(string: "1.1"))
        #expect(
            NSPredicate(format: "a == %@", price as any CVarArg)
                == NSPredicate(format: "a == %@", price))
        let null = NSPredicate(format: "a == %@", NSNull() as any CVarArg)
        #expect(null.description == "a == <null>")
        let number = NSPredicate(format: "a == %@", NSNumber(value: 3) as any CVarArg)
        #expect(number.description == "a == 3")
    }

    @Test func collections_cast_to_arguments() {
        let id = FormatArgumentTests.id
        let array = NSPredicate(format: "a IN %@", [id] as any CVarArg)
        #expect(array.evaluate(with: ["a": id]))
        #expect(!array.evaluate(with: ["a": UUID()]))
        let set = NSPredicate(format: "a IN %@", Set(["x", "y"]) as any CVarArg)
        #expect(set.evaluate(with: ["a": "y"]))
        let classic = NSPredicate(format: "a IN %@", NSSet(array: [1, 2]) as any CVarArg)
        #expect(classic.evaluate(with: ["a": 2]))
    }

    @Test func objects_are_arguments() throws {
        let container = NSPersistentContainer.inMemory()
        let context = container.viewContext
        let (ann, ben) = (Author(context: context), Author(context: context))
        (ann.name, ben.name) = ("Ann", "Ben")
        let book = Book(context: context)
        book.author = ann
        let request = Book.fetchRequest()
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            request.predicate = NSPredicate(format: "author == %@", ann as any CVarArg)
            #expect(try context.fetch(request) == [book])
            request.predicate = NSPredicate(format: "author IN %@", [ann.objectID] as any CVarArg)
            #expect(try context.fetch(request) == [book])
            request.predicate = predicate("author == %@", ben)
            #expect(try context.fetch(request) == [])
        }
    }

    @Test func arguments_are_forwarded() {
        let id = FormatArgumentTests.id
        let made = predicate("a == %@ AND b IN %@ AND c > %d AND %K == %f", id, [1], 3, "d", 0.5)
        #expect(
            made.description
                == "a == CAST(\"6B29FC40-CA47-1067-B31D-00DD010662DA\", \"NSUUID\") "
                + "AND b IN {1} AND c > 3 AND d == 0.5")
        let list = withVaList([id]) { NSPredicate(format: "a == %@", arguments: $0) }
        #expect(list.evaluate(with: ["a": id]))
        let expression = NSExpression(format: "a + %d", arguments: getVaList([3]))
        #expect(expression.description == "a + 3")
        let twice = withVaList([2]) { NSExpression(format: "a * %d", arguments: $0) }
        #expect(twice.description == "a * 2")
    }

    @Test func c_has_its_own_lists_of_arguments() {
        let text = withVaList([7, "x"]) { NSString(format: "%d %@", arguments: $0) }
        #expect(text == "7 x")
    }

    @Test func formats_of_strings_take_texts_of_values() {
        let (id, day) = (FormatArgumentTests.id, FormatArgumentTests.day)
        let text = String(format: "%@ %d", id as any CVarArg, 3)
        #expect(text == "6B29FC40-CA47-1067-B31D-00DD010662DA 3")
        #expect(String(format: "%@", day as any CVarArg) == "2020-01-01 00:00:00 +0000")
        #expect(String(format: "%@, %@", [1, 2], NSNumber(value: 5)) == "[1, 2], 5")
        #expect(String(format: "%@", "é" as NSString) == "é")
    }
}
