// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Random unsaved changes; what is found by one value among them is what each object's own value
/// says, in whatever way it came to it.
@Suite(.inBothPlaces) struct RandomPendingFetchTests {
    private final class Driver {
        let stack: Stack
        let context: NSManagedObjectContext
        let other: NSManagedObjectContext
        var random: SplitMix64

        init(seed: UInt64, isChild: Bool) throws {
            let item = Build.entity(
                "Item",
                [
                    Build.attribute("name"), Build.attribute("number", .integer32AttributeType),
                    Build.attribute("tag", .UUIDAttributeType), Build.attribute("note"),
                ])
            let special = Build.entity("Special", [Build.attribute("alias")])
            item.subentities = [special]
            stack = try Stack(Build.model(item, special))
            context =
                isChild
                ? NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
                : stack.context
            if isChild { context.parent = stack.context }
            context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            context.undoManager = UndoManager()
            other = stack.container.newBackgroundContext()
            random = SplitMix64(state: seed)
            for _ in 0..<30 { make() }
        }

        static func tag(_ number: Int) -> UUID {
            UUID(uuid: (UInt8(number), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        }

        func make() {
            let name = random.below(3) == 0 ? "Special" : "Item"
            change(context.make(name))
            change(context.make(name, ["note": "new"]))
        }

        /// Gives an object other values, by setters or primitive ones.
        func change(_ object: NSManagedObject) {
            let number = random.below(12)
            let (key, value): (String, Any?) =
                switch random.below(5) {
                case 0: ("name", "n\(number)")
                case 1: ("number", number)
                case 2: ("tag", Driver.tag(number))
                case 3: (["name", "number", "tag"][number % 3], nil)
                default: ("note", "\(number)")
                }
            guard random.below(4) == 0 else { return object.setValue(value, forKey: key) }
            object.willChangeValue(forKey: key)
            object.setPrimitiveValue(value, forKey: key)
            object.didChangeValue(forKey: key)
        }

        func step() throws {
            let objects = try context.all("Item")
            let object = objects.isEmpty ? nil : objects[random.below(objects.count)]
            switch random.below(40) {
            case 0..<8: make()
            case 8..<16:
                for _ in 0..<random.below(25) where !objects.isEmpty {
                    change(objects[random.below(objects.count)])
                }
            case 16..<18: if let object { context.delete(object) }
            case 18..<20: context.processPendingChanges()
            case 20..<24: context.undo()
            case 24..<26: context.redo()
            case 26..<29: if let object { context.refresh(object, mergeChanges: true) }
            case 29..<31: if let object { context.refresh(object, mergeChanges: false) }
            case 31..<34: try changeElsewhere(merges: true)
            case 34..<36: try changeElsewhere(merges: false)
            case 36: context.rollback()
            default:
                // Both may have changed an object that the other one deleted.
                do { try context.save() } catch { context.rollback() }
                if let parent = context.parent { try parent.save() }
            }
        }

        /// Another context changes what is saved.
        private func changeElsewhere(merges: Bool) throws {
            let saved = other.performAndWait { () -> [AnyHashable: Any] in
                let objects = (try? other.all("Item")) ?? []
                for _ in 0..<5 where !objects.isEmpty {
                    change(objects[random.below(objects.count)])
                }
                let identifiers = other.updatedObjects.map(\.objectID)
                do { try other.save() } catch { other.rollback() }
                return [NSUpdatedObjectsKey: identifiers]
            }
            guard merges else { return }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: saved,
                into: [context, context.parent].compactMap { $0 })
        }

        /// Looks for a value in two ways, of which only one can use an index of unsaved objects.
        func check(_ note: Comment) throws {
            let number = random.below(12)
            for (key, value) in [
                ("name", "n\(number)"), ("number", number), ("tag", Driver.tag(number)),
            ] as [(String, any Sendable)] {
                let entity = random.below(4) == 0 ? "Special" : "Item"
                let found = try context.all(
                    entity, NSPredicate(format: "%K == %@", argumentArray: [key, value]))
                let all = try context.all(
                    entity, NSPredicate(format: "%K IN %@", argumentArray: [key, [value]]))
                #expect(found == all, note)
                #expect(found.count == Set(found).count, note)
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.predicate = NSPredicate(format: "%K == %@", argumentArray: [key, value])
                #expect(try context.count(for: request) == found.count, note)
                request.fetchLimit = 2
                request.fetchOffset = 1
                #expect(try context.fetch(request) == Array(found.dropFirst().prefix(2)), note)
                // A clean object keeps the value that it has, whatever was saved elsewhere.
                for object in found where object.hasChanges {
                    #expect(equals(object.value(forKey: key), value), note)
                }
            }
        }

        private func equals(_ one: Any?, _ other: any Sendable) -> Bool {
            switch other {
            case let other as String: one as? String == other
            case let other as Int: one as? Int == other
            default: one as? UUID == other as? UUID
            }
        }
    }

    @Test(arguments: 0..<12 as Range<UInt64>) func unsaved_values_are_found(seed: UInt64) throws {
        let driver = try Driver(seed: seed, isChild: seed % 3 == 2)
        for number in 0..<120 {
            try driver.step()
            try driver.check("seed \(seed), step \(number)")
        }
    }

    @Test func an_object_that_is_changed_again_and_again_has_few_entries() throws {
        let stack = try Stack(ItemModel.make())
        let items = (0..<20).map { stack.context.make("Item", ["name": "n\($0)"]) }
        for round in 0..<500 {
            items[round % 20].setValue("m\(round)", forKey: "name")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Item")
            request.predicate = NSPredicate(format: "name == %@", "m\(round)")
            #expect(try stack.context.fetch(request) == [items[round % 20]])
        }
        let last = try stack.context.names("Item", "name == %@", "m480")
        #expect(last == ["m480"])
    }

    @Test func objects_that_answer_for_their_keys_come_in_the_order_of_their_making() throws {
        let person = Build.entity(
            "Person", ["first", "last", "nick"].map { Build.attribute($0) },
            class: AccessorPerson.self)
        let stack = try Stack(Build.model(person))
        for number in 0..<20 {
            stack.context.make("Person", ["first": "\(number % 5)", "last": "\(number)"])
        }
        let found = try stack.context.all("Person", NSPredicate(format: "first == '3'"))
        #expect(found.map { $0.text("last") } == ["3", "8", "13", "18"])
    }
}
