// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Predicates
import Synchronization
import Testing
import _TestSupport

/// Text from outside never crashes the parser.
struct HostileFormatTests {
    static let bombs: [String] = [
        "(", "{", "NOT ", "!", "-", "a[", "sum(", "1+(", "CAST(", "a == (", "TERNARY(a == ",
        "SUBQUERY(a, $x, ", "NOT(", "2**(", "a IN {",
        "(1|2^3&4<<5+6*7**", "a[')' + (",
    ].map { String(repeating: $0, count: 10_000) }

    static let chains: [String] = [" + 1", " ** 2", " UNION b", "[0]", "[0].a", " - a"].map {
        "a" + String(repeating: $0, count: 10_000) + " == 1"
    }

    @Test(arguments: bombs + chains)
    func nesting(_ text: String) throws {
        let error = try #require(throws: PredicateSyntaxError.self) {
            try Predicates.Predicate(format: text)
        }
        #expect(error.code == .nestedTooDeeply)
        #expect(error.description.utf8.count < 1_000)
    }

    @Test func allowedNesting() throws {
        let text = Self.brackets(399)
        #expect(try Predicates.Predicate(format: text).predicateFormat == "a == 1")
        let error = try #require(throws: PredicateSyntaxError.self) {
            try Predicates.Predicate(format: Self.brackets(400))
        }
        #expect(error.code == .nestedTooDeeply)
        #expect(error.expected == "at most 400 levels of nesting")
        let sum = "a" + String(repeating: " + 1", count: 250) + " == 1"
        #expect(try Predicates.Predicate(format: sum).predicateFormat == sum)
    }

    private static func brackets(_ count: Int) -> String {
        String(repeating: "(", count: count) + "a == 1" + String(repeating: ")", count: count)
    }

    private static let chain = "1|2^3&4<<5+6*7**" + String(repeating: "-", count: 20)

    /// The deepest nesting of any kind is read on a thread with a small stack, which stays free:
    /// what has only parentheses has no tree to walk.
    @Test(
        arguments: [
            brackets(399),
            "a == " + String(repeating: "(", count: 398) + "1" + String(repeating: ")", count: 398),
            String(repeating: "abs(", count: 150) + "1" + String(repeating: ")", count: 150)
                + " > 0",
            "a IN " + String(repeating: "{", count: 298) + "b" + String(repeating: "}", count: 298),
            String(repeating: "a == 1 AND (b == 2 OR (", count: 49) + "a == 1"
                + String(repeating: "))", count: 49),
            String(repeating: "NOT ", count: 298) + "a == 1",
            String(repeating: "(1|2^3&4<<5+6*7**-", count: 35) + "a"
                + String(repeating: ")", count: 35) + " == 1",
            String(repeating: "NOT(a == ')' OR ", count: 99) + "b == 1"
                + String(repeating: ")", count: 99),
            // What is read on the caller's stack at most.
            String(repeating: "(1|2^3&4<<5+6*7**", count: 5) + String(repeating: "-", count: 20)
                + "a" + String(repeating: ")", count: 5) + " == 1",
            String(repeating: "-", count: 298) + "a == 1",
            // An operand ends no operator that stands before what it is part of: five levels only,
            // with twenty operators in a row, but 800 KB in all.
            String(
                repeating: "TERNARY(" + String(repeating: "NOT ", count: 20) + chain + "a == "
                    + chain, count: 5)
                + "1" + String(repeating: ", 1, 2)", count: 5) + " == 1",
        ])
    func deepestNestingIsReadOnASmallStack(_ text: String) throws {
        let done = DispatchSemaphore(value: 0)
        let outcome = Mutex(false)
        let thread = Thread {
            let tree = try? Predicates.Predicate(format: text)
            outcome.withLock { $0 = tree != nil }
            done.signal()
        }
        thread.stackSize = 512 << 10
        thread.start()
        done.wait()
        #expect(outcome.withLock { $0 })
    }

    /// Where no thread can be made with a large stack, a deep format is an error.
    @Test func deepNestingWithoutMemoryForAThread() async {
        await #expect(processExitsWith: .success) {
            let text = HostileFormatTests.brackets(300)
            let pages = try String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
                .split(separator: " ").first.flatMap { Int($0) }
            let size = try #require(pages) * sysconf(Int32(_SC_PAGESIZE))
            var limit = rlimit()
            precondition(getrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            let former = limit
            limit.rlim_cur = rlim_t(size + (16 << 20))
            precondition(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            let error = #expect(throws: PredicateSyntaxError.self) {
                try Predicates.Predicate(format: text)
            }
            precondition(error?.code == .nestedTooDeeply, "\(String(describing: error))")
            precondition(
                error?.expected
                    == "less nesting, as the system has no thread to read so much with")
            limit = former
            precondition(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &limit) == 0)
            let read = try Predicates.Predicate(format: text).predicateFormat
            precondition(read == "a == 1", read)
        }
    }

    /// The highest trees that the parser makes can be printed and evaluated on a stack of 1 MB.
    @Test func deepestTreesFitASmallStack() throws {
        let sum = "1" + String(repeating: " + 1", count: 298)
        let texts = [
            "\(sum) == 299",
            String(repeating: "NOT (", count: 198) + "1 == 1" + String(repeating: ")", count: 198),
            String(repeating: "TERNARY(1 == ", count: 149) + "1"
                + String(repeating: ", 1, 2)", count: 149) + " == 1",
            String(repeating: "SUBQUERY({1}, $i, 1 == ", count: 99) + "1"
                + String(repeating: ").@count", count: 99) + " == 1",
        ]
        for text in texts {
            let done = DispatchSemaphore(value: 0)
            let outcome = Mutex(false)
            let thread = Thread {
                let tree = try? Predicates.Predicate(format: text)
                let isTrue = try? tree?.evaluate(with: SubjectOperand.value(.null))
                let back = tree.flatMap { try? Predicates.Predicate(format: $0.predicateFormat) }
                outcome.withLock { $0 = isTrue == true && back == tree }
                done.signal()
            }
            thread.stackSize = 1 << 20
            thread.start()
            done.wait()
            #expect(outcome.withLock { $0 }, "\(text.prefix(40))")
        }
    }

    @Test func wideTextIsFine() throws {
        let list = "a IN {" + String(repeating: "1,", count: 20_000) + "1}"
        #expect(try Predicates.Predicate(format: list).predicateFormat.hasSuffix("1, 1, 1}"))
        let path = String(repeating: "a.", count: 20_000) + "a == 1"
        #expect(try Predicates.Predicate(format: path).predicateFormat == path)
        let members = String(repeating: "a == 1 OR ", count: 5_000) + "b == 2"
        #expect(try Predicates.Predicate(format: members).predicateFormat == members)
    }

    @Test func garbage() throws {
        for unit in ["\u{0}", "\u{FFFD}", "'", "\\", "é", "👩‍👩‍👧", "%", "9", "x", "#", "\n"] {
            let text = String(repeating: unit, count: 1_000_000 / unit.utf8.count)
            #expect(throws: PredicateSyntaxError.self) { try Predicates.Predicate(format: text) }
            #expect(throws: PredicateSyntaxError.self) {
                try Predicates.Predicate(format: "a == '" + text + "x")
            }
        }
    }

    @Test func randomPieces() {
        let pieces = [
            "a", "b.c", "(", ")", "{", "}", "[", "]", "==", "!=", "<", "AND", "or", "NOT", "IN",
            "%@", "%K", "'x'", "\"", "1", "2.5", "0x", "$v", "SELF", "SUBQUERY(", "CAST(", ",",
            "@count", ".", "+", "-", "**", "ANY", "[cd]", "#", "TRUE", "nil", "BETWEEN", "sum(",
            "'NSDate'", "é", ":", ":=", "\\",
        ]
        for seed in UInt64(1)...3_000 {
            var random = SplitMix64(state: seed)
            let text = (0..<Int.random(in: 1...25, using: &random))
                .map { _ in pieces[Int.random(in: 0..<pieces.count, using: &random)] }
                .joined(separator: Bool.random(using: &random) ? " " : "")
            guard let tree = try? Predicates.Predicate(format: text) else { continue }
            let printed = tree.predicateFormat
            #expect((try? Predicates.Predicate(format: printed)) == tree, "seed \(seed): \(text)")
        }
    }
}
