// SPDX-License-Identifier: Apache-2.0

import Schema

extension SchemaCoding {
    /// The most pairs of properties of one entity, over all entities: they are compared by name.
    private static let mostPairs = 1 << 28
    /// The most steps from all entities to their furthest ancestors: 4,096 entities may each
    /// inherit from the one before.
    private static let mostSteps = 1 << 23

    /// Refuses a model that would take minutes to compile: a file of some megabytes can hold one.
    static func checkSize(_ entities: [Entity]) throws(RecordFormatError) {
        var pairs = 0
        for entity in entities {
            let count = entity.attributes.count + entity.relationships.count + entity.indexes.count
            pairs += count * count
            guard pairs <= mostPairs else {
                throw tooLarge("entity \(entity.name) has \(count) properties and indexes")
            }
        }
        guard steps(entities) <= mostSteps else {
            throw tooLarge("\(entities.count) entities inherit from each other")
        }
    }

    /// The steps from all entities to their furthest ancestors; a circle counts once.
    private static func steps(_ entities: [Entity]) -> Int {
        var parents: [String: String] = [:]
        for entity in entities { parents[entity.name] = entity.superentity }
        var depths: [String: Int] = [:]
        var total = 0
        for entity in entities {
            var path: [String] = []
            var current: String? = entity.name
            while let name = current, depths[name] == nil {
                depths[name] = 0
                path.append(name)
                current = parents[name]
            }
            var depth = current.flatMap { depths[$0] } ?? -1
            for name in path.reversed() {
                depth += 1
                depths[name] = depth
            }
            total += depths[entity.name] ?? 0
            if total > mostSteps { break }
        }
        return total
    }

    private static func tooLarge(_ what: String) -> RecordFormatError {
        RecordFormatError(.unknownNumber, "the stored model is too large: \(what)")
    }
}
