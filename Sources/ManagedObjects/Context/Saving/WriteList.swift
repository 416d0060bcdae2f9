// SPDX-License-Identifier: Apache-2.0

/// The objects that a save updates, or those that it deletes, each once.
struct WriteList {
    /// In the order in which they were noted first, in which they usually lie in memory.
    let objects: ContiguousArray<NSManagedObject>
    /// The positions of the objects in the order of their keys, in which the file has them.
    let keyOrder: ContiguousArray<Int>
    /// Whether any of them has relationships.
    let hasRelationships: Bool

    /// - Parameters:
    ///   - noted: The objects in the order in which their changes were noted. Some have had their
    ///     changes dropped since; some of those were changed again and are noted twice.
    ///   - counts: Whether an object has such a change still.
    @inline(__always)
    init(
        _ noted: ContiguousArray<NSManagedObject>, where counts: (NSManagedObject) -> Bool
    ) {
        var keys: ContiguousArray<UInt64> = []
        keys.reserveCapacity(noted.count)
        var isReady = true
        var hasRelationships = false
        var ordinal = -1
        noted.forEachUnretained { object in
            if !counts(object) { isReady = false }
            keys.append(object.key.rawValue)
            guard object.runtimeOrdinal != ordinal else { return }
            ordinal = object.runtimeOrdinal
            hasRelationships = hasRelationships || object.runtime.hasRelationships
        }
        self.hasRelationships = hasRelationships
        if isReady {
            let order = KeyOrder(keys)
            if !order.hasDuplicates {
                objects = noted
                keyOrder = order.positions
                return
            }
        }
        objects = WriteList.sorted(noted.filter(counts))
        keyOrder = ContiguousArray(objects.indices)
    }

    /// Objects in the order of their keys, each once.
    private static func sorted(
        _ objects: ContiguousArray<NSManagedObject>
    ) -> ContiguousArray<NSManagedObject> {
        var result: ContiguousArray<NSManagedObject> = []
        result.reserveCapacity(objects.count)
        let keys = ContiguousArray(objects.lazy.map(\.key.rawValue))
        for position in KeyOrder(keys).positions {
            if let last = result.last, last.key == objects[position].key { continue }
            result.append(objects[position])
        }
        return result
    }
}
