// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema

extension Catalog {
    /// The catalog of the file once it is migrated.
    ///
    /// What stays has its number, under its new name. Names that go are forgotten, as one that
    /// comes back must not find the values of its namesake; their numbers are not given again.
    ///
    /// - Parameters:
    ///   - schema: The new model.
    ///   - mapping: Where its entities and properties come from.
    ///   - path: The file, for errors.
    func migrated(
        to schema: Schema, by mapping: SchemaMapping, path: String
    ) throws(StoreError) -> Catalog {
        try checkRoom(for: schema, path)
        var result = self
        result.schema = schema
        result.entityNumbers = [:]
        result.propertyNumbers = [:]
        result.indexNumbers = [:]
        result.currentLayouts = [:]
        for entity in mapping.entities {
            guard let source = entity.source, let destination = entity.destination else { continue }
            result.entityNumbers[destination] = entityNumbers[source]
            result.currentLayouts[destination] = currentLayouts[source]
            for property in entity.attributes + entity.relationships {
                guard let former = property.source else { continue }
                let name = Catalog.qualifiedName(property.destination, in: destination, schema)
                result.propertyNumbers[name] = number(of: former, in: source)
            }
        }
        for (name, number) in KeptIndexes(self, schema, mapping).numbers {
            result.indexNumbers[name] = number
        }
        result.assignNumbers()
        // All records get the current layouts.
        let current = Set(result.currentLayouts.values)
        for number in result.layouts.numbers where !current.contains(UInt16(number)) {
            result.layouts[number] = nil
        }
        return result
    }

    /// Numbers are never given again, so they may run out.
    private func checkRoom(for schema: Schema, _ path: String) throws(StoreError) {
        var properties = 0
        var indexes = 0
        for entity in schema.entities {
            properties += entity.attributes.count + entity.relationships.count
            indexes += entity.indexes.count
        }
        let hasRoom =
            Int(nextEntity) + schema.entities.count < Int(UInt16.max)
            && Int(nextLayout) + schema.entities.count < Int(UInt16.max)
            && Int(nextProperty) + properties < Int(UInt32.max)
            && Int(nextIndex) + indexes < 1 << 31
        guard !hasRoom else { return }
        throw StoreError(
            .migration, path: path,
            "the file was migrated so often that it has no numbers left for the new model; write "
                + "its objects into a new file")
    }
}
