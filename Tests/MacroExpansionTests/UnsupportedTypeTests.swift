// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MacroExpansion

@Suite struct UnsupportedTypeTests {
    @Test(arguments: [
        ("UInt8", "use 'Int16', 'Int32', 'Int64' or 'Int', as the model declares"),
        ("Swift.UInt", "use 'Int16', 'Int32', 'Int64' or 'Int', as the model declares"),
        ("Character?", "use 'String'"), ("Foundation.NSDate", "use 'Date'"),
        ("(Int, String)", "no attribute holds such values"),
        ("((Int) -> Void)?", "no attribute holds such values"),
    ])
    func namesWhatToUse(type: String, advice: String) throws {
        let found = try #require(complaint("@Managed var a: \(type)"))
        #expect(found.message == "'@Managed' cannot have the type '\(type)': \(advice)")
    }

    @Test(arguments: [
        "[Item]", "Array<Item>?", "Set<Item>", "NSSet?", "Kind", "Module.UInt8", "Item?", "Data",
        "NSNumber?", "Optional<NSNumber>", "NSDecimalNumber?", "[String]?", "[String: Int]?",
        "Set<String>?", "NSArray?", "NSDictionary?", "NSNumber", "NSDecimalNumber", "[String]",
        "[[Item]]", "Set<String>", "[String: Int]", "Dictionary<String, Int>", "NSDictionary",
        "NSArray",
    ])
    func acceptsOthers(type: String) {
        #expect(complaint("@Managed var a: \(type)") == nil)
    }
}
