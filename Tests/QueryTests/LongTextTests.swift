// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema
import Testing

/// Texts whose index keys are cut at 511 bytes.
@Suite struct LongTextTests {
    private let long = String(repeating: "x", count: 600)

    private func library(isIndexed: Bool) throws -> TestLibrary {
        let library = try TestLibrary(isIndexed: isIndexed)
        for suffix in ["c", "a", "", "b", "a"] {
            library.add("Tag", ["label": .string(long + suffix)])
        }
        for text in ["a", "z", String(repeating: "x", count: 509), "y"] {
            library.add("Tag", ["label": .string(text)])
        }
        return library
    }

    @Test(arguments: ["==", "<", "<=", ">", ">=", "!=", "BEGINSWITH"])
    func comparisons(_ relation: String) throws {
        for suffix in ["", "a", "b", "zz"] {
            let format = "label \(relation) '\(long)\(suffix)'"
            let library = try library(isIndexed: true)
            let snapshot = try library.save()
            let plan = try library.plan("Tag", format)
            let wanted = try library.expected(plan.fetch)
            #expect(try plan.keys(in: snapshot).sorted() == wanted, "\(relation) \(suffix)")
        }
    }

    @Test func cutKeysStayInTheFilter() throws {
        let library = try library(isIndexed: true)
        let lines = try library.plan("Tag", "label == '\(long)'").description.split(separator: "\n")
        #expect(lines.count == 3)
        #expect(lines.last?.hasPrefix("  filter label ==") == true)
    }

    @Test(arguments: [true, false])
    func order(isAscending: Bool) throws {
        let library = try library(isIndexed: true)
        let snapshot = try library.save()
        for limit in 0...9 {
            let plan = try library.plan(
                "Tag", sort: [SortOrder(keyPath: ["label"], isAscending: isAscending)],
                limit: limit, offset: limit / 3)
            #expect(plan.description.contains("order from index"))
            #expect(try Array(plan.keys(in: snapshot)) == library.expected(plan.fetch))
        }
    }
}
