// SPDX-License-Identifier: Apache-2.0

import ManagedObjects

/// Clubs with many members: cats and dogs, in two relationships without an order and in one with.
enum ClubModel {
    static func make() -> NSManagedObjectModel {
        let club = Build.entity("Club", [Build.attribute("number", .integer32AttributeType)])
        let animal = Build.entity("Animal", [Build.attribute("number", .integer32AttributeType)])
        animal.isAbstract = true
        let (cat, dog) = (Build.entity("Cat", []), Build.entity("Dog", []))
        animal.subentities = [cat, dog]
        Build.inverse(
            Build.relationship("members", of: club, to: animal, max: 0),
            Build.relationship("clubs", of: animal, to: club, max: 0))
        Build.inverse(
            Build.relationship("owned", of: club, to: animal, max: 0),
            Build.relationship("owner", of: animal, to: club, max: 1))
        let line = Build.relationship("line", of: club, to: animal, max: 0)
        line.isOrdered = true
        Build.inverse(line, Build.relationship("lines", of: animal, to: club, max: 0))
        return Build.model(club, animal, cat, dog)
    }
}
