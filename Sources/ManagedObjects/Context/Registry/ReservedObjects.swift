// SPDX-License-Identifier: Apache-2.0

import Schema

/// The unsaved objects of a context that have their permanent keys early, by these keys.
///
/// Most of them, as the data of components, are saved before anyone looks one up. So they are
/// noted in a list, which goes into the table with the first look-up.
struct ReservedObjects {
    private var table = KeyTable<NSManagedObject>()
    private var noted: ContiguousArray<NSManagedObject> = []
    private static let keptCapacity = 64

    /// Notes an object that has its reserved key.
    mutating func note(_ object: NSManagedObject) { noted.append(object) }

    /// The object of a key.
    subscript(key: ObjectKey) -> NSManagedObject? {
        @inline(__always)
        mutating get {
            if !noted.isEmpty { sort() }
            return table[key]
        }
    }

    // SAFETY: valid until something is noted or removed.
    /// The object of a key without a count of its references.
    mutating func unretained(_ key: ObjectKey) -> Unmanaged<NSManagedObject>? {
        if !noted.isEmpty { sort() }
        return table.unretained(key)
    }

    /// Forgets the object of a key; returns it.
    @discardableResult
    mutating func remove(_ key: ObjectKey) -> NSManagedObject? {
        if !noted.isEmpty { sort() }
        return table.removeValue(forKey: key)
    }

    /// All objects with their keys, in no order.
    var entries: [(key: ObjectKey, value: NSManagedObject)] {
        mutating get {
            if !noted.isEmpty { sort() }
            return table.entries
        }
    }

    @inline(never)
    private mutating func sort() {
        for object in noted {
            // One that has become permanent since is in the registry by that key.
            if let key = object.reservedKey { table[key] = object }
        }
        // The list of one who notes and asks by turns stays.
        noted.removeAll(keepingCapacity: noted.count <= ReservedObjects.keptCapacity)
    }
}
