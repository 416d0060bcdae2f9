// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MacroExpansion

@Suite struct ToManyTypeTests {
    private func toMany(_ type: String) -> ToManyType? {
        var cursor = TokenCursor(type)
        return ToManyType(TypeText(parsing: &cursor))
    }

    @Test(arguments: [
        "Set<Tag>", "Set<Tag>?", "Set<Tag>!", "Swift.Set<Tag>", "Optional<Set<Tag>>",
        "Swift.Optional<Swift.Set<Tag>>", "(Set<Tag>)?", "((Set<Tag>))", "Set< Tag >",
    ])
    func findsTheElement(type: String) {
        #expect(toMany(type) == .set(element: "Tag"))
    }

    @Test func keepsTheElementAsWritten() {
        #expect(toMany("Set<Module.Tag>") == .set(element: "Module.Tag"))
        #expect(toMany("Set<Box<Tag>>") == .set(element: "Box<Tag>"))
        #expect(toMany("Set<`Type`>") == .set(element: "`Type`"))
    }

    @Test(arguments: ["NSSet", "NSSet?", "Foundation.NSSet", "Optional<NSSet>"])
    func knowsUntypedSets(type: String) {
        #expect(toMany(type) == .untypedSet)
    }

    @Test(arguments: ["NSOrderedSet", "NSOrderedSet?", "Foundation.NSOrderedSet!"])
    func knowsOrderedSets(type: String) {
        #expect(toMany(type) == .orderedSet)
    }

    @Test(arguments: [
        "Tag", "Tag?", "[Tag]", "Other.Set<Tag>", "Set", "Set<Tag>.Index", "Set<String>",
        "Set<Foundation.UUID>?", "(Set<Tag>, Int)", "Set<Tag>?.Type", "MySet<Tag>", "Set<A, B>", "",
        "Set<", "?", "()", "(Set<Tag>) -> Set<Tag>", "NSMutableSet",
    ])
    func leavesOtherTypesAlone(type: String) {
        #expect(toMany(type) == nil)
    }
}
