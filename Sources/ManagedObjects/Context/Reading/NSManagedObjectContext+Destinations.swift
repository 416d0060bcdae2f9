// SPDX-License-Identifier: Apache-2.0

import Foundation
import RecordFormat
import Schema
import Store

/// The destinations of to-many relationships: many faults at once, whose records are found
/// together.
extension NSManagedObjectContext {
    /// The objects of keys, in their order: registered ones and new faults.
    ///
    /// Reads no record. What is the same for all objects of an entity is looked up once.
    final func objects(for keys: ContiguousArray<ObjectKey>) -> [NSManagedObject] {
        // The empty array is shared by all threads: its length must not be written, not even 0.
        if keys.isEmpty { return [] }
        // Keys of a file come from a snapshot; without one all objects are new ones.
        guard var maker = faultMaker(for: keys[0]) else {
            return keys.compactMap { object(for: $0) }
        }
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
        // A few are as well found one by one, and their keys are not kept from being reused.
        if made > 4 { readPoint.siblings = keys.ascending() }
        return objects
    }

    /// Finds the records of the faults around one that is about to fire.
    ///
    /// They stay faults: only where their bytes are is known then. Together they are found faster
    /// than one after the other, see `StoreSnapshot.forEachRecord`.
    final func bindSiblings(of key: ObjectKey) throws {
        guard let first = readPoint.siblings.first, let last = readPoint.siblings.last,
            key >= first, key <= last
        else { return }
        // A copy of the reference: making snapshots may run code of others.
        let keys = readPoint.siblings
        let start = keys.partitioningIndex { $0 >= key } / 128 * 128
        let chunk = keys[start..<min(start + 128, keys.count)]
        if key.isElsewhere { return try rows(key.tag).bindFaults(chunk) }
        let snapshot = try requireSnapshot()
        try CoreDataError.mapping {
            try snapshot.forEachRecord(of: chunk) { key, record in bindFault(key, record) }
        }
    }

    /// Has a fault know where its bytes are.
    @inline(__always)
    final func bindFault(_ key: ObjectKey, _ record: RecordView) {
        let stamp = self.stamp
        registry.withObject(key) { object in
            guard object.flags.contains(.fault) else { return }
            object.record = record
            object.boundStamp = stamp
        }
    }

    /// Makes faults of the file that a key is of, if the context reads it in place.
    private final func faultMaker(for key: ObjectKey) -> FaultMaker? {
        guard key.isElsewhere else { return snapshot.map { FaultMaker(self, $0) } }
        guard let reading = readPoint.files.first(where: { $0.tag == key.tag }) else { return nil }
        return reading.snapshot.map { FaultMaker(self, $0, reading.file) }
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
