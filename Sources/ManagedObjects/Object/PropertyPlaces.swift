// SPDX-License-Identifier: Apache-2.0

import Schema
import Traps

/// The number of a property in one of the lists of an entity's runtime.
struct PropertyPlace: Sendable, Hashable {
    /// The ``EntityRuntime/identifier`` of the entity.
    let entity: UInt32
    let number: UInt32

    init(_ runtime: EntityRuntime, _ number: Int) {
        entity = runtime.identifier
        self.number = UInt32(number)
    }

    var position: Int { Int(number) }
}

/// Where objects of an entity have the value of an attribute.
///
/// A place is found once by its name, and then used for any number of objects of the entity and of
/// the entities that inherit from it. Objects of the latter look the name up again each time.
package struct AttributePlace: Sendable, Hashable {
    let place: PropertyPlace
}

/// Where objects of an entity have the destination of a to-one relationship.
package struct ToOnePlace: Sendable, Hashable {
    let place: PropertyPlace
}

/// Where objects of an entity have the destinations of a to-many relationship.
package struct ToManyPlace: Sendable, Hashable {
    let place: PropertyPlace
}

extension NSEntityDescription {
    /// The place of an attribute; `nil` if there is none of the name, or if its values are object
    /// IDs or transformed, as these mean nothing without their context or transformer.
    package func place(ofAttribute name: String) -> AttributePlace? {
        let runtime = requireRuntime()
        guard case .field(let position)? = runtime.references[name],
            let type = runtime.fields[position].attribute?.type, type != .transformable,
            type != .objectID
        else { return nil }
        return AttributePlace(place: PropertyPlace(runtime, position))
    }

    /// The place of a to-one relationship; `nil` if there is none of the name.
    package func place(ofToOne name: String) -> ToOnePlace? {
        let runtime = requireRuntime()
        return runtime.toOneRelationships.firstIndex { $0.relationship.name == name }
            .map { ToOnePlace(place: PropertyPlace(runtime, $0)) }
    }

    /// The place of a to-many relationship; `nil` if there is none of the name.
    package func place(ofToMany name: String) -> ToManyPlace? {
        let runtime = requireRuntime()
        return runtime.toManyRelationships.firstIndex { $0.relationship.name == name }
            .map { ToManyPlace(place: PropertyPlace(runtime, $0)) }
    }
}

extension NSManagedObject {
    /// The position of the field at a place.
    @inline(__always)
    final func position(_ place: AttributePlace) -> Int {
        if isOwn(place.place) { return place.place.position }
        let name = ancestor(place.place).fields[place.place.position].name
        guard case .field(let position)? = runtime.references[name] else {
            trap("\(runtime.entity.name) does not inherit \(name)")
        }
        return position
    }

    /// The relationship at a place.
    @inline(__always)
    final func relationship(_ place: ToOnePlace) -> RelationshipRuntime {
        if isOwn(place.place) { return runtime.toOneRelationships[place.place.position] }
        return inherited(ancestor(place.place).toOneRelationships[place.place.position])
    }

    /// The relationship at a place.
    @inline(__always)
    final func relationship(_ place: ToManyPlace) -> RelationshipRuntime {
        if isOwn(place.place) { return runtime.toManyRelationships[place.place.position] }
        return inherited(ancestor(place.place).toManyRelationships[place.place.position])
    }

    @inline(__always)
    private final func isOwn(_ place: PropertyPlace) -> Bool {
        // SAFETY: the object keeps its runtime, see `runtimeReference`.
        runtimeReference._withUnsafeGuaranteedRef { $0.identifier == place.entity }
    }

    /// The runtime above the object's own that a place belongs to.
    @inline(never)
    private final func ancestor(_ place: PropertyPlace) -> EntityRuntime {
        var step = runtime.superRuntime
        while let current = step {
            if current.identifier == place.entity { return current }
            step = current.superRuntime
        }
        trap(
            "an object of \(runtime.entity.name) was asked for a property by its place in another "
                + "entity; find the place in \(runtime.entity.name) of the same model")
    }

    private final func inherited(_ relationship: RelationshipRuntime) -> RelationshipRuntime {
        guard let own = runtime.relationship(like: relationship) else {
            trap("\(runtime.entity.name) does not inherit \(relationship.relationship.name)")
        }
        return own
    }
}
