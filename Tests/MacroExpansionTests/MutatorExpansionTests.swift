// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MacroExpansion

@Suite struct MutatorExpansionTests {
    @Test func writesTheMethodsOfASet() {
        #expect(
            peers("@Managed public var tags: Set<Module.Tag>?") == """
                nonisolated public static let __lode_tags = PropertyKey("tags")

                public func addToTags(_ value: Module.Tag) {
                    __lode_insert(value, Self.__lode_tags)
                }

                public func removeFromTags(_ value: Module.Tag) {
                    __lode_remove(value, Self.__lode_tags)
                }

                public func addToTags(_ values: Set<Module.Tag>) {
                    __lode_insert(contentsOf: values, Self.__lode_tags)
                }

                public func removeFromTags(_ values: Set<Module.Tag>) {
                    __lode_remove(contentsOf: values, Self.__lode_tags)
                }
                """)
    }

    @Test func writesTheMethodsOfAnUntypedSet() {
        #expect(
            signatures("@Managed var tags: NSSet?") == [
                "func addToTags(_ value: NSManagedObject)",
                "func removeFromTags(_ value: NSManagedObject)",
                "func addToTags(_ values: NSSet)",
                "func removeFromTags(_ values: NSSet)",
            ])
    }

    @Test func writesTheMethodsOfAnOrderedSet() {
        #expect(
            signatures("@Managed var tags: NSOrderedSet") == [
                "func insertIntoTags(_ value: NSManagedObject, at idx: Int)",
                "func removeFromTags(at idx: Int)",
                "func insertIntoTags(_ values: [NSManagedObject], at indexes: NSIndexSet)",
                "func removeFromTags(at indexes: NSIndexSet)",
                "func replaceTags(at idx: Int, with value: NSManagedObject)",
                "func replaceTags(at indexes: NSIndexSet, with values: [NSManagedObject])",
                "func addToTags(_ value: NSManagedObject)",
                "func removeFromTags(_ value: NSManagedObject)",
                "func addToTags(_ values: NSOrderedSet)",
                "func removeFromTags(_ values: NSOrderedSet)",
            ])
    }

    @Test func callsTheOrderedOperations() {
        let source = peers("@Managed var tags: NSOrderedSet") ?? ""
        let calls = source.split(separator: "\n").filter { $0.hasPrefix("    ") }
        #expect(
            calls == [
                "    __lode_insert(value, at: idx, Self.__lode_tags)",
                "    __lode_remove(at: idx, Self.__lode_tags)",
                "    __lode_insert(contentsOf: values, at: indexes, Self.__lode_tags)",
                "    __lode_remove(at: indexes, Self.__lode_tags)",
                "    __lode_replace(at: idx, with: value, Self.__lode_tags)",
                "    __lode_replace(at: indexes, with: values, Self.__lode_tags)",
                "    __lode_insert(value, Self.__lode_tags)",
                "    __lode_remove(value, Self.__lode_tags)",
                "    __lode_insert(contentsOf: values, Self.__lode_tags)",
                "    __lode_remove(contentsOf: values, Self.__lode_tags)",
            ])
    }

    @Test(arguments: [
        ("`default`", "Default"), ("_hidden", "_hidden"), ("éclairs", "Éclairs"), ("URLs", "URLs"),
    ])
    func capitalizesTheName(name: String, inMethod: String) {
        #expect(
            signatures("@Managed var \(name): Set<Tag>").first
                == "func addTo\(inMethod)(_ value: Tag)")
    }
}
