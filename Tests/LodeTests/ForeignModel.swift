// SPDX-License-Identifier: Apache-2.0

import Lode

class Thing: NSManagedObject {
    @Managed var name: String
    @Managed var short: Int16
    @Managed var medium: Int32
    @Managed var long: Int64
    @Managed var real: Double
    @Managed var single: Float
    @Managed var price: Decimal?
    @Managed var flag: Bool
    @Managed var day: Date?
    @Managed var picture: Data?
    @Managed var note: Data?
    @Managed var id: UUID?
    @Managed var site: URL?
    @Managed var holder: Holder?
    @Managed var next: Thing?
    @Managed var tags: Set<Tag>
    @Managed var shownBy: Set<Holder>
}

final class SpecialThing: Thing {
    @Managed var extra: String?
}

final class Holder: NSManagedObject {
    @Managed var name: String
    @Managed var things: Set<Thing>
    @Managed var shown: [Thing]
}

final class Tag: NSManagedObject {
    @Managed var name: String
    @Managed var things: [Thing]
}

/// A model with each kind of property that a file can have.
enum ForeignModel {
    static func make() -> NSManagedObjectModel {
        let thing = NSEntityDescription(name: "Thing", managedObjectClass: Thing.self)
        let special = NSEntityDescription(
            name: "SpecialThing", managedObjectClass: SpecialThing.self)
        let holder = NSEntityDescription(name: "Holder", managedObjectClass: Holder.self)
        let tag = NSEntityDescription(name: "Tag", managedObjectClass: Tag.self)
        let name = NSAttributeDescription(name: "name", type: .string, defaultValue: "nobody")
        name.preservesValueInHistoryOnDeletion = true
        let picture = NSAttributeDescription(name: "picture", type: .binaryData)
        picture.allowsExternalBinaryDataStorage = true
        let medium = NSAttributeDescription(name: "medium", type: .integer32)
        let price = NSAttributeDescription(
            name: "price", type: .decimal, defaultValue: NSDecimalNumber(string: "12.34"))
        let id = NSAttributeDescription(name: "id", type: .uuid)
        thing.properties =
            [name, picture, medium, price, id]
            + [
                ("short", .integer16), ("long", .integer64), ("real", .double),
                ("single", .float), ("flag", .boolean), ("day", .date), ("note", .binaryData),
                ("site", .uri), ("secret", .transformable), ("link", .objectID),
            ].map { NSAttributeDescription(name: $0, type: $1) }
        special.properties = [NSAttributeDescription(name: "extra", type: .string)]
        thing.subentities = [special]
        holder.properties = [NSAttributeDescription(name: "name", type: .string)]
        tag.properties = [NSAttributeDescription(name: "name", type: .string)]
        relate(thing, holder, tag)
        thing.indexes = [
            NSFetchIndexDescription(name: "byName", properties: [name]),
            NSFetchIndexDescription(name: "byMedium", properties: [medium, name]),
            NSFetchIndexDescription(name: "byPrice", properties: [price]),
        ]
        thing.uniquenessConstraints = [["id"]]
        return NSManagedObjectModel(
            entities: [thing, special, holder, tag] + GameObject.makeEntities())
    }

    private static func relate(
        _ thing: NSEntityDescription, _ holder: NSEntityDescription, _ tag: NSEntityDescription
    ) {
        let things = NSRelationshipDescription(
            name: "things", destination: thing, deleteRule: .cascadeDeleteRule)
        let owner = NSRelationshipDescription(
            name: "holder", destination: holder, maxCount: 1, inverse: things)
        let shown = NSRelationshipDescription(name: "shown", destination: thing)
        shown.isOrdered = true
        let shownBy = NSRelationshipDescription(
            name: "shownBy", destination: holder, inverse: shown)
        let tags = NSRelationshipDescription(name: "tags", destination: tag)
        let tagged = NSRelationshipDescription(name: "things", destination: thing, inverse: tags)
        let next = NSRelationshipDescription(name: "next", destination: thing, maxCount: 1)
        thing.properties += [owner, next, tags, shownBy]
        holder.properties += [things, shown]
        tag.properties.append(tagged)
    }
}
