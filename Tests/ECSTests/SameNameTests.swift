// SPDX-License-Identifier: Apache-2.0

import ECS
import Foundation
import ManagedObjects
import Testing

/// Many game objects of one name, most of which have unsaved changes.
@MainActor
@Suite struct SameNameTests {
    @Test func one_that_still_has_the_name_is_found_among_many_that_have_not() throws {
        let world = try World()
        let moc = world.moc
        let goblins = (0..<100).map { _ in GameObject.create(name: "Goblin", moc: moc) }
        try moc.save()
        for goblin in goblins[..<50] { goblin.name = "Orc" }
        for goblin in goblins[50..<99] {
            moc.delete(goblin)
            #expect(try GameObject.fetch(name: "Goblin", moc: moc)?.name == "Goblin")
        }
        #expect(try GameObject.fetch(name: "Goblin", moc: moc) === goblins[99])
        moc.delete(goblins[99])
        #expect(try GameObject.fetch(name: "Goblin", moc: moc) == nil)
        goblins[7].name = "Goblin"
        #expect(try GameObject.fetch(name: "Goblin", moc: moc) === goblins[7])
        try moc.save()
        #expect(try moc.count(for: GameObject.fetchRequest()) == 50)
        #expect(try GameObject.fetch(name: "Goblin", moc: moc) === goblins[7])
    }

    @Test func each_deletion_applies_its_rules_beside_earlier_ones() throws {
        let world = try World()
        let moc = world.moc
        let heroes = (0..<6).map { GameObject.create(name: "Hero \($0)", moc: moc) }
        for hero in heroes { try hero.addComponent(with: world.health(1), moc: moc) }
        try moc.save()
        let counts = [2, 4, 6, 7, 9, 12]
        for (index, hero) in heroes.enumerated() {
            moc.delete(hero)
            moc.processPendingChanges()
            #expect(moc.deletedObjects.count == counts[index])
            if index == 2 { moc.insert(heroes[0]) }
            if index == 4 { moc.delete(heroes[0]) }
            moc.processPendingChanges()
            if index == 2 { #expect(heroes[0].isUpdated) }
        }
        #expect(moc.deletedObjects.count == 12)
        try moc.save()
        #expect(try moc.count(for: GameObject.fetchRequest()) == 0)
        #expect(try moc.count(for: Component.fetchRequest()) == 0)
    }
}
