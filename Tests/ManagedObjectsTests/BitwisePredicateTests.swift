// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// Operators on bits wherever a predicate runs.
@Suite struct BitwisePredicateTests {
    private static func model() -> NSManagedObjectModel {
        let file = Build.entity(
            "File",
            [
                Build.attribute("name"), Build.attribute("flags", .integer32AttributeType),
                Build.attribute("weight", .doubleAttributeType),
            ])
        Build.inverse(
            Build.relationship("folder", of: file, to: file, max: 1),
            Build.relationship("files", of: file, to: file, max: 0))
        return Build.model(file)
    }

    private static let flags: [String: Int?] = [
        "none": 0, "one": 1, "four": 4, "five": 5, "all": -1, "nil": nil,
    ]

    static let formats: [(String, [String])] = [
        ("flags & 4 == 4", ["all", "five", "four"]),
        ("flags & 5 == 5", ["all", "five"]),
        ("(flags & 4) > 0", ["all", "five", "four"]),
        // Nil differs from each number, as it does without an operator.
        ("flags & 4 != 0", ["all", "five", "four", "nil"]),
        ("flags & 4 == nil", ["nil"]),
        ("flags | 1 == 5", ["five", "four"]),
        ("flags ^ 5 == 0", ["five"]),
        ("~flags == 0", ["all"]),
        ("flags & ~1 == 4", ["five", "four"]),
        ("flags << 1 == 8", ["four"]),
        ("flags >> 2 == 1", ["five", "four"]),
        ("flags >> 99 == -1", ["all"]),
        ("1 << flags == 32", ["five"]),
        ("flags & flags >> 2 == 1", ["five"]),
        ("folder.flags & 4 == 4", ["five"]),
        ("ANY files.flags == 5 AND flags & 1 == 0", ["four"]),
        ("SUBQUERY(files, $f, $f.flags & 1 == 1).@count == 1", ["four"]),
    ]

    private func fill(_ context: NSManagedObjectContext) -> [NSManagedObject] {
        let objects = Self.flags.map { name, flags in
            context.make("File", flags.map { ["name": name, "flags": $0] } ?? ["name": name])
        }
        let four = objects.first { $0.text("name") == "four" }
        objects.first { $0.text("name") == "five" }?.setValue(four, forKey: "folder")
        return objects
    }

    @Test(arguments: formats)
    func find_the_same_everywhere(_ format: String, _ wanted: [String]) throws {
        let stack = try Stack(Self.model())
        let context = stack.context
        let objects = fill(context)
        let predicate = NSPredicate(format: format)
        let child = Stack.child(of: context)
        for isSaved in [false, true] {
            if isSaved { try context.save() }
            #expect(try context.names("File", format) == wanted)
            let inChild = try child.performAndWait { try child.names("File", format) }
            #expect(inChild == wanted)
            let held = objects.filter { predicate.evaluate(with: $0) }.map { $0.text("name") }
            #expect(held.sorted() == wanted)
        }
        try stack.reopen()
        #expect(try stack.context.names("File", format) == wanted)
    }

    @Test func work_on_dictionaries_and_on_numbers() {
        let predicate = NSPredicate(format: "flags & %d == %d AND name == %@", 4, 4, "x")
        #expect(predicate.evaluate(with: ["flags": 6, "name": "x"] as [String: Any]))
        #expect(!predicate.evaluate(with: ["flags": 3, "name": "x"] as [String: Any]))
        #expect(!predicate.evaluate(with: ["name": "x"]))
        #expect(NSPredicate(format: "SELF & 1 == 1").evaluate(with: 7))
        #expect(!NSPredicate(format: "SELF & 1 == 1").evaluate(with: NSNumber(value: 8)))
    }

    @Test func are_functions_of_expressions() {
        let parsed = NSPredicate(format: "(key & 1) > 0") as? NSComparisonPredicate
        #expect(parsed?.leftExpression.expressionType == .function)
        #expect(parsed?.leftExpression.function == "bitwiseAnd:with:")
        #expect(parsed?.leftExpression.arguments?.first?.keyPath == "key")
        #expect(parsed?.leftExpression.arguments?.last?.constantValue as? Int == 1)
        let built = NSExpression(
            forFunction: "bitwiseAnd:with:", arguments: [NSExpression(forKeyPath: "key"), 1])
        #expect(built == parsed?.leftExpression)
        #expect(built.description == "key & 1")
        #expect(built.expressionValue(with: ["key": 3], context: nil) as? Int == 1)
        let shift = NSExpression(format: "%d << %d", 1, 200)
        #expect(shift.expressionValue(with: nil, context: nil) as? Int == 0)
    }

    @Test func other_types_are_refused_by_name() throws {
        let stack = try Stack(Self.model())
        for isFilled in [false, true] {
            if isFilled { _ = fill(stack.context) }
            let error = #expect(throws: CocoaError.self) {
                try stack.context.names("File", "weight & 1 == 1")
            }
            #expect(error?.errorCode == 134_070)
            let text = "\(error?.userInfo ?? [:])"
            #expect(
                text.contains("bitwiseAnd:with: needs integers, and weight is of the type double"))
        }
    }
}
