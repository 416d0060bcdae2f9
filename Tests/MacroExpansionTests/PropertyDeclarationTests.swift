// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MacroExpansion

@Suite struct PropertyDeclarationTests {
    private func parse(_ source: String) throws -> PropertyDeclaration {
        try PropertyDeclaration(parsing: source, macro: "Managed")
    }

    @Test func readsNameAndType() throws {
        let property = try parse("@Managed var name: String?")
        #expect(property.name.text == "name")
        #expect(property.type.source == "String?")
        #expect(property.access == nil)
        #expect(property.mutatorAccess == nil)
    }

    @Test func readsPastCommentsAndAttributes() throws {
        let property = try parse(
            """

                /// Doc: let x = 1
                @available(*, deprecated, message: "no ) here")
                @Wrapped.Deep<Int>(1) @Managed("k") /* private */
                #if os(Linux)
                @objc
                #endif
                public // why
                var
                    `class` :
                        Swift . Set< /* c */ Module.Tag >
            """)
        #expect(property.name.text == "class")
        #expect(property.type.source == "Swift . Set< Module.Tag >")
        #expect(property.access == .public)
    }

    @Test(arguments: [
        ("open", AccessLevel.open), ("public", .public), ("package", .package),
        ("internal", .internal), ("fileprivate", .fileprivate), ("private", .private),
    ])
    func readsAccess(word: String, level: AccessLevel) throws {
        #expect(try parse("@Managed final \(word) var a: Int").access == level)
        let restricted = try parse("@Managed public \(word)(set) dynamic var a: Int")
        #expect(restricted.access == .public)
        #expect(restricted.mutatorAccess == level)
    }

    @Test func readsOtherModifiers() throws {
        #expect(try parse("@Managed override var a: Int").isOverride)
        #expect(try parse("@Managed nonisolated(unsafe) var a: Int").isNonisolated)
    }

    @Test(arguments: [
        "[String: [Int]]", "(Int, String)", "Dictionary<String, Set<Int>>", "any P & Q",
        "(Int) -> Set<Tag>", "A.B.C!", "@Sendable () -> Void",
    ])
    func takesTheTypeWhole(type: String) throws {
        #expect(try parse("@Managed var a: \(type)").type.source == type)
        #expect(try parse("@Managed var a: \(type);").type.source == type)
    }
}
