// SPDX-License-Identifier: Apache-2.0

import Schema
import Testing

@testable import ECS

@Suite struct URIPrefixTests {
    private let prefix = URIPrefix("x-coredata://A/Stat/p", EntityNumber(rawValue: 7))

    @Test(
        arguments: [
            (1, "x-coredata://A/Stat/p1"), (10, "x-coredata://A/Stat/p10"),
            (140_737_488_355_327, "x-coredata://A/Stat/p140737488355327"),
        ] as [(UInt64, String)])
    func rows(row: UInt64, text: String) {
        #expect(prefix.text(ofRow: row) == text)
        #expect(prefix.row(in: text) == .some(row))
    }

    @Test(arguments: ["p0", "p1x", "p-1", "p 1", "p140737488355328", "p1234567890123456"])
    func noRows(end: String) {
        #expect(prefix.row(in: "x-coredata://A/Stat/" + end) == .some(nil))
    }

    @Test(arguments: [
        "", "x", "x-coredata://A/Stat/p", "x-coredata://A/Stat/t1", "x-coredata://B/Stat/p1",
        "x-coredata://A/Stats/p1",
    ])
    func otherTexts(text: String) {
        #expect(prefix.row(in: text) == nil as UInt64??)
    }
}
