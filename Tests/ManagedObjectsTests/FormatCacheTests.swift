// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import ManagedObjects

/// Formats that are used again and again.
@Suite struct FormatCacheTests {
    private func text(_ format: String, _ arguments: Any?...) throws -> String {
        try NSPredicate.parse(format, arguments: arguments).description
    }

    @Test func a_format_takes_other_arguments_each_time() throws {
        for _ in 0..<3 {
            #expect(try text("cached == %@", "x") == "cached == \"x\"")
            #expect(try text("cached == %@", 7) == "cached == 7")
            #expect(try text("cached == %@", nil) == "cached == nil")
            #expect(try text("cached IN %@", [1, 2]) == "cached IN {1, 2}")
            #expect(try text("cached IN %@", 1...2) == "cached BETWEEN {1, 2}")
            #expect(try text("%K > %d", "one", 1) == "one > 1")
            #expect(try text("%K > %d", "two.three", 2) == "two.three > 2")
            #expect(try text("cached == -%@", 5) == "cached == -5")
            #expect(try text("cached == -%@", 6) == "cached == -6")
            #expect(
                try text("cached == %@", NSExpression(forKeyPath: "other")) == "cached == other")
        }
    }

    @Test func mistakes_are_the_same_each_time() throws {
        func message(_ format: String, _ arguments: Any?...) -> String? {
            do {
                _ = try NSPredicate.parse(format, arguments: arguments)
                return nil
            } catch { return "\(error)" }
        }
        let wrong = message("mistaken == %d", "text")
        let few = message("mistaken == %d")
        let many = message("mistaken == %d", 1, 2)
        #expect(wrong != nil && few != nil && many != nil)
        for _ in 0..<3 {
            #expect(message("mistaken == %d", 1) == nil)
            #expect(message("mistaken == %d", "text") == wrong)
            #expect(message("mistaken == %d") == few)
            #expect(message("mistaken == %d", 1, 2) == many)
        }
    }

    /// Swift takes these texts for equal, which name different keys.
    @Test func formats_are_told_by_their_bytes() throws {
        for _ in 0..<3 {
            #expect(try text("K1 == %@", 1).utf8.elementsEqual("K1 == 1".utf8))
            #expect(try text("\u{212A}1 == %@", 1).utf8.elementsEqual("\u{212A}1 == 1".utf8))
            #expect(try text("x == 'caf\u{E9}'").utf8.elementsEqual("x == \"caf\u{E9}\"".utf8))
            #expect(
                try text("x == 'cafe\u{301}'").utf8.elementsEqual("x == \"cafe\u{301}\"".utf8))
        }
    }

    @Test func only_so_many_formats_are_kept() throws {
        for number in 0..<2_000 {
            #expect(try text("counted == \(number)") == "counted == \(number)")
        }
        #expect(1...FormatCache.greatestCount ~= FormatCache.count)
    }

    @Test func threads_share_the_formats() async {
        await withTaskGroup(of: Int.self) { group in
            for task in 0..<8 {
                group.addTask {
                    (0..<500).count { number in
                        let made = NSPredicate(
                            format: "shared\(number % 40) == %@ AND %K > %d", "t\(task)", "key",
                            number)
                        return made.description
                            == "shared\(number % 40) == \"t\(task)\" AND key > \(number)"
                    }
                }
            }
            for await right in group { #expect(right == 500) }
        }
    }
}
