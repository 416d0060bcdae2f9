// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Testing
import _TestSupport

/// Random events: a mirror that only follows the delegate's calls agrees with a fresh fetch.
@Suite(.inBothPlaces) struct RandomFetchedResultsTests {
    /// Applies changes as a table view does: what goes by old paths, what comes by new ones.
    private final class Mirror: NSObject, NSFetchedResultsControllerDelegate {
        var sections: [[NSManagedObject]] = []
        private var removed: [IndexPath] = []
        private var inserted: [(IndexPath, NSManagedObject)] = []
        private var removedSections: [Int] = []
        private var insertedSections: [Int] = []
        private(set) var eventCount = 0

        func controller(
            _ controller: AnyController, didChange sectionInfo: any NSFetchedResultsSectionInfo,
            atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
        ) {
            #expect(removed.isEmpty && inserted.isEmpty)
            type == .insert
                ? insertedSections.append(sectionIndex) : removedSections.append(sectionIndex)
        }

        func controller(
            _ controller: AnyController, didChange anObject: Any, at indexPath: IndexPath?,
            for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
        ) {
            guard let object = anObject as? NSManagedObject else { return }
            if let indexPath {
                #expect(sections[indexPath.section][indexPath.item] === object)
            }
            if type != .update, let indexPath { removed.append(indexPath) }
            if let newIndexPath { inserted.append((newIndexPath, object)) }
        }

        func controllerDidChangeContent(_ controller: AnyController) {
            for path in removed.sorted().reversed() {
                sections[path.section].remove(at: path.item)
            }
            for index in removedSections.sorted().reversed() {
                let section = sections.remove(at: index)
                #expect(section.isEmpty)
            }
            for index in insertedSections.sorted() { sections.insert([], at: index) }
            for (path, object) in inserted.sorted(by: { $0.0 < $1.0 }) {
                sections[path.section].insert(object, at: path.item)
            }
            (removed, inserted, removedSections, insertedSections) = ([], [], [], [])
            eventCount += 1
        }
    }

    private struct Run {
        let stack: Stack
        let context: NSManagedObjectContext
        let other: NSManagedObjectContext
        let controller: ObjectController
        let mirror = Mirror()
        var random: SplitMix64
        var made = 0
        var log: [Int] = []

        init(
            _ seed: UInt64, by keys: [String] = ["age", "-name"], sections: String?, limit: Int
        ) throws {
            stack = try Stack(PeopleModel.make())
            random = SplitMix64(state: seed)
            context = stack.context
            context.undoManager = UndoManager()
            context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            other = stack.container.newBackgroundContext()
            other.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
            controller = context.controller(
                "Person", by: keys, sections: sections, where: "age < 9", limit: limit)
            let isBySection = sections == nil || keys[0] == sections
            // Torn sections are refused by a fetch: these come up later.
            for _ in 0..<(isBySection ? 20 : 0) { change(context) }
            try context.save()
            controller.delegate = mirror
            try controller.performFetch()
            mirror.sections = controller.sections?.map(Self.objects) ?? []
        }

        static func objects(_ section: any NSFetchedResultsSectionInfo) -> [NSManagedObject] {
            (section.objects ?? []).compactMap { $0 as? NSManagedObject }
        }

        /// A small change of a context.
        mutating func change(_ context: NSManagedObjectContext) {
            let people = (try? context.all("Person"))?.sorted { $0.text("name") < $1.text("name") }
            let person = people?.randomElement(using: &random)
            switch random.below(10) {
            case 0..<4:
                made += 1
                context.make("Person", ["name": "p\(made)", "age": random.below(12)])
            case 4: person.map(context.delete)
            case 5: person?.setValue("q\(random.below(90))x\(made)", forKey: "name")
            default: person?.setValue(random.below(12), forKey: "age")
            }
        }

        mutating func step() throws {
            let kind = random.below(20)
            log.append(kind)
            switch kind {
            case 0: context.rollback()
            case 1, 2: context.undo()
            case 3: context.redo()
            case 4, 5: try context.save()
            case 6, 7: try merge()
            default:
                for _ in 0...random.below(5) { change(context) }
                context.processPendingChanges()
            }
        }

        /// Another context saves, and this one merges it.
        private mutating func merge() throws {
            try context.save()
            let recorder = ChangeRecorder(other, .NSManagedObjectContextDidSave)
            other.reset()
            for _ in 0...random.below(4) { change(other) }
            try other.save()
            context.mergeChanges(
                fromContextDidSave: Notification(
                    name: .NSManagedObjectContextDidSave, object: other, userInfo: recorder.last))
        }

        /// Names and ages by section: objects of equal ones may stand in any order.
        static func lines(_ sections: [[NSManagedObject]]) -> [[String]] {
            sections.map { $0.map { "\($0.text("name"))/\($0.number("age"))" } }
        }

        /// Names and ages as of a fetch, those of an age together where the first one stands.
        func checkGroups() throws {
            var ages: [Int] = []
            var groups: [Int: [NSManagedObject]] = [:]
            for person in try context.fetch(controller.fetchRequest) {
                let age = Int(person.number("age"))
                if groups[age] == nil { ages.append(age) }
                groups[age, default: []].append(person)
            }
            let expected = Self.lines(ages.map { groups[$0] ?? [] })
            try #require(Self.lines(mirror.sections) == expected, "\(log.suffix(3))")
            #expect(Self.lines(controller.sections?.map(Self.objects) ?? []) == expected)
            #expect(controller.fetchedObjects == mirror.sections.flatMap { $0 })
            for object in mirror.sections.flatMap({ $0 }) {
                let path = try #require(controller.indexPath(forObject: object))
                #expect(controller.object(at: path) === object)
            }
        }

        func check() throws {
            let expected = try context.fetch(controller.fetchRequest)
            let mirrored = Self.lines(mirror.sections)
            try #require(mirrored.flatMap { $0 } == Self.lines([expected])[0], "\(log.suffix(3))")
            #expect(Set(mirror.sections.flatMap { $0 }) == Set(expected))
            #expect(controller.fetchedObjects == mirror.sections.flatMap { $0 })
            for object in expected {
                let path = try #require(controller.indexPath(forObject: object))
                #expect(controller.object(at: path) === object)
            }
            let fresh = context.controller(
                "Person", by: ["age", "-name"], sections: controller.sectionNameKeyPath,
                where: "age < 9", limit: controller.fetchRequest.fetchLimit)
            try fresh.performFetch()
            #expect(Self.lines(fresh.sections?.map(Self.objects) ?? []) == mirrored)
            #expect(Self.lines(controller.sections?.map(Self.objects) ?? []) == mirrored)
        }
    }

    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func a_mirror_agrees_with_a_fresh_fetch(seed: UInt64) throws {
        var run = try Run(
            seed, sections: seed % 3 == 0 ? nil : "age", limit: seed % 4 == 0 ? 6 : 0)
        for _ in 0..<60 {
            try run.step()
            try run.check()
        }
        #expect(run.mirror.eventCount > 20)
    }

    /// Sections of another key than the first one are torn apart, grouped anew and mended.
    @Test(arguments: 1...12 as ClosedRange<UInt64>)
    func a_mirror_of_torn_sections_agrees_with_a_fresh_fetch(seed: UInt64) throws {
        var run = try Run(
            seed, by: ["name", "age"], sections: "age", limit: seed % 4 == 0 ? 6 : 0)
        for _ in 0..<60 {
            try run.step()
            try run.checkGroups()
        }
        #expect(run.mirror.eventCount > 20)
    }
}
