// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MacroExpansion

@Suite struct UnsupportedTypeTests {
    @Test(arguments: [
        ("UInt8", "use 'Int16', 'Int32', 'Int64' or 'Int', as the model declares"),
        ("Swift.UInt", "use 'Int16', 'Int32', 'Int64' or 'Int', as the model declares"),
        ("Character?", "use 'String'"), ("Foundation.NSDate", "use 'Date'"),
        (
            "NSNumber?",
            "use the number's own type, such as 'Int64', 'Double' or 'Bool'; 'value(forKey:)'"
                + " returns 'NSNumber'"
        ),
    ])
    func namesWhatToUse(type: String, advice: String) throws {
        let found = try #require(complaint("@Managed var a: \(type)"))
        #expect(found.message == "'@Managed' cannot have the type '\(type)': \(advice)")
    }

    @Test(arguments: [
        "[String]", "[[Item]]", "[Int]?", "Array<String>", "Set<String>", "[String: Int]",
        "[String: [Int]]", "Dictionary<String, Int>", "(Int, String)", "(Int) -> Void", "[Item?]",
    ])
    func suggestsTransformableAttributes(type: String) throws {
        let found = try #require(complaint("@Managed var a: \(type)"))
        #expect(
            found.message == "'@Managed' cannot have the type '\(type)': declare a transformable"
                + " attribute in the model and read it with 'value(forKey:)', or use a"
                + " relationship")
    }

    @Test(arguments: [
        "[Item]", "Array<Item>?", "Set<Item>", "NSSet?", "Kind", "Module.UInt8", "Item?", "Data",
    ])
    func acceptsOthers(type: String) {
        #expect(complaint("@Managed var a: \(type)") == nil)
    }
}
