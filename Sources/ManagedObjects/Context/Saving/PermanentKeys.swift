// SPDX-License-Identifier: Apache-2.0

import Schema

/// The permanent keys of the objects that a save inserts, by their temporary ones.
///
/// A context hands out temporary rows one after the other, in runs: so the keys mostly stand in a
/// list, by the distance to the least temporary row. Where objects of a save come from many runs
/// with large gaps, a table takes its place.
struct PermanentKeys {
    private var least: UInt64 = 0
    private var list: ContiguousArray<ObjectKey> = []
    private var table = KeyTable<ObjectKey>()
    /// A list has at most this many places for each object, and some for small saves.
    private static let greatestSpread = 4
    private static let spareCount = 64

    private static var none: ObjectKey { ObjectKey(rawValue: 0) }

    init() {}

    /// - Parameter keys: The permanent keys of the objects, in their order.
    init(_ objects: ContiguousArray<NSManagedObject>, _ keys: ContiguousArray<ObjectKey>) {
        var (least, greatest) = (UInt64.max, 0 as UInt64)
        objects.forEachUnretained {
            least = min(least, $0.key.rawValue)
            greatest = max(greatest, $0.key.rawValue)
        }
        guard least <= greatest else { return }
        let limit = objects.count * PermanentKeys.greatestSpread + PermanentKeys.spareCount
        var index = 0
        guard greatest - least < limit else {
            objects.forEachUnretained {
                table[$0.key] = keys[index]
                index += 1
            }
            return
        }
        self.least = least
        list = ContiguousArray(repeating: PermanentKeys.none, count: Int(greatest - least) + 1)
        objects.forEachUnretained {
            list[Int($0.key.rawValue - least)] = keys[index]
            index += 1
        }
    }

    /// The permanent key of a temporary one; 0 for that of an object which the save does not write.
    subscript(key: ObjectKey) -> ObjectKey {
        if list.isEmpty { return table[key] ?? PermanentKeys.none }
        guard key.rawValue >= least, key.rawValue - least < list.count else {
            return PermanentKeys.none
        }
        return list[Int(key.rawValue - least)]
    }
}
