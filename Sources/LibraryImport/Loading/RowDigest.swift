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
    func digests(of entity: Int) throws -> [Int: Int] {
        var counts: [Int: Int] = [:]
        let request = NSFetchRequest<NSManagedObject>(entityName: model.entities[entity].name)
        request.fetchLimit = options.batchSize
        while true {
            let objects = try context.fetch(request)
            for object in objects { counts[digest(of: object, entity), default: 0] += 1 }
            if objects.count < options.batchSize { return counts }
            request.fetchOffset += objects.count
        }
    }

    private func digest(of object: NSManagedObject, _ entity: Int) -> Int {
        let inferred = model.entities[entity]
        let values = inferred.attributes.map {
            FoundationValue.value(object.value(forKey: $0.name), $0.type)
        }
        let references = inferred.toOne.map { relationship -> Value in
            guard let key = model.entity(named: relationship.destination)?.key,
                let destination = object.value(forKey: relationship.name) as? NSManagedObject
            else { return .null }
            return FoundationValue.value(destination.value(forKey: key.name), key.type)
        }
        return RowDigest.digest(values, references)
    }
}
