// SPDX-License-Identifier: Apache-2.0

import Lode
import Testing

enum Feeling: Int16 { case calm, glad }

/// Has accessors of its own, which use the raw values of the modelled properties.
final class Diary: NSManagedObject {
    @Managed private var primitiveTitle: String?
    @Managed private var primitiveWrittenAt: Date
    @Managed var primitivePages: Int32
    @Managed var primitiveMood: Feeling
    @Managed var primitiveCover: Data?
    @Managed var primitivePrevious: Diary?
    @Managed var primitiveColour: String?
    @Managed var primitiveOrder: NSNumber?
    @Managed var primitiveTags: [String]?

    @Managed var order: Int32
    @Managed var tags: [String]
    @Managed var pages: Int32
    @Managed var mood: Feeling
    @Managed var writtenAt: Date
    @Managed var previous: Diary?
    @Managed var next: Diary?

    var title: String? {
        get {
            willAccessValue(forKey: "title")
            defer { didAccessValue(forKey: "title") }
            return primitiveTitle
        }
        set {
            willChangeValue(forKey: "title")
            primitiveTitle = newValue?.uppercased()
            didChangeValue(forKey: "title")
        }
    }

    override func awakeFromInsert() {
        super.awakeFromInsert()
        primitiveWrittenAt = Date(timeIntervalSinceReferenceDate: 1)
    }

    override func willSave() {
        super.willSave()
        primitivePages = Int32(title?.count ?? 0)
    }

    static func makeModel() -> NSManagedObjectModel {
        let diary = NSEntityDescription(name: "Diary", managedObjectClass: Diary.self)
        let next = NSRelationshipDescription(name: "next", destination: diary, maxCount: 1)
        let previous = NSRelationshipDescription(
            name: "previous", destination: diary, maxCount: 1, inverse: next)
        let tags = NSAttributeDescription(name: "tags", type: .transformable)
        tags.valueTransformerName = "NSSecureUnarchiveFromData"
        diary.properties = [
            NSAttributeDescription(name: "title", type: .string),
            NSAttributeDescription(name: "writtenAt", type: .date),
            NSAttributeDescription(name: "pages", type: .integer32),
            NSAttributeDescription(name: "mood", type: .integer16),
            NSAttributeDescription(name: "cover", type: .binaryData),
            NSAttributeDescription(name: "order", type: .integer32),
            tags,
            NSAttributeDescription(name: "primitiveColour", type: .string), next, previous,
        ]
        return NSManagedObjectModel(entities: [diary])
    }
}

/// Properties named `primitive…`, which Core Data generates for each property of an entity.
@Suite struct PrimitivePropertyTests {
    private func diaries() throws -> (NSPersistentContainer, Diary, Diary) {
        let container = try NSPersistentContainer.inMemory("Diary", Diary.makeModel())
        let context = container.viewContext
        return (container, Diary(context: context), Diary(context: context))
    }

    @Test func accessors_of_ones_own_keep_their_values() throws {
        let (container, diary, _) = try diaries()
        let context = container.viewContext
        #expect(diary.title == nil)
        #expect(diary.writtenAt == Date(timeIntervalSinceReferenceDate: 1))
        diary.title = "may"
        #expect(diary.title == "MAY" && diary.changedValues()["title"] as? String == "MAY")
        try context.save()
        #expect(diary.pages == 3 && diary.primitivePages == 3)
        context.refreshAllObjects()
        #expect(diary.isFault && diary.title == "MAY" && diary.pages == 3)
        #expect(try context.count(for: NSFetchRequest<Diary>(entityName: "Diary")) == 2)
    }

    @Test func raw_values_are_set_without_tracking() throws {
        let (container, diary, other) = try diaries()
        try container.viewContext.save()
        diary.primitivePages = 7
        diary.primitiveMood = .glad
        diary.primitiveCover = Data([1])
        diary.primitivePrevious = other
        #expect(!diary.hasChanges && !other.hasChanges && other.next == nil)
        #expect(diary.pages == 7 && diary.mood == .glad && diary.previous === other)
        #expect(diary.primitiveCover == Data([1]) && diary.primitivePrevious === other)
        diary.primitiveCover = nil
        diary.primitivePrevious = nil
        #expect(diary.primitiveCover == nil && diary.previous == nil)
    }

    @Test func numbers_and_lists_have_raw_values_too() throws {
        let (container, diary, _) = try diaries()
        try container.viewContext.save()
        #expect(diary.primitiveOrder == nil && diary.primitiveTags == nil)
        diary.primitiveOrder = 7
        diary.primitiveTags = ["a", "b"]
        #expect(!diary.hasChanges && diary.order == 7 && diary.tags == ["a", "b"])
        #expect(diary.primitiveOrder == 7 && diary.primitiveTags == ["a", "b"])
    }

    @Test func key_paths_have_the_names_of_the_model() {
        #expect((\Diary.title).managedName == "title")
        #expect((\Diary.primitivePages).managedName == "pages")
    }

    @Test func a_modelled_property_of_such_a_name_is_one_like_others() throws {
        let (container, diary, _) = try diaries()
        try container.viewContext.save()
        diary.primitiveColour = "red"
        #expect(diary.hasChanges && diary.changedValues().keys.sorted() == ["primitiveColour"])
        try container.viewContext.save()
        container.viewContext.refreshAllObjects()
        #expect(diary.primitiveColour == "red")
    }
}
