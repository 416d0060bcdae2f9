// SPDX-License-Identifier: Apache-2.0

extension Schema {
    func validate() throws(SchemaError) {
        for entity in entities {
            try validateName(entity.name, "an entity")
            // The name is one component of the URIs of its objects.
            guard !entity.name.utf8.contains(UInt8(ascii: "/")) else {
                throw SchemaError(
                    .badName, "an entity is named \"\(entity.name)\"; a name has no slash")
            }
            try validateInheritance(of: entity)
            try validatePropertyNames(of: entity)
            for attribute in entity.attributes { try validate(attribute, of: entity) }
            for relationship in entity.relationships { try validate(relationship, of: entity) }
            for index in entity.indexes { try validate(index, of: entity) }
        }
    }

    private func validateName(_ name: String, _ what: String) throws(SchemaError) {
        guard !name.isEmpty, name.utf8.count <= 255 else {
            throw SchemaError(
                .badName, "\(what) is named \"\(name)\"; a name has 1 to 255 bytes")
        }
    }

    private func validateInheritance(of entity: Entity) throws(SchemaError) {
        var seen: Set<String> = [entity.name]
        var current = entity.superentity
        while let name = current {
            guard let parent = self.entity(name) else {
                throw SchemaError(
                    .unknownName, "\(entity.name) inherits from \(name), which is no entity")
            }
            guard seen.insert(name).inserted else {
                throw SchemaError(.inheritanceCycle, "\(entity.name) inherits from itself")
            }
            guard seen.count <= Schema.deepestInheritance else {
                throw SchemaError(
                    .inheritanceTooDeep,
                    "\(entity.name) has more than \(Schema.deepestInheritance - 1) entities above "
                        + "it; let fewer inherit from each other")
            }
            current = parent.superentity
        }
    }

    private func validatePropertyNames(of entity: Entity) throws(SchemaError) {
        var seen: Set<String> = []
        for name in entity.attributes.map(\.name) + entity.relationships.map(\.name) {
            try validateName(name, "a property of \(entity.name)")
            guard seen.insert(name).inserted else {
                throw SchemaError(
                    .duplicateName, "\(entity.name) has two properties named \(name)")
            }
        }
        var indexNames: Set<String> = []
        for index in entity.indexes where !indexNames.insert(index.name).inserted {
            throw SchemaError(
                .duplicateName, "\(entity.name) has two indexes named \(index.name)")
        }
    }

    private func validate(_ attribute: Attribute, of entity: Entity) throws(SchemaError) {
        guard let type = attribute.defaultValue.type, type != attribute.type else { return }
        throw SchemaError(
            .badDefault,
            "the default of \(entity.name).\(attribute.name) is \(type), not \(attribute.type)")
    }

    private func validate(_ relationship: Relationship, of entity: Entity) throws(SchemaError) {
        let name = "\(entity.name).\(relationship.name)"
        guard let destination = self.entity(relationship.destination) else {
            throw SchemaError(
                .unknownName, "\(name) leads to \(relationship.destination), which is no entity")
        }
        guard relationship.minCount >= 0, relationship.maxCount >= 0,
            relationship.maxCount == 0 || relationship.minCount <= relationship.maxCount,
            // Files keep counts in 32 bits.
            max(relationship.minCount, relationship.maxCount) <= Int(UInt32.max)
        else {
            throw SchemaError(
                .inconsistentRelationship,
                "\(name) has counts \(relationship.minCount)...\(relationship.maxCount)")
        }
        guard let inverseName = relationship.inverse else { return }
        guard let inverse = destination.relationship(inverseName) else {
            throw SchemaError(
                .unknownName, "the inverse \(destination.name).\(inverseName) of \(name) is missing"
            )
        }
        let pointsBack =
            inverse.inverse == relationship.name
            && self.entity(entity.name, isKindOf: inverse.destination)
        guard pointsBack else {
            throw SchemaError(
                .inconsistentRelationship,
                "\(destination.name).\(inverseName) is the inverse of \(name), "
                    + "but does not name it back; set the inverse on both sides")
        }
    }

    private func validate(_ index: Index, of entity: Entity) throws(SchemaError) {
        guard !index.properties.isEmpty else {
            throw SchemaError(.badName, "index \(index.name) of \(entity.name) has no property")
        }
        guard index.descending.isEmpty || index.descending.count == index.properties.count,
            !(index.isUnique && index.hasForm)
        else {
            throw SchemaError(
                .badName,
                "index \(index.name) of \(entity.name) has directions for other properties than "
                    + "its own, or is a uniqueness constraint, which has none")
        }
        if let condition = index.condition {
            let objection =
                condition.nesting > IndexCondition.deepestNesting
                ? "it has too many parts inside each other" : condition.objection(in: entity)
            if let objection {
                throw SchemaError(
                    .badName,
                    "index \(index.name) of \(entity.name) has an impossible condition: "
                        + objection)
            }
        }
        for property in index.properties {
            let toOne = entity.relationship(property).map { !$0.isToMany && !$0.isTransient }
            guard entity.attribute(property).map({ !$0.isTransient }) ?? toOne ?? false else {
                throw SchemaError(
                    .unknownName,
                    "index \(index.name) of \(entity.name) names \(property), which is no "
                        + "stored attribute or to-one relationship")
            }
        }
    }
}
