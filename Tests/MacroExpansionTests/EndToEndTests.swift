// SPDX-License-Identifier: Apache-2.0

import Foundation
import Testing

/// The real compiler runs the real plugin on StubEntities.swift; these tests see
/// what came of it.
@Suite struct EndToEndTests {
    @Test func readsAndWritesByTheKey() {
        let item = Item()
        item.name = "a"
        item.count = 3
        item.class = "c"
        item.`sort order` = 7
        item.owner = item
        #expect(item.name == "a")
        #expect(item.count == 3)
        #expect(item.class == "c")
        #expect(item.owner === item)
        #expect(
            item.values.keys.sorted() == ["class", "countInModel", "name", "owner", "sort order"])
    }

    @Test func mutatesInPlace() {
        let item = Item()
        item.name += "x"
        item.tags.insert(Module.Tag())
        #expect(item.name == "x")
        #expect(item.tags.count == 1)
    }

    @Test func generatesTheMethodsOfASet() {
        let item = Item()
        item.addToTags(Module.Tag())
        item.removeFromTags(Module.Tag())
        item.addToTags([Module.Tag(), Module.Tag()])
        item.removeFromTags([Module.Tag()])
        item.addToDefault(Module.Tag())
        item.addPart(item)
        #expect(
            item.calls == [
                "insert tags", "remove tags", "insert 2 tags", "remove 1 tags", "insert default",
                "insert parts",
            ])
    }

    @Test func generatesTheMethodsOfAnUntypedSet() {
        let item = Item()
        item.addToLoose(item)
        item.removeFromLoose(item)
        item.addToLoose(NSSet())
        item.removeFromLoose(NSSet())
        #expect(
            item.calls == [
                "insert loose", "remove loose", "insert NSSet loose", "remove NSSet loose",
            ])
    }

    @Test func generatesTheMethodsOfAnOrderedSet() {
        let item = Item()
        item.addToOrdered(item)
        item.removeFromOrdered(item)
        item.addToOrdered(NSOrderedSet())
        item.removeFromOrdered(NSOrderedSet())
        item.insertIntoOrdered(item, at: 1)
        item.removeFromOrdered(at: 2)
        item.replaceOrdered(at: 3, with: item)
        item.insertIntoOrdered([item, item], at: NSIndexSet(index: 0))
        item.removeFromMaybeOrdered(at: NSIndexSet(index: 0))
        item.replaceMaybeOrdered(at: NSIndexSet(index: 0), with: [item])
        #expect(
            item.calls == [
                "insert ordered", "remove ordered", "insert NSOrderedSet ordered",
                "remove NSOrderedSet ordered", "insert at 1 ordered", "remove at 2 ordered",
                "replace at 3 ordered", "insert 2 at 1 ordered", "remove at 1 maybeOrdered",
                "replace 1 at 1 maybeOrdered",
            ])
    }

    @Test func followsTheAccessLevel() {
        let item = Item()
        item.inPublic = "p"
        item.addToInPackage(item)
        item.addToInInternal(item)
        item.touchPrivate()
        let open = OpenItem()
        open.title = "t"
        open.record()
        #expect(item.calls == ["insert inPackage", "insert inInternal", "insert inPrivate"])
        #expect(open.calls == ["insert log"])
    }

    @Test func overridesUseTheInheritedKey() {
        let item = SpecialItem()
        item.name = "n"
        item.extra = 2
        item.addToTags([])
        #expect((item as Item).name == "n")
        #expect(item.values.keys.sorted() == ["extra", "name"])
    }

    @Test @MainActor func worksOnAnActor() {
        let item = ScreenItem()
        item.title = "t"
        item.addToQuiet(item)
        #expect(item.title == "t")
        #expect(item.calls == ["insert quiet"])
    }
}
