// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Testing

/// What the dictionaries of a fetch hold, of each type.
@Suite struct DictionaryValueTests {
    private static let types: [(String, NSAttributeType)] = [
        ("small", .integer16AttributeType), ("middle", .integer32AttributeType),
        ("large", .integer64AttributeType), ("precise", .doubleAttributeType),
        ("rough", .floatAttributeType), ("flag", .booleanAttributeType),
        ("exact", .decimalAttributeType), ("text", .stringAttributeType),
        ("day", .dateAttributeType), ("mark", .UUIDAttributeType), ("link", .URIAttributeType),
        ("bytes", .binaryDataAttributeType), ("list", .transformableAttributeType),
        ("empty", .stringAttributeType),
    ]

    private func stack() throws -> Stack {
        let thing = Build.entity("Thing", Self.types.map { Build.attribute($0.0, $0.1) })
        thing.attributesByName["list"]?.valueTransformerName = "NSSecureUnarchiveFromData"
        let owner = Build.entity("Owner", [Build.attribute("name")])
        _ = Build.relationship("owner", of: thing, to: owner, max: 1)
        let stack = try Stack(Build.model(thing, owner))
        let object = stack.context.make(
            "Thing",
            [
                "small": 1, "middle": 2, "large": 3, "precise": 4.5, "rough": Float(5.5),
                "flag": true, "exact": NSDecimalNumber(string: "6.25"), "text": "sieben",
                "day": Date(timeIntervalSinceReferenceDate: 8), "mark": Self.mark,
                "link": URL(string: "http://nine.example")!, "bytes": Data([10]),
                "list": ["elf", "zwölf"],
            ])
        object.setValue(stack.context.make("Owner", ["name": "Ann"]), forKey: "owner")
        try stack.context.save()
        return stack
    }

    private static let mark = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7))

    private func row(_ columns: [String], _ stack: Stack) throws -> NSDictionary {
        let request = NSFetchRequest<NSDictionary>(entityName: "Thing")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = columns
        let rows = try stack.context.fetch(request)
        return try #require(rows.first)
    }

    /// Those whose objects are made at once, and all together.
    @Test(arguments: [false, true])
    func values_are_of_swifts_types(withAll: Bool) throws {
        let stack = try stack()
        let plain = [
            "small", "middle", "large", "precise", "rough", "flag", "exact", "text", "day",
            "empty", "owner", "owner.name",
        ]
        let row = try row(plain + (withAll ? ["mark", "link", "bytes", "list"] : []), stack)
        #expect(row.count == (withAll ? 15 : 11))
        #expect(!(row is NSMutableDictionary))
        #expect(row["small"] as? Int == 1)
        #expect(row["middle"] as? Int32 == 2)
        #expect(row["large"] as? NSNumber == 3)
        #expect(row["precise"] as? Double == 4.5)
        #expect(row["rough"] as? Float == 5.5)
        #expect(row["flag"] as? Bool == true)
        #expect(row["exact"] as? NSDecimalNumber == NSDecimalNumber(string: "6.25"))
        #expect(row["text"] as? String == "sieben")
        #expect(row["day"] as? Date == Date(timeIntervalSinceReferenceDate: 8))
        #expect(row["empty"] == nil)
        let owner = try stack.context.named("Ann", "Owner")
        #expect(row["owner"] as? NSManagedObjectID == owner?.objectID)
        #expect(row["owner.name"] as? String == "Ann")
        guard withAll else { return }
        #expect(row["mark"] as? UUID == Self.mark)
        #expect(row["link"] as? URL == URL(string: "http://nine.example"))
        #expect(row["bytes"] as? Data == Data([10]))
        #expect(row["list"] as? [String] == ["elf", "zwölf"])
    }

    /// A dictionary of another class than Foundation's own would be empty here.
    @Test func become_dictionaries_of_swift() throws {
        let stack = try stack()
        let row = try row(["small", "text", "empty"], stack)
        let own = try #require(row as? [String: Any])
        #expect(own.keys.sorted() == ["small", "text"])
        #expect(own["small"] as? Int == 1)
        #expect(own["text"] as? String == "sieben")
        #expect(row == ["small": 1, "text": "sieben"])
        #expect(row.copy() as? NSDictionary == row)
        let changed = try #require(row.mutableCopy() as? NSMutableDictionary)
        changed["text"] = "acht"
        #expect(changed == ["small": 1, "text": "acht"])
        let json = try JSONSerialization.data(withJSONObject: row, options: .sortedKeys)
        #expect(String(decoding: json, as: UTF8.self) == #"{"small":1,"text":"sieben"}"#)
    }

    @Test func the_last_column_of_a_name_that_has_a_value_counts() throws {
        let stack = try stack()
        let request = NSFetchRequest<NSDictionary>(entityName: "Thing")
        request.resultType = .dictionaryResultType
        let other = NSExpressionDescription()
        other.name = "text"
        other.expression = NSExpression(forKeyPath: "large")
        let none = NSExpressionDescription()
        none.name = "text"
        none.expression = NSExpression(forKeyPath: "empty")
        request.propertiesToFetch = ["text", other, none]
        #expect(try stack.context.fetch(request) == [["text": 3]])
    }
}
