// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

extension GraphOracle {
    /// Reads all people of a context; the inverse sides are checked on the way.
    init(_ context: NSManagedObjectContext) throws {
        func number(_ object: NSManagedObject?) -> Int? { object.flatMap { Int($0.text("name")) } }
        func numbers(_ objects: Set<NSManagedObject>) -> Set<Int> {
            Set(objects.compactMap { number($0) })
        }
        departments = numbers(Set(try context.all("Department")))
        tags = numbers(Set(try context.all("Tag")))
        for object in try context.all("Person") {
            guard let name = number(object) else { continue }
            people[name] = Person(
                age: object.number("age"), department: number(object.one("department")),
                spouse: number(object.one("spouse")), parent: number(object.one("parent")),
                tags: numbers(object.many("tags")), friends: numbers(object.many("friends")))
        }
    }

    /// The sides of relationships that do not agree with their inverse.
    static func disagreements(_ context: NSManagedObjectContext) throws -> [String] {
        var found: [String] = []
        let sides = [
            ("Person", "department", "employees"), ("Person", "parent", "children"),
            ("Person", "tags", "people"), ("Person", "friends", "friends"),
            ("Person", "spouse", "spouse"), ("Department", "employees", "department"),
            ("Tag", "people", "tags"), ("Person", "children", "parent"),
        ]
        for (entity, key, inverse) in sides {
            for object in try context.all(entity) {
                for partner in members(object, key)
                where partner.isDeleted || !members(partner, inverse).contains(object) {
                    found.append(
                        "\(entity) \(object.text("name")).\(key) has \(partner.text("name"))")
                }
            }
        }
        return found
    }

    private static func members(_ object: NSManagedObject, _ key: String) -> Set<NSManagedObject> {
        switch object.value(forKey: key) {
        case let set as Set<NSManagedObject>: set
        case let one as NSManagedObject: [one]
        default: []
        }
    }
}
