// SPDX-License-Identifier: Apache-2.0

import Foundation
import Schema
import Store

/// The destinations of to-many relationships: many faults at once, whose records are found by a
/// walk.
extension NSManagedObjectContext {
    /// The objects of keys, in their order: registered ones and new faults.
    ///
    /// Reads no record. What is the same for all objects of an entity is looked up once.
    final func objects(for keys: ContiguousArray<ObjectKey>) -> [NSManagedObject] {
        // The empty array is shared by all threads: its length must not be written, not even 0.
        if keys.isEmpty { return [] }
        // Keys of the store come from a snapshot; without one all objects are new ones.
        guard let snapshot, rowsByTag.isEmpty else {
            return keys.compactMap { object(for: $0) }
        }
        var maker = FaultMaker(self, snapshot)
        var made = 0
        let objects = [NSManagedObject](unsafeUninitializedCapacity: keys.count) { buffer, filled in
            for key in keys {
                let object: NSManagedObject
                if let known = registry[key] {
                    object = known
                } else if let known = reserved[key] {
                    object = known
                } else if maker.knows(key) {
                    made += 1
                    object = maker.make(key)
                } else {
                    continue
                }
                buffer.initializeElement(at: filled, to: object)
                filled += 1
            }
        }
        if made > 1 { readPoint.siblings = keys.ascending() }
        return objects
    }

    /// Finds the records of the faults around one that is about to fire, by one walk.
    ///
    /// They stay faults: only where their bytes are is known then. A record that is next to the
    /// one before costs a step of a cursor, not a search.
    final func bindSiblings(of key: ObjectKey) throws {
        guard let first = readPoint.siblings.first, let last = readPoint.siblings.last,
            key >= first, key <= last
        else { return }
        // A copy of the reference: making snapshots may run code of others.
        let keys = readPoint.siblings
        let start = keys.partitioningIndex { $0 >= key } / 128 * 128
        let snapshot = try requireSnapshot()
        let stamp = self.stamp
        try CoreDataError.mapping {
            let chunk = keys[start..<min(start + 128, keys.count)]
            try snapshot.forEachRecord(of: chunk) { key, record in
                registry.withObject(key) { object in
                    guard object.flags.contains(.fault) else { return }
                    object.record = record
                    object.boundStamp = stamp
                }
            }
        }
    }
}

extension ContiguousArray<ObjectKey> {
    /// The keys in ascending order: as they are where they have it.
    fileprivate func ascending() -> ContiguousArray<ObjectKey> {
        for index in indices.dropFirst() where self[index - 1] > self[index] {
            return ContiguousArray(sorted())
        }
        return self
    }
}
