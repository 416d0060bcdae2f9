// SPDX-License-Identifier: Apache-2.0

/// Objects in the order in which they were noted, each once.
struct LockedObjects: Sequence {
    private var objects: ContiguousArray<NSManagedObject> = []
    private var known: Set<ObjectIdentifier> = []

    var isEmpty: Bool { objects.isEmpty }

    mutating func insert(_ object: NSManagedObject) {
        if known.insert(ObjectIdentifier(object)).inserted { objects.append(object) }
    }

    mutating func removeAll() { self = LockedObjects() }

    mutating func removeAll(where isGone: (NSManagedObject) -> Bool) {
        guard objects.contains(where: isGone) else { return }
        objects.removeAll(where: isGone)
        known = Set(objects.map { ObjectIdentifier($0) })
    }

    func contains(_ object: NSManagedObject) -> Bool { known.contains(ObjectIdentifier(object)) }

    func makeIterator() -> IndexingIterator<ContiguousArray<NSManagedObject>> {
        objects.makeIterator()
    }
}
