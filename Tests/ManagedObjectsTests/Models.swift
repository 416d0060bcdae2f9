// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects

/// People, departments, tags and passports: every cardinality once.
enum PeopleModel {
    static func make(
        employeesRule: NSDeleteRule = .nullifyDeleteRule, isDepartmentOptional: Bool = true,
        isIndexed: Bool = false
    ) -> NSManagedObjectModel {
        let person = Build.entity(
            "Person",
            [
                Build.attribute("name"),
                Build.attribute("age", .integer32AttributeType, default: 18),
            ])
        let department = Build.entity("Department", [Build.attribute("name")])
        let tag = Build.entity("Tag", [Build.attribute("name")])
        let passport = Build.entity("Passport", [Build.attribute("name")])
        Build.inverse(
            Build.relationship(
                "department", of: person, to: department, max: 1,
                isOptional: isDepartmentOptional),
            Build.relationship("employees", of: department, to: person, max: 0, rule: employeesRule)
        )
        Build.inverse(
            Build.relationship("passport", of: person, to: passport, max: 1),
            Build.relationship("holder", of: passport, to: person, max: 1))
        Build.inverse(
            Build.relationship("tags", of: person, to: tag, max: 0),
            Build.relationship("people", of: tag, to: person, max: 0))
        Build.inverse(
            Build.relationship("parent", of: person, to: person, max: 1),
            Build.relationship("children", of: person, to: person, max: 0))
        let friends = Build.relationship("friends", of: person, to: person, max: 0)
        friends.inverseRelationship = friends
        let spouse = Build.relationship("spouse", of: person, to: person, max: 1)
        spouse.inverseRelationship = spouse
        Build.relationship("favourite", of: person, to: tag, max: 1)
        Build.relationship("watched", of: person, to: tag, max: 0)
        if isIndexed {
            Build.index(person, "name")
            Build.index(person, "age")
            Build.index(person, "department")
        }
        return Build.model(person, department, tag, passport)
    }
}

/// One entity of items with a name and a number.
enum ItemModel {
    static func make(isUnique: Bool = false) -> NSManagedObjectModel {
        let item = Build.entity(
            "Item",
            [
                Build.attribute("name"),
                Build.attribute("number", .integer64AttributeType, default: 0),
            ])
        if isUnique { item.uniquenessConstraints = [["name"]] }
        return Build.model(item)
    }
}
