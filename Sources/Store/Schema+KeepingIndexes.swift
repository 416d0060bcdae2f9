// SPDX-License-Identifier: Apache-2.0

import Schema

extension Schema {
    /// The same schema with the plain indexes that another one of the same entities has besides.
    ///
    /// An index whose name this schema gives to another one is not kept. Uniqueness constraints
    /// are: both schemas have the same, as they are part of the version hashes.
    func keepingIndexes(of other: Schema) throws(SchemaError) -> Schema {
        var entities = self.entities
        for position in entities.indices {
            let names = Set(entities[position].indexes.map(\.name))
            let former = other.entity(entities[position].name)?.indexes ?? []
            let kept = former.filter {
                !$0.isUnique && !names.contains($0.name) && !has($0.name, entities[position].name)
            }
            entities[position].indexes += kept
            // In the order of the file where nothing is new.
            if Set(entities[position].indexes) == Set(former) {
                entities[position].indexes = former
            }
        }
        return try Schema(entities: entities)
    }

    /// Whether an entity or one of its ancestors declares an index of a name.
    private func has(_ name: String, _ entity: String) -> Bool {
        var next = self.entity(entity)
        while let current = next {
            if current.indexes.contains(where: { $0.name == name }) { return true }
            next = current.superentity.flatMap { self.entity($0) }
        }
        return false
    }
}
