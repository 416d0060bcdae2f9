// SPDX-License-Identifier: Apache-2.0

import Schema
import Store

/// What the rows of an entity have, in their order: attributes, then to-one relationships.
///
/// Only for entities whose objects are plain `NSManagedObject`s: a class may have code that runs
/// when an object is inserted, validated or saved.
package struct RowForm {
    /// A to-one relationship: its field, and where its inverse is kept.
    struct Reference {
        let field: Int
        let inverse: RelationshipTable?
    }

    let runtime: EntityRuntime
    /// The positions of the attributes.
    let fields: [Int]
    let references: [Reference]
    /// The positions of what each row must have.
    let mandatory: ContiguousArray<Int>

    /// Prepares rows; `nil` for an entity whose objects have to be made.
    ///
    /// - Parameters:
    ///   - entity: An entity that the context's store has.
    ///   - attributes: The attributes that rows have values of.
    ///   - toOne: The to-one relationships that rows have destinations of.
    package init?(
        _ entity: NSEntityDescription, attributes: [AttributePlace], toOne: [ToOnePlace],
        in context: NSManagedObjectContext
    ) throws {
        let runtime = context.runtime(for: entity)
        let store = try context.requireStore()
        guard runtime.objectClass == NSManagedObject.self, !runtime.entity.isAbstract,
            !context.hasFurtherStores
        else { return nil }
        var references: [Reference] = []
        var mandatory = RowMaker.mandatoryFields(of: runtime)
        for place in toOne {
            let relationship = runtime.toOneRelationships[place.place.position]
            guard relationship.field >= 0 else { return nil }
            var inverse: RelationshipTable?
            if let back = relationship.inverse(in: relationship.destination) {
                // An inverse to-one relationship is a field of another record.
                guard back.isToMany, relationship.destination.subRuntimes.isEmpty
                else { return nil }
                inverse = store.tables[back.ordinal].relationships[back.position]
            }
            references.append(Reference(field: relationship.field, inverse: inverse))
            if relationship.relationship.needsDestination { mandatory.append(relationship.field) }
        }
        // What no row sets must not be mandatory.
        let set = Set(references.map(\.field))
        let isComplete = runtime.relationships.allSatisfy {
            !$0.relationship.needsDestination || set.contains($0.field)
        }
        guard isComplete else { return nil }
        self.runtime = runtime
        self.references = references
        self.mandatory = mandatory
        fields = attributes.map(\.place.position)
    }
}

/// Rows of one ``RowForm``, one after the other.
package struct PlainRows {
    /// As many values a row as the form has attributes.
    package var values: ContiguousArray<Value> = []
    /// As many keys a row as the form has references; `nil` for none.
    package var destinations: ContiguousArray<ObjectKey?> = []
    /// The number of rows.
    package var count = 0

    /// Makes an empty list.
    package init() {}
}
