// SPDX-License-Identifier: Apache-2.0

import Lode

enum Binding: String { case paper, cloth }
enum Grade: Int16, CaseIterable, Codable { case good = 3, fair = 5 }

/// A class with properties of every kind, and some that the model does not know.
class Work: NSManagedObject {
    @Managed var title: String
    @Managed var nick: String?
    @Managed var year: Int32
    @Managed("page_count") var pages: Int
    @Managed var rating: Double
    @Managed var isOut: Bool
    @Managed var released: Date?
    @Managed private(set) var code: UUID?
    @Managed var cover: Data?
    @Managed var page: URL?
    @Managed var price: Decimal?
    @Managed var binding: Binding
    @Managed var grade: Grade?
    @Managed var count: NSNumber?
    @Managed var extra: [String]?
    @Managed var writer: Writer?
    @Managed var tags: Set<Label>
    @Managed var list: NSOrderedSet
}

final class Novel: Work {
    var cache: [String] = ["x"]
    @Managed var chapters: Int16
}

final class Writer: NSManagedObject {
    @Managed var name: String
    @Managed var home: String?
    @Managed var mentor: Writer?
    @Managed var works: Set<Work>
}

final class Label: NSManagedObject {
    @Managed var label: String
    @Managed var weight: Int64
    @Managed var works: Set<Work>
    @Managed var nick: String?
}

extension Work {
    var upper: String { title.uppercased() }
    var shownTitle: String {
        let title = title
        return title.isEmpty ? "Untitled" : title
    }
    var otherTitle: String { title }
    var trimmed: String {
        get { title.trimmingCharacters(in: .whitespacesAndNewlines) }
        set { title = newValue }
    }
    var clamped: Int32 {
        get { max(0, year) }
        set { year = newValue }
    }
    var isIn: Bool {
        get { !isOut }
        set { isOut = !newValue }
    }
    var full: String { title + (nick ?? "") }
    var constant: Int { 3 }
    var chief: Writer {
        get { writer! }
        set { writer = newValue }
    }
    func rename(_ code: UUID) { self.code = code }
}

/// The model of these classes, whose entities have other names, and a store in memory.
enum Works {
    static func makeContext(at path: String = "/dev/null") throws -> NSManagedObjectContext {
        let container = NSPersistentContainer(name: "Works", managedObjectModel: makeModel())
        container.persistentStoreDescriptions = [
            NSPersistentStoreDescription(url: URL(fileURLWithPath: path))
        ]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container.viewContext
    }

    private static func entity(
        _ name: String, _ type: NSManagedObject.Type,
        _ attributes: KeyValuePairs<String, NSAttributeDescription.AttributeType>
    ) -> NSEntityDescription {
        NSEntityDescription(
            name: name, managedObjectClass: type,
            properties: attributes.map { NSAttributeDescription(name: $0, type: $1) })
    }

    private static func makeModel() -> NSManagedObjectModel {
        let work = entity(
            "WorkEntity", Work.self,
            [
                "title": .string, "nick": .string, "year": .integer32, "page_count": .integer64,
                "rating": .double, "isOut": .boolean, "released": .date, "code": .uuid,
                "cover": .binaryData, "page": .uri, "price": .decimal, "binding": .string,
                "grade": .integer16, "count": .integer32, "extra": .transformable,
            ])
        let novel = entity("NovelEntity", Novel.self, ["chapters": .integer16])
        work.subentities = [novel]
        let writer = entity("WriterEntity", Writer.self, ["name": .string, "home": .string])
        let tag = entity(
            "LabelEntity", Label.self, ["label": .string, "weight": .integer64, "nick": .string])
        relate(writer, "works", 0, work, "writer", 1)
        relate(tag, "works", 0, work, "tags", 0)
        let list = NSRelationshipDescription(name: "list", destination: tag)
        list.isOrdered = true
        work.properties.append(list)
        writer.properties.append(
            NSRelationshipDescription(name: "mentor", destination: writer, maxCount: 1))
        return NSManagedObjectModel(entities: [work, novel, writer, tag])
    }

    private static func relate(
        _ owner: NSEntityDescription, _ name: String, _ max: Int, _ other: NSEntityDescription,
        _ inverseName: String, _ inverseMax: Int
    ) {
        let back = NSRelationshipDescription(
            name: inverseName, destination: owner, maxCount: inverseMax)
        let forth = NSRelationshipDescription(
            name: name, destination: other, maxCount: max, inverse: back)
        owner.properties.append(forth)
        other.properties.append(back)
    }
}
