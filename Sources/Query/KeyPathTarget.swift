// SPDX-License-Identifier: Apache-2.0

import Schema

/// What a key path ends at.
enum KeyPathTarget {
    /// A value of an attribute.
    case attribute(AttributeType)
    /// An object of an entity.
    case object(String)
    /// Several objects of an entity.
    case objects(String)
    /// Several values.
    case values
    /// Something that is only known in evaluation: the result of a function or a collection
    /// operator.
    case unknown

    var entity: String? {
        switch self {
        case .object(let name), .objects(let name): name
        case .attribute, .values, .unknown: nil
        }
    }

    /// Whether it is one value or one object; a transformable value may be a collection.
    var isOne: Bool {
        switch self {
        case .attribute(.transformable), .objects, .values, .unknown: false
        case .attribute, .object: true
        }
    }

    var isCollection: Bool {
        switch self {
        case .objects, .values: true
        case .attribute, .object, .unknown: false
        }
    }
}

/// Follows key paths through a schema.
struct KeyPathResolver {
    let schema: Schema

    /// Whether a key stands for the object itself or its identity.
    ///
    /// `id` does unless the entity has a property of that name.
    static func isIdentity(_ key: String, of entity: Entity) -> Bool {
        switch key {
        case "self", "SELF", "objectID": true
        case "id": entity.attribute("id") == nil && entity.relationship("id") == nil
        default: false
        }
    }

    /// Whether a key stands for the entity of the object: its name, in comparisons.
    static func isEntity(_ key: String, of entity: Entity) -> Bool {
        key == "entity" && entity.attribute(key) == nil && entity.relationship(key) == nil
    }

    /// What a key path ends at.
    ///
    /// - Throws: ``QueryError`` with `unknownKeyPath`, `unsupported` for a transient property.
    func target(
        _ keys: [String], of start: KeyPathTarget
    ) throws(QueryError) -> KeyPathTarget {
        if keys.count == 1, case .object(let name) = start,
            let type = storedType(of: keys[0], name)
        {
            return .attribute(type)
        }
        var current = start
        for (position, key) in keys.enumerated() {
            if key.utf8.first == 0x40 {
                try checkOperator(keys, position, current)
                return .unknown
            }
            guard let name = current.entity else {
                try checkValueKey(key, keys, current)
                return .unknown
            }
            if let entity = schema.entity(name), KeyPathResolver.isEntity(key, of: entity) {
                try checkEntityKeys(keys[(position + 1)...], keys)
                return current.isCollection ? .values : .unknown
            }
            current = try step(key, of: name, keys, isCollection: current.isCollection)
        }
        return current
    }

    /// The type of a stored attribute; `nil` for all other keys.
    private func storedType(of key: String, _ name: String) -> AttributeType? {
        switch key {
        case "self", "SELF", "objectID": return nil
        default: break
        }
        guard let entity = schema.entity(name) else { return nil }
        for attribute in entity.attributes where attribute.name == key {
            return attribute.isTransient ? nil : attribute.type
        }
        return nil
    }

    private func step(
        _ key: String, of name: String, _ keys: [String], isCollection: Bool
    ) throws(QueryError) -> KeyPathTarget {
        guard let entity = schema.entity(name) else {
            throw QueryError(.unknownEntity, "the model has no entity \(name)")
        }
        if KeyPathResolver.isIdentity(key, of: entity) {
            return isCollection ? .objects(name) : .object(name)
        }
        if let attribute = entity.attribute(key) {
            if attribute.isTransient { throw transient(key, of: name, keys) }
            return isCollection ? .values : .attribute(attribute.type)
        }
        guard let relationship = entity.relationship(key) else {
            throw unknown(key, of: entity, keys)
        }
        if relationship.isTransient { throw transient(key, of: name, keys) }
        return relationship.isToMany || isCollection
            ? .objects(relationship.destination) : .object(relationship.destination)
    }

    /// A collection operator applies to what the keys before it yield; the keys behind it
    /// are followed from each member.
    private func checkOperator(
        _ keys: [String], _ position: Int, _ current: KeyPathTarget
    ) throws(QueryError) {
        if case .objects(let name) = current {
            let rest = keys[(position + 1)...].prefix { $0.utf8.first != 0x40 }
            if keys[position] == "@count" { return }
            _ = try target(Array(rest), of: .object(name))
        }
    }

    private func checkEntityKeys(
        _ rest: ArraySlice<String>, _ keys: [String]
    ) throws(QueryError) {
        if rest.isEmpty || rest.elementsEqual(["name"]) { return }
        throw QueryError(
            .unknownKeyPath,
            "key path \(keys.joined(separator: ".")) reads more of an entity than its name")
    }

    private func checkValueKey(
        _ key: String, _ keys: [String], _ current: KeyPathTarget
    ) throws(QueryError) {
        if case .unknown = current { return }
        if key == "absoluteString" {
            switch current {
            // The type of several values is not known here.
            case .attribute(.uri), .values: return
            default: break
            }
        }
        if key == "timeIntervalSinceReferenceDate" || key == "timeIntervalSince1970" {
            switch current {
            case .attribute(.date), .values: return
            default: break
            }
        }
        guard ["length", "lowercaseString", "uppercaseString", "self"].contains(key) else {
            throw QueryError(
                .unknownKeyPath,
                "key path \(keys.joined(separator: ".")) reads \(key) of an attribute's value; "
                    + "only "
                    + "relationships can be followed")
        }
    }

    private func transient(_ key: String, of entity: String, _ keys: [String]) -> QueryError {
        QueryError(
            .unsupported,
            "\(entity).\(key) in key path \(keys.joined(separator: ".")) is transient: the "
                + "store does "
                + "not know its values; filter or sort the fetched objects instead")
    }

    private func unknown(_ key: String, of entity: Entity, _ keys: [String]) -> QueryError {
        let names = entity.attributes.map(\.name) + entity.relationships.map(\.name)
        let place = keys.count > 1 ? " in key path \(keys.joined(separator: "."))" : ""
        return QueryError(
            .unknownKeyPath,
            "entity \(entity.name) has no property \(key)\(place); "
                + NearestNames.advice(for: key, among: names))
    }
}
