// SPDX-License-Identifier: Apache-2.0

/// A reference to an object, hashed and compared as the object itself is.
///
/// As the element of a set it takes the place of a managed object: a set of these is, bit by bit, a
/// set of the objects. Hashing and comparing need no dynamic call and no reference counts.
struct IdentifiedObject: Hashable {
    private let object: NSManagedObject

    static func == (left: IdentifiedObject, right: IdentifiedObject) -> Bool {
        left.object === right.object
    }

    // What `NSManagedObject.hash`, which is final, and NSObject feed into a hasher.
    func hash(into hasher: inout Hasher) {
        hasher.combine(Int(bitPattern: ObjectIdentifier(object)))
    }

    /// A set of objects, which move into it: no reference is counted.
    static func set(of objects: consuming [NSManagedObject]) -> Set<IdentifiedObject> {
        var result = Set<IdentifiedObject>(minimumCapacity: objects.count)
        while let object = objects.popLast() { result.insert(IdentifiedObject(object: object)) }
        return result
    }
}
