// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Objects that come and go, event by event, beside unsaved changes of others.
@Suite(.inBothPlaces) struct PassingObjectsTests {
    /// A context with saved items, and what it should hold.
    private struct Scene {
        let stack: Stack
        let recorder: ChangeRecorder
        var numbers: [NSManagedObject: Int] = [:]
        var unsaved: [NSManagedObject] = []
        var deleted: [NSManagedObject] = []
        var next = 0

        var context: NSManagedObjectContext { stack.context }

        init(saved: Int) throws {
            stack = try Stack(ItemModel.make())
            recorder = ChangeRecorder(stack.context)
            for _ in 0..<saved { insert() }
            try save()
        }

        mutating func insert() {
            let item = context.make("Item", ["number": next])
            numbers[item] = next
            unsaved.append(item)
            next += 1
        }

        mutating func delete(_ item: NSManagedObject) {
            context.delete(item)
            if let place = unsaved.firstIndex(of: item) {
                unsaved.remove(at: place)
                numbers[item] = nil
            } else {
                deleted.append(item)
            }
        }

        mutating func save() throws {
            try context.save()
            for item in deleted { numbers[item] = nil }
            (unsaved, deleted) = ([], [])
        }

        /// The saved items without an unsaved deletion, by number.
        var kept: [NSManagedObject] {
            numbers.keys.filter { !$0.isInserted && !deleted.contains($0) }
                .sorted { numbers[$0] ?? 0 < numbers[$1] ?? 0 }
        }

        /// What a list shows that follows the notifications.
        var told: Set<NSManagedObject> {
            recorder.entries.reduce(into: []) { told, entry in
                told.subtract(entry[NSDeletedObjectsKey] ?? [])
                told.formUnion(entry[NSInsertedObjectsKey] ?? [])
                told.formUnion(entry[NSRefreshedObjectsKey] ?? [])
            }
        }

        func check() throws {
            #expect(context.insertedObjects == Set(unsaved))
            #expect(context.deletedObjects == Set(deleted))
            #expect(told == Set(kept + unsaved))
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.sortDescriptors = [NSSortDescriptor(key: "number", ascending: true)]
            let found = try context.fetch(request).map { $0.value(forKey: "number") as? Int }
            #expect(found == (kept + unsaved).compactMap { numbers[$0] }.sorted())
        }
    }

    @Test func one_that_comes_and_goes_leaves_the_deletions_of_others() throws {
        var scene = try Scene(saved: 6)
        for item in scene.kept.prefix(4) { scene.delete(item) }
        scene.context.processPendingChanges()
        for _ in 0..<3 {
            scene.insert()
            let passing = try #require(scene.unsaved.last)
            scene.context.processPendingChanges()
            scene.delete(passing)
            scene.context.processPendingChanges()
            #expect(passing.managedObjectContext == nil)
            try scene.check()
        }
        try scene.save()
        try scene.check()
    }

    @Test func deletions_taken_back_in_any_order_leave_the_others() throws {
        for order in [[0, 1, 2, 3], [3, 2, 1, 0], [1, 3, 0, 2]] {
            var scene = try Scene(saved: 6)
            let items = Array(scene.kept.prefix(4))
            for item in items {
                scene.delete(item)
                scene.context.processPendingChanges()
            }
            for place in order {
                scene.context.insert(items[place])
                scene.deleted.removeAll { $0 == items[place] }
                scene.context.processPendingChanges()
                try scene.check()
            }
            try scene.save()
            #expect(scene.kept.count == 6)
        }
    }

    @Test(arguments: 1...12)
    func random_events_answer_as_a_plain_model(_ seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var scene = try Scene(saved: 20)
        for _ in 0..<150 {
            for _ in 0...Int.random(in: 0..<3, using: &generator) {
                switch Int.random(in: 0..<10, using: &generator) {
                case 0..<3: scene.insert()
                case 3..<5:
                    guard let item = scene.unsaved.randomElement(using: &generator) else { break }
                    scene.delete(item)
                case 5..<7:
                    guard let item = scene.kept.randomElement(using: &generator) else { break }
                    scene.delete(item)
                case 7:
                    guard let item = scene.deleted.randomElement(using: &generator) else { break }
                    scene.context.insert(item)
                    scene.deleted.removeAll { $0 == item }
                case 8:
                    guard let item = scene.deleted.randomElement(using: &generator) else { break }
                    scene.context.refresh(item, mergeChanges: false)
                    scene.deleted.removeAll { $0 == item }
                default:
                    guard let item = scene.unsaved.randomElement(using: &generator) else { break }
                    scene.context.refresh(item, mergeChanges: false)
                    scene.unsaved.removeAll { $0 == item }
                    scene.numbers[item] = nil
                }
            }
            scene.context.processPendingChanges()
            try scene.check()
            if Int.random(in: 0..<20, using: &generator) == 0 { try scene.save() }
        }
        try scene.save()
        try scene.check()
        try scene.stack.reopenChecked()
    }
}
