// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Schema

/// Distinguishes rows without a key by a digest of all their values.
enum RowDigest {
    static func digest(_ values: [Value], _ references: [Value]) -> Int {
        var hasher = Hasher()
        for value in values { hasher.combine(LookupKey(value)) }
        for value in references { hasher.combine(LookupKey(value)) }
        return hasher.finalize()
    }
}

extension BulkLoader {
    /// How many objects of an entity without a key have the values of each digest.
    func digests(of entity: EntityIndex) throws -> [Int: Int] {
        var counts: [Int: Int] = [:]
        let request = NSFetchRequest<NSManagedObject>(entityName: model[entity].name)
        request.fetchLimit = options.batchSize
        while true {
            let objects = try context.fetch(request)
            for object in objects { counts[digest(of: object, entity), default: 0] += 1 }
            if objects.count < options.batchSize { return counts }
            request.fetchOffset += objects.count
        }
    }

    private func digest(of object: NSManagedObject, _ entity: EntityIndex) -> Int {
        let values = places[entity].attributes.map { object.value(at: $0) }
        let references = places[entity].toOne.map { place, destinationEntity -> Value in
            guard let key = model[destinationEntity].keyIndex,
                let destination = object.destination(at: place)
            else { return .null }
            return destination.value(at: places[destinationEntity].attributes[key])
        }
        return RowDigest.digest(values, references)
    }
}
