// SPDX-License-Identifier: Apache-2.0

/// Refuses differences that objects cannot be converted for, or not without a loss that no one has
/// asked for.
extension MappingInference {
    /// Checks all entities that have a source.
    func check() throws(SchemaMappingError) {
        for entity in destination.entities {
            for relationship in entity.relationships
            where destination.declaringEntity(of: relationship.name, in: entity.name) == entity.name
            {
                try checkPair(relationship, of: entity)
            }
            guard let name = sources[entity.name], let former = source.entity(name) else {
                continue
            }
            try checkSuperentity(of: entity, former)
            for property in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
                try checkPlace(of: property, in: entity, former)
            }
            for attribute in entity.attributes { try checkType(of: attribute, entity, former) }
            for relationship in entity.relationships {
                guard let old = self.former(relationship, of: entity) else { continue }
                try check(relationship, of: entity, former: old)
            }
        }
    }

    /// The relationship of the source that one comes from.
    func former(_ relationship: Relationship, of entity: Entity) -> Relationship? {
        guard let name = properties[entity.name]?.relationships[relationship.name] else {
            return nil
        }
        return sources[entity.name].flatMap { source.entity($0)?.relationship(name) }
    }

    private func checkSuperentity(
        of entity: Entity, _ former: Entity
    ) throws(SchemaMappingError) {
        let parent = entity.superentity.map { sources[$0] ?? "" }
        guard parent != former.superentity else { return }
        throw SchemaMappingError(
            entity: entity.name,
            reason: "it inherits from \(entity.superentity ?? "no entity"), and in the stored "
                + "model from \(former.superentity ?? "none"); keep the superentity")
    }

    /// A property stays with the entity that declares it: its subentities share its number.
    private func checkPlace(
        of property: String, in entity: Entity, _ former: Entity
    ) throws(SchemaMappingError) {
        let name = properties[entity.name]?.source(of: property)
        let declarer = destination.declaringEntity(of: property, in: entity.name)
        var isKept = declarer == entity.name || properties[declarer]?.source(of: property) == name
        if let name {
            let formerDeclarer = source.declaringEntity(of: name, in: former.name)
            isKept = isKept && sources[declarer] == formerDeclarer
        }
        guard !isKept else { return }
        throw SchemaMappingError(
            entity: entity.name, property: property,
            reason: "it has moved between entities that inherit from each other; leave it where "
                + "it is in the stored model")
    }

    private func checkType(
        of attribute: Attribute, _ entity: Entity, _ former: Entity
    ) throws(SchemaMappingError) {
        guard let name = properties[entity.name]?.attributes[attribute.name],
            let old = former.attribute(name), old.type != attribute.type
        else { return }
        throw SchemaMappingError(
            entity: entity.name, property: attribute.name,
            reason: "its type is \(attribute.type), and in the stored model \(old.type); keep the "
                + "type, or add an attribute of another name")
    }
}

/// Relationships.
extension MappingInference {
    private func check(
        _ relationship: Relationship, of entity: Entity, former: Relationship
    ) throws(SchemaMappingError) {
        func refuse(_ reason: String) -> SchemaMappingError {
            SchemaMappingError(entity: entity.name, property: relationship.name, reason: reason)
        }
        guard relationship.isTransient == former.isTransient else {
            throw refuse(
                "it is stored in one of the models and transient in the other one; keep it as it "
                    + "is, or add a relationship of another name")
        }
        guard relationship.isToMany || !former.isToMany else {
            throw refuse(
                "it is to-one, and to-many in the stored model, so destinations would be lost; "
                    + "keep it, or add a relationship of another name")
        }
        let target = sources[relationship.destination]
        guard let target, source.entity(former.destination, isKindOf: target) else {
            throw refuse(
                "it leads to \(relationship.destination), and in the stored model to "
                    + "\(former.destination), which does not become \(relationship.destination) "
                    + "or inherit from it; keep the destination, or add a relationship of "
                    + "another name")
        }
    }

    /// The two directions of a relationship come from such ones, or both are new: one that is
    /// filled must not have an empty one as its inverse.
    private func checkPair(
        _ relationship: Relationship, of entity: Entity
    ) throws(SchemaMappingError) {
        let former = former(relationship, of: entity)
        var formerInverse: Relationship?
        if let inverse = destination.inverse(of: relationship),
            let other = destination.entity(relationship.destination)
        {
            formerInverse = self.former(inverse, of: other)
        }
        let isPair: Bool
        if relationship.inverse != nil {
            isPair =
                former?.inverse == formerInverse?.name && formerInverse?.inverse == former?.name
        } else {
            // Its former inverse may go.
            isPair = former.map { inverseIsGone(of: $0) } ?? true
        }
        guard !isPair else { return }
        throw SchemaMappingError(
            entity: entity.name, property: relationship.name,
            reason: "its inverse is \(relationship.inverse ?? "none"), and that is not what its "
                + "inverse in the stored model becomes; keep the inverse, or give both new names")
    }

    /// Whether no relationship of the destination comes from the inverse of one of the source.
    private func inverseIsGone(of former: Relationship) -> Bool {
        guard let inverse = former.inverse else { return true }
        return !sources.contains { name, formerName in
            source.entity(formerName, isKindOf: former.destination)
                && properties[name]?.relationships.values.contains(inverse) == true
        }
    }
}
