// SPDX-License-Identifier: Apache-2.0

import Predicates
import Query
import Schema
import Testing

/// Operators on bits in plans; `OracleTests` compare their answers with the evaluator's.
@Suite struct BitwiseFilterTests {
    private let library: TestLibrary

    init() throws { library = try TestLibrary() }

    @Test func areFilters() throws {
        let plan = try library.plan("Track", "plays & 6 == 4 AND ~(serial >> 2) != 0")
        #expect(
            plan.description == """
                fetch Track where plays & 6 == 4 AND ~(serial >> 2) != 0
                  scan Single, Track (entity scan)
                  filter plays & 6 == 4 AND ~(serial >> 2) != 0
                """)
    }

    @Test func constantsAreComputedOnce() throws {
        let plan = try library.plan("Track", "plays == 1 << 4 | 3")
        #expect(plan.description.hasSuffix("\n  filter plays == 19"))
    }

    static let refused: [(String, String)] = [
        ("price & 1 == 1", "bitwiseAnd:with: needs integers, and price is of the type double"),
        ("cost | 1 == 1", "bitwiseOr:with: needs integers, and cost is of the type decimal"),
        ("1 ^ name == 1", "bitwiseXor:with: needs integers, and name is of the type string"),
        ("added << 1 == 1", "leftshift:by: needs integers, and added is of the type date"),
        ("~album == 1", "onesComplement: needs integers, and album is an object"),
        ("tags & 1 == 1", "bitwiseAnd:with: needs integers, and tags is a collection"),
        ("tags.label & 1 == 1", "bitwiseAnd:with: needs integers, and tags.label is a collection"),
        ("plays & 1.0 == 1", "bitwiseAnd:with: needs integers, and 1.0 is of the type double"),
        ("plays & {1} == 1", "bitwiseAnd:with: needs integers, and {1} is a list"),
        (
            "album.title & 1 == 1",
            "bitwiseAnd:with: needs integers, and album.title is of the type string"
        ),
        (
            "SUBQUERY(tags, $t, $t.label & 1 == 1).@count == 1",
            "bitwiseAnd:with: needs integers, and $t.label is of the type string"
        ),
    ]

    /// Also without an object that would be asked.
    @Test(arguments: refused)
    func otherTypesAreRefused(_ format: String, _ message: String) {
        let error = #expect(throws: QueryError.self) { try library.plan("Track", format) }
        #expect(error?.code == .typeMismatch)
        #expect(error?.message == message)
    }
}
