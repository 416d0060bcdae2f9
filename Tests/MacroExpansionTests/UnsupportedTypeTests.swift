// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MacroExpansion

@Suite struct UnsupportedTypeTests {
    @Test(arguments: [
        ("UInt8", "use 'Int16', 'Int32', 'Int64' or 'Int', as the model declares"),
        ("Swift.UInt", "use 'Int16', 'Int32', 'Int64' or 'Int', as the model declares"),
        ("Character?", "use 'String'"), ("Foundation.NSDate", "use 'Date'"),
        (
            "NSNumber",
            "declare 'NSNumber?', or the number's own type, such as 'Int64', 'Double' or 'Bool'"
        ),
        ("NSDecimalNumber", "declare 'NSDecimalNumber?', or use 'Decimal'"),
        ("(Int, String)", "no attribute holds such values"),
        ("((Int) -> Void)?", "no attribute holds such values"),
    ])
    func namesWhatToUse(type: String, advice: String) throws {
        let found = try #require(complaint("@Managed var a: \(type)"))
        #expect(found.message == "'@Managed' cannot have the type '\(type)': \(advice)")
    }

    @Test(arguments: [
        "[String]", "[[Item]]", "Array<String>", "Set<String>", "[String: Int]",
        "[String: [Int]]", "Dictionary<String, Int>", "[Item?]", "NSDictionary",
    ])
    func suggestsTransformableAttributes(type: String) throws {
        let found = try #require(complaint("@Managed var a: \(type)"))
        #expect(
            found.message == "'@Managed' cannot have the type '\(type)': declare an optional of"
                + " it, the value of a transformable attribute, or use a relationship")
    }

    @Test(arguments: [
        "[Item]", "Array<Item>?", "Set<Item>", "NSSet?", "Kind", "Module.UInt8", "Item?", "Data",
        "NSNumber?", "Optional<NSNumber>", "NSDecimalNumber?", "[String]?", "[String: Int]?",
        "Set<String>?", "NSArray?", "NSDictionary?",
    ])
    func acceptsOthers(type: String) {
        #expect(complaint("@Managed var a: \(type)") == nil)
    }
}
