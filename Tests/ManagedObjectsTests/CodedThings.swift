// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema

/// Overrides the setter by key.
class ShoutingThing: NSManagedObject {
    override func setValue(_ value: Any?, forKey key: String) {
        let text = (value as? String)?.uppercased()
        super.setValue(text ?? value, forKey: key)
    }
}

/// Inherits the override.
final class LoudThing: ShoutingThing {
    override func awakeFromInsert() { super.awakeFromInsert() }
}

/// Overrides the getter by key.
final class WhisperingThing: NSManagedObject {
    override func value(forKey key: String) -> Any? {
        let value = super.value(forKey: key)
        return (value as? String)?.lowercased() ?? value
    }
}

/// Registers an accessor.
final class NumberedThing: NSManagedObject {
    var counted: Int {
        get { (primitiveValue(forKey: "number") as? Int ?? 0) + 1 }
        set { setPrimitiveValue(newValue - 1, forKey: "number") }
    }

    override class var keyValueAccessors: [KeyValueAccessor] {
        super.keyValueAccessors + [KeyValueAccessor("number", \NumberedThing.counted)]
    }
}

/// Overrides much, but nothing of key-value coding.
class BusyThing: NSManagedObject {
    override func awakeFromInsert() {
        super.awakeFromInsert()
        setPrimitiveValue("busy", forKey: "text")
    }
    override func willSave() { super.willSave() }
    override func validateValue(_ value: inout Any?, forKey key: String) throws {
        try super.validateValue(&value, forKey: key)
    }
    override func value(forUndefinedKey key: String) -> Any? { nil }
    override func setValue(_ value: Any?, forUndefinedKey key: String) {}
    override func setNilValueForKey(_ key: String) {}
}

/// Things with a value of each type and a relationship of each kind; special ones are things.
enum ThingModel {
    static let types: [(String, NSAttributeType)] = [
        ("short", .integer16AttributeType), ("number", .integer64AttributeType),
        ("middle", .integer32AttributeType), ("ratio", .doubleAttributeType),
        ("part", .floatAttributeType), ("price", .decimalAttributeType),
        ("flag", .booleanAttributeType), ("text", .stringAttributeType),
        ("date", .dateAttributeType), ("data", .binaryDataAttributeType),
        ("id", .UUIDAttributeType), ("link", .URIAttributeType),
        ("any", .transformableAttributeType), ("reference", .objectIDAttributeType),
    ]

    static func make(_ type: NSManagedObject.Type? = nil) -> NSManagedObjectModel {
        let thing = Build.entity(
            "Thing", types.map { Build.attribute($0, $1) }, class: type)
        let special = Build.entity(
            "Special", [Build.attribute("a", .booleanAttributeType), Build.attribute("zoo")])
        let other = Build.entity("Other", [Build.attribute("name")])
        Build.inverse(
            Build.relationship("one", of: thing, to: other, max: 1),
            Build.relationship("things", of: other, to: thing, max: 0))
        Build.inverse(
            Build.relationship("many", of: thing, to: other, max: 0),
            Build.relationship("owners", of: other, to: thing, max: 0))
        let list = Build.relationship("list", of: thing, to: other, max: 0)
        list.isOrdered = true
        Build.inverse(list, Build.relationship("lister", of: other, to: thing, max: 1))
        Build.relationship("another", of: special, to: other, max: 1)
        thing.subentities = [special]
        return Build.model(thing, special, other)
    }
}

extension NSManagedObject {
    /// The place of an attribute in the entity of a name.
    func attribute(_ name: String, of entity: String? = nil) -> AttributePlace {
        guard let place = description(of: entity).place(ofAttribute: name) else {
            preconditionFailure("no attribute \(name)")
        }
        return place
    }

    func toOne(_ name: String, of entity: String? = nil) -> ToOnePlace {
        guard let place = description(of: entity).place(ofToOne: name) else {
            preconditionFailure("no to-one relationship \(name)")
        }
        return place
    }

    func toMany(_ name: String, of entity: String? = nil) -> ToManyPlace {
        guard let place = description(of: entity).place(ofToMany: name) else {
            preconditionFailure("no to-many relationship \(name)")
        }
        return place
    }

    private func description(of entity: String?) -> NSEntityDescription {
        guard let entity else { return self.entity }
        return self.entity.managedObjectModel.entitiesByName[entity] ?? self.entity
    }

    /// Sets an attribute by its place, or by its key.
    func put(_ value: Value, _ name: String, byKey: Bool) {
        if byKey {
            setValue(value.plainObject, forKey: name)
        } else {
            setValue(value, at: attribute(name))
        }
    }
}
