// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Random events: controllers that demand values agree with fetches, whichever are asked.
@Suite struct RandomManyResultsTests {
    private struct Run {
        let stack: Stack
        let context: NSManagedObjectContext
        let other: NSManagedObjectContext
        let recorder = ResultsRecorder()
        var controllers: [ObjectController] = []
        var random: SplitMix64
        var made = 0

        init(_ seed: UInt64) throws {
            stack = try Stack(PeopleModel.make())
            random = SplitMix64(state: seed)
            context = stack.context
            context.undoManager = UndoManager()
            context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            other = stack.container.newBackgroundContext()
            other.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            for name in ["d", "e"] { context.make("Department", ["name": name]) }
            for _ in 0..<20 { try change(context) }
            try context.save()
            for number in 0..<12 { try add(number) }
        }

        /// Adds or replaces a controller.
        mutating func add(_ number: Int) throws {
            let departments = try context.all("Department").sorted {
                $0.text("name") < $1.text("name")
            }
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.predicate =
                switch number {
                case 0..<6: NSPredicate(format: "age == %d", number)
                case 6: NSPredicate(format: "age == nil")
                case 7: NSPredicate(format: "name == 'p3' OR age > 3")
                case 8: NSPredicate(format: "age > 1 AND department == %@", departments[0])
                case 9: NSPredicate(format: "department == %@", departments[1])
                case 10: NSPredicate(format: "department == nil AND name BEGINSWITH 'p'")
                default: NSPredicate(format: "age == 2 AND department == %@", departments[0])
                }
            request.sortDescriptors = [
                NSSortDescriptor(key: "name", ascending: number % 2 == 0),
                NSSortDescriptor(key: "age", ascending: true),
            ]
            let made = ObjectController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil,
                cacheName: nil)
            made.delegate = recorder
            try made.performFetch()
            if number < controllers.count {
                controllers[number] = made
            } else {
                controllers.append(made)
            }
        }

        mutating func change(_ context: NSManagedObjectContext) throws {
            let people = try context.all("Person").sorted { $0.text("name") < $1.text("name") }
            let person = people.randomElement(using: &random)
            switch random.below(12) {
            case 0..<4:
                made += 1
                context.make("Person", ["name": "p\(made)", "age": random.below(6)])
            case 4: person.map(context.delete)
            case 5: person?.setValue("q\(random.below(90))x\(made)", forKey: "name")
            case 6: person?.setValue(nil, forKey: "age")
            case 7, 8:
                let departments = try context.all("Department").sorted {
                    $0.text("name") < $1.text("name")
                }
                person?.setValue(
                    random.below(3) == 0 ? nil : departments.randomElement(using: &random),
                    forKey: "department")
            default: person?.setValue(random.below(6), forKey: "age")
            }
        }

        mutating func step() throws {
            switch random.below(16) {
            case 0: context.rollback()
            case 1: context.undo()
            case 2: context.redo()
            case 3, 4: try context.save()
            case 5, 6, 7: try merge()
            case 8: try add(random.below(12))
            case 9: try controllers[random.below(12)].performFetch()
            default:
                for _ in 0...random.below(5) { try change(context) }
                context.processPendingChanges()
            }
        }

        private mutating func merge() throws {
            try context.save()
            let saved = ChangeRecorder(other, .NSManagedObjectContextDidSave)
            other.reset()
            for _ in 0...random.below(4) { try change(other) }
            try other.save()
            // Fetched in between: the context still has the old values of what it knows.
            if random.below(2) == 0 { try add(random.below(12)) }
            context.mergeChanges(
                fromContextDidSave: Notification(
                    name: .NSManagedObjectContextDidSave, object: other, userInfo: saved.last))
        }

        func check(_ step: Int) throws {
            for (number, controller) in controllers.enumerated() {
                let wanted = try context.fetch(controller.fetchRequest).map { $0.text("name") }
                let found = controller.fetchedObjects?.map { $0.text("name") }
                try #require(found == wanted, "controller \(number) after step \(step)")
            }
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func controllers_agree_with_fetches(seed: UInt64) throws {
        var run = try Run(seed)
        for step in 0..<80 {
            try run.step()
            try run.check(step)
        }
        #expect(run.recorder.take().count > 100)
    }
}
