// SPDX-License-Identifier: Apache-2.0

extension ModelFile {
    /// Checks that all names of the file lead to something.
    func check(_ root: MarkupElement) throws(ModelFileError) {
        var names: Set<String> = []
        for entity in entities {
            guard names.insert(entity.name).inserted else {
                throw fault("there are two entities \(entity.name)", entity)
            }
        }
        // First of all of them: what follows goes up the lines, which must end.
        for entity in entities { try checkLineage(of: entity) }
        for entity in entities {
            for relationship in entity.relationships {
                try check(relationship, of: entity)
            }
            for property in entity.fetchedProperties { try check(property.request) }
        }
        for entity in entities { try checkNames(of: entity) }
        for request in fetchRequests {
            guard !request.name.isEmpty else {
                throw ModelFileError("a <fetchRequest> has no name", line: request.line)
            }
            try check(request)
        }
        for configuration in configurations {
            for name in configuration.entities where entity(name) == nil {
                throw root.fault(
                    "the configuration \(configuration.name) has the entity \(name), which is not "
                        + "in the file")
            }
        }
    }

    /// The most entities that a line of inheritance has; no store takes more.
    static let deepestInheritance = 256

    private func fault(_ reason: String, _ entity: Entity) -> ModelFileError {
        ModelFileError(reason, line: entity.line)
    }

    private func checkLineage(of entity: Entity) throws(ModelFileError) {
        var seen: Set<String> = [entity.name]
        var current = entity
        while let name = current.parent {
            guard let parent = self.entity(name) else {
                throw fault(
                    "the parent of \(current.name) is \(name), which is not in the file", current)
            }
            guard seen.insert(name).inserted else {
                throw fault("\(entity.name) inherits from itself", entity)
            }
            guard seen.count <= Self.deepestInheritance else {
                throw fault(
                    "\(entity.name) has more than \(Self.deepestInheritance - 1) entities above "
                        + "it; let fewer inherit from each other", entity)
            }
            current = parent
        }
    }

    private func check(
        _ relationship: Relationship, of entity: Entity
    ) throws(ModelFileError) {
        let label = "\(entity.name).\(relationship.name)"
        func fault(_ reason: String) -> ModelFileError {
            ModelFileError(reason, line: relationship.line)
        }
        guard let destination = self.entity(relationship.destination) else {
            throw fault(
                "\(label) leads to \(relationship.destination), which is not in the file")
        }
        guard let inverse = relationship.inverse else { return }
        let found = lineage(of: destination).lazy.flatMap(\.relationships)
            .first { $0.name == inverse }
        guard let found else {
            throw fault(
                "the inverse of \(label) is \(destination.name).\(inverse), which is not in the "
                    + "file")
        }
        guard found.inverse == relationship.name else {
            throw fault(
                "the inverse of \(label) is \(destination.name).\(inverse), whose own inverse is "
                    + (found.inverse ?? "not given"))
        }
        guard lineage(of: entity).contains(where: { $0.name == found.destination }) else {
            throw fault(
                "the inverse of \(label) is \(destination.name).\(inverse), which leads to "
                    + "\(found.destination) and not to every \(entity.name); move one of them to "
                    + "the entity that the other leads to")
        }
    }

    private func check(_ request: FetchRequest) throws(ModelFileError) {
        guard entity(request.entity) == nil else { return }
        throw ModelFileError(
            "a request is for the entity \(request.entity), which is not in the file",
            line: request.line)
    }

    /// Checks the names of properties, of constraints and of what is indexed.
    private func checkNames(of entity: Entity) throws(ModelFileError) {
        var names: Set<String> = []
        for name in lineage(of: entity).reversed().flatMap(\.propertyNames) {
            guard names.insert(name).inserted else {
                throw fault("\(entity.name) has \(name) twice", entity)
            }
        }
        for name in entity.constraints.joined() where !names.contains(name) {
            throw fault(
                "a uniqueness constraint of \(entity.name) is of \(name), which it does not have",
                entity)
        }
        var indexes: Set<String> = []
        for index in entity.indexes where !indexes.insert(index.name).inserted {
            throw fault("\(entity.name) has the index \(index.name) twice", entity)
        }
        for element in entity.indexes.flatMap(\.elements) where !names.contains(element.property) {
            throw fault(
                "an index of \(entity.name) is over \(element.property), which it does not have",
                entity)
        }
    }
}
