// SPDX-License-Identifier: Apache-2.0

import Schema

/// How many databases a file of a model has.
extension Schema {
    /// The most databases of one file.
    private static let mostDatabases = (1 << 16) - 1
    /// The most entities of one file: narrow layouts have half of the numbers of 16 bits, without
    /// the least and the one that comes next.
    private static let mostEntities = (1 << 15) - 2
    /// The most room for databases that come while the file is open.
    private static let mostSpares = 1_024

    /// The most databases that a file of the model is opened with, rounded up.
    ///
    /// LMDB allocates and clears a slot for each in every transaction object: thousands of them
    /// would take most of the time of opening a file.
    ///
    /// - Parameters:
    ///   - path: The file, for the error.
    ///   - code: The error's code.
    /// - Throws: ``StoreError`` for a model that needs more than there can be.
    func databaseCapacity(_ path: String, orElse code: StoreError.Code) throws(StoreError) -> Int {
        let advice = code == .damaged ? "restore the file from a copy" : "use fewer"
        guard entities.count <= Schema.mostEntities else {
            throw StoreError(
                code, path: path,
                "the model has \(entities.count) entities, and a file has at most "
                    + "\(Schema.mostEntities); \(advice)")
        }
        // Two more for value components and contents.
        var needed = StoreDatabases.fixedCount + 2
        var spares = 16
        for entity in entities {
            let parent = entity.superentity.flatMap { self.entity($0) }
            needed += 1 + databaseCount(of: entity, without: parent)
            // Other programs may add indexes, and ordered relationships of version 1 move.
            spares += entity.attributes.count + entity.relationships.count
        }
        guard needed <= Schema.mostDatabases else {
            throw StoreError(
                code, path: path,
                "the model needs \(needed) databases, one for each entity, to-many relationship "
                    + "and index, and a file has at most \(Schema.mostDatabases); \(advice)")
        }
        var capacity = 64
        while capacity < needed + min(spares, Schema.mostSpares) { capacity *= 2 }
        return min(capacity, Schema.mostDatabases)
    }

    /// The databases of an entity's relationships and indexes, but for those that it inherits.
    private func databaseCount(of entity: Entity, without parent: Entity?) -> Int {
        let links = entity.relationships.lazy.filter { $0.isToMany && !$0.isTransient }.map(\.name)
        let inherited = Set(parent?.relationships.map(\.name) ?? [])
        let indexes = Set(parent?.indexes ?? [])
        return links.count { !inherited.contains($0) }
            + entity.indexes.count { !indexes.contains($0) }
    }
}
