// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

private enum Priority: Int16 { case low, high = 5 }

private enum Mood: String { case calm, none = "" }

private struct Place: Codable, Equatable {
    var x: Double
    var y: Double
}

private final class PlaceTransformer: ValueTransformer {
    override class func transformedValueClass() -> AnyClass { NSData.self }
    override class func allowsReverseTransformation() -> Bool { true }

    override func transformedValue(_ value: Any?) -> Any? {
        (value as? Place).flatMap { try? JSONEncoder().encode($0) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).flatMap { try? JSONDecoder().decode(Place.self, from: $0) }
    }
}

private final class WordsTransformer: ValueTransformer {
    override func transformedValue(_ value: Any?) -> Any? {
        (value as? [String]).map { Data($0.joined(separator: "\n").utf8) }
    }

    override func reverseTransformedValue(_ value: Any?) -> Any? {
        (value as? Data).map {
            String(decoding: $0, as: UTF8.self).split(separator: "\n").map(String.init)
        }
    }
}

private final class AnyTask: NSManagedObject {
    @Managed var count: NSNumber?
    @Managed var ratio: NSNumber?
    @Managed var isDone: NSNumber?
    @Managed var price: NSDecimalNumber?
    @Managed("priority") var priority: Priority
    @Managed("priority") var perhaps: Priority?
    @Managed var mood: Mood
    @Managed("mood") var text: String?
    @Managed var place: Place?
    @Managed("place") var wrong: [Int]?
    @Managed var words: [String]?
}

/// Properties of types that are not the attribute's plain one.
@Suite struct AnyPropertyTests {
    private static let model: NSManagedObjectModel = {
        ValueTransformer.setValueTransformer(
            PlaceTransformer(), forName: NSValueTransformerName("AnyPropertyTests.Place"))
        ValueTransformer.setValueTransformer(
            WordsTransformer(), forName: NSValueTransformerName("AnyPropertyTests.Words"))
        let place = NSAttributeDescription(name: "place", type: .transformable)
        place.valueTransformerName = "AnyPropertyTests.Place"
        let words = NSAttributeDescription(name: "words", type: .transformable)
        words.valueTransformerName = "AnyPropertyTests.Words"
        let task = NSEntityDescription(
            name: "AnyTask", managedObjectClass: AnyTask.self,
            properties: [
                NSAttributeDescription(name: "count", type: .integer32),
                NSAttributeDescription(name: "ratio", type: .double),
                NSAttributeDescription(name: "isDone", type: .boolean),
                NSAttributeDescription(name: "price", type: .decimal),
                NSAttributeDescription(name: "priority", type: .integer16),
                NSAttributeDescription(name: "mood", type: .string),
                place, words,
            ])
        return NSManagedObjectModel(entities: [task])
    }()

    private static func makeContainer() throws -> NSPersistentContainer {
        try .inMemory("Any", model)
    }

    @Test func numbers_are_objects() throws {
        let container = try Self.makeContainer()
        let task = AnyTask(context: container.viewContext)
        #expect(task.count == nil && task.ratio == nil && task.isDone == nil && task.price == nil)
        task.count = 7
        task.ratio = NSNumber(value: 0.5)
        task.isDone = true
        task.price = NSDecimalNumber(string: "12.50")
        try Self.inBothContexts(container) { context in
            let read = try Self.task(context)
            #expect(read.count == 7 && read.count?.intValue == 7)
            #expect(read.ratio == 0.5 && read.isDone?.boolValue == true)
            #expect(read.price == NSDecimalNumber(string: "12.5"))
        }
        task.count = nil
        task.price = nil
        #expect(task.value(forKey: "count") == nil && task.price == nil)
    }

    @Test func enumerations_are_raw_values() throws {
        let container = try Self.makeContainer()
        let task = AnyTask(context: container.viewContext)
        #expect(task.priority == .low && task.perhaps == nil && task.mood == .none)
        task.priority = .high
        task.mood = .calm
        try Self.inBothContexts(container) { context in
            let request = NSFetchRequest<AnyTask>(entityName: "AnyTask")
            request.predicate = NSPredicate(
                format: "priority == %d AND mood == 'calm'", Priority.high.rawValue)
            let read = try #require(context.fetch(request).first)
            #expect(read.priority == .high && read.perhaps == .high && read.mood == .calm)
            #expect(read.value(forKey: "priority") as? Int == 5)
        }
        task.setValue(3, forKey: "priority")
        #expect(task.perhaps == nil)
        task.perhaps = nil
        #expect(task.value(forKey: "priority") == nil && task.priority == .low)
    }

    @Test func transformables_are_values() throws {
        let container = try Self.makeContainer()
        let task = AnyTask(context: container.viewContext)
        #expect(task.place == nil && task.words == nil)
        task.place = Place(x: 1, y: 2)
        task.words = ["a", "b"]
        try Self.inBothContexts(container) { context in
            let read = try Self.task(context)
            #expect(read.place == Place(x: 1, y: 2) && read.words == ["a", "b"])
        }
        #expect(task.changedValues().isEmpty)
        task.words = nil
        #expect(task.words == nil && task.changedValues().keys.sorted() == ["words"])
    }

    @Test func a_raw_value_without_a_case_traps() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let container = try Self.makeContainer()
            let task = AnyTask(context: container.viewContext)
            task.setValue(3, forKey: "priority")
            _ = task.priority
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("AnyTask.priority"))
        #expect(text.contains("is 3, and Priority has no case for it"))
    }

    @Test func a_value_of_another_type_traps() async throws {
        let result = try await #require(
            processExitsWith: .failure, observing: [\.standardErrorContent]
        ) {
            let container = try Self.makeContainer()
            let task = AnyTask(context: container.viewContext)
            task.place = Place(x: 1, y: 2)
            _ = task.wrong
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("AnyTask.place"))
        #expect(text.contains("is a Place, which is no Array<Int> as the property is declared"))
    }

    /// Calls a body with the context and its unsaved changes, then with another one after the save.
    private static func inBothContexts(
        _ container: NSPersistentContainer, _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        try body(container.viewContext)
        try container.viewContext.save()
        try body(container.newBackgroundContext())
    }

    private static func task(_ context: NSManagedObjectContext) throws -> AnyTask {
        try #require(context.fetch(NSFetchRequest<AnyTask>(entityName: "AnyTask")).first)
    }
}
