// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing

/// Turns lists of words into data.
private final class WordsTransformer: ManagedObjects.ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? [String]).map { Data($0.joined(separator: " ").utf8) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map {
            String(decoding: $0, as: UTF8.self).split(separator: " ").map(String.init)
        }
    }
}

@Suite struct TransformableTests {
    private func stack() throws -> Stack {
        ManagedObjects.ValueTransformer.setValueTransformer(
            WordsTransformer(), forName: NSValueTransformerName("TransformableTests.words"))
        let words = Build.attribute("words", .transformableAttributeType)
        words.valueTransformerName = "TransformableTests.words"
        let raw = Build.attribute("raw", .transformableAttributeType)
        return try Stack(Build.model(Build.entity("Thing", [words, raw])))
    }

    @Test func a_named_transformer_converts_both_ways() throws {
        let stack = try stack()
        let object = stack.context.make("Thing", ["words": ["a", "list"], "raw": Data([1, 2])])
        #expect(object.value(forKey: "words") as? [String] == ["a", "list"])
        try stack.context.save()
        try stack.reopen()
        let read = try #require(try stack.context.all("Thing").first)
        #expect(read.value(forKey: "words") as? [String] == ["a", "list"])
        #expect(read.value(forKey: "raw") as? Data == Data([1, 2]))
        read.setValue(nil, forKey: "words")
        try stack.context.save()
        #expect(read.value(forKey: "words") == nil)
    }

    @Test func a_value_that_makes_no_data_traps() async {
        await #expect(processExitsWith: .failure) {
            let raw = Build.attribute("raw", .transformableAttributeType)
            let stack = try Stack(Build.model(Build.entity("Thing", [raw])))
            stack.context.make("Thing", ["raw": 7])
        }
    }
}
