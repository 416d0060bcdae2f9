// SPDX-License-Identifier: Apache-2.0

import Schema

extension ImportMapping {
    /// Reads a mapping file.
    /// - Throws: ``ImportError/Code/malformed`` for text that is no JSON,
    ///   ``ImportError/Code/badMapping`` for JSON that departs from the grammar,
    ///   ``ImportError/Code/cannotOpen``.
    public static func read(path: String) throws(ImportError) -> ImportMapping {
        try MappingParser(file: path).mapping(JSONTree.read(ByteInput(path: path)))
    }

    /// Reads a mapping from text; `file` is the name that errors give it.
    public static func parse(
        _ text: String, file: String = "mapping"
    ) throws(ImportError) -> ImportMapping {
        let input = ByteInput(bytes: Array(text.utf8), file: file)
        return try MappingParser(file: file).mapping(JSONTree.read(input))
    }
}

/// Turns a JSON tree into a mapping; errors name the path of the value in the file.
struct MappingParser {
    let file: String

    func mapping(_ tree: JSONTree) throws(ImportError) -> ImportMapping {
        var mapping = ImportMapping(file: file)
        for (key, value) in try members(tree, "the mapping") {
            guard key == "entities" else {
                throw bad(value, key, "unknown key; expected \"entities\"")
            }
            for (name, entity) in try members(value, key) {
                if mapping.entities[name] != nil {
                    throw bad(entity, "entities.\(name)", "the entity comes twice")
                }
                mapping.entities[name] = try self.entity(entity, "entities.\(name)")
            }
        }
        return mapping
    }

    private func entity(_ tree: JSONTree, _ path: String) throws(ImportError) -> EntityMapping {
        var entity = EntityMapping()
        for (key, value) in try members(tree, path) {
            let path = "\(path).\(key)"
            switch key {
            case "name": entity.name = try entityName(value, path)
            case "key": entity.key = try string(value, path)
            case "ignore": try ignore(value, path, &entity)
            case "manyToMany": entity.links = try links(value, path)
            case "attributes":
                for (column, attribute) in try members(value, path) {
                    entity.attributes[column] = try self.attribute(attribute, "\(path).\(column)")
                }
            case "relationships":
                for (column, relationship) in try members(value, path) {
                    entity.relationships[column] = try self.relationship(
                        relationship, "\(path).\(column)")
                }
            default:
                throw bad(
                    value, path,
                    "unknown key; expected name, key, ignore, attributes, relationships "
                        + "or manyToMany")
            }
        }
        return entity
    }

    private func ignore(
        _ tree: JSONTree, _ path: String, _ entity: inout EntityMapping
    ) throws(ImportError) {
        switch tree.content {
        case .boolean(let flag): entity.isIgnored = flag
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                entity.ignoredColumns.insert(try string(element, "\(path)[\(index)]"))
            }
        default: throw expected("true or an array of column names", tree, path)
        }
    }

    private func attribute(
        _ tree: JSONTree, _ path: String
    ) throws(ImportError) -> AttributeMapping {
        var attribute = AttributeMapping()
        for (key, value) in try members(tree, path) {
            let path = "\(path).\(key)"
            switch key {
            case "name": attribute.name = try propertyName(value, path)
            case "type": attribute.type = try type(value, path)
            case "optional": attribute.isOptional = try boolean(value, path)
            case "unique": attribute.isUnique = try boolean(value, path)
            case "indexed": attribute.isIndexed = try boolean(value, path)
            default:
                throw bad(
                    value, path, "unknown key; expected name, type, optional, unique or indexed")
            }
        }
        return attribute
    }

    private func relationship(
        _ tree: JSONTree, _ path: String
    ) throws(ImportError) -> RelationshipMapping {
        var relationship = RelationshipMapping()
        for (key, value) in try members(tree, path) {
            let path = "\(path).\(key)"
            switch key {
            case "destination": relationship.destination = try string(value, path)
            case "name": relationship.name = try propertyName(value, path)
            case "inverse": relationship.inverse = try propertyName(value, path)
            case "optional": relationship.isOptional = try boolean(value, path)
            default:
                throw bad(
                    value, path, "unknown key; expected destination, name, inverse or optional")
            }
        }
        return relationship
    }

    private func links(_ tree: JSONTree, _ path: String) throws(ImportError) -> LinkMapping {
        if case .boolean(let flag) = tree.content { return flag ? .automatic : .never }
        guard case .object(let columns) = tree.content, columns.count == 2 else {
            throw expected("a boolean or an object with two columns", tree, path)
        }
        return .ends(
            try linkEnd(columns[0].key, columns[0].value, path),
            try linkEnd(columns[1].key, columns[1].value, path))
    }

    private func linkEnd(
        _ column: String, _ tree: JSONTree, _ path: String
    ) throws(ImportError) -> LinkEndMapping {
        var end = LinkEndMapping(column: column)
        for (key, value) in try members(tree, "\(path).\(column)") {
            let path = "\(path).\(column).\(key)"
            switch key {
            case "destination": end.destination = try string(value, path)
            case "property": end.property = try propertyName(value, path)
            default: throw bad(value, path, "unknown key; expected destination or property")
            }
        }
        return end
    }
}
