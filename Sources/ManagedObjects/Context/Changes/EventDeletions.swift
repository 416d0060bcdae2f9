// SPDX-License-Identifier: Apache-2.0

/// Which objects the current event has deleted.
///
/// It reads on in the list of deleted objects, which only grows during an event, so that asking
/// for many objects costs one look at each entry.
struct EventDeletions {
    private var identities: Set<ObjectIdentifier> = []
    /// Which part of the list has been read.
    private var read = 0..<0

    /// Whether an object has an entry among those of the event.
    ///
    /// - Parameters:
    ///   - object: The object.
    ///   - deleted: The list of deleted objects.
    ///   - start: Where the entries of the event begin.
    mutating func contains(
        _ object: NSManagedObject, in deleted: ContiguousArray<NSManagedObject>, from start: Int
    ) -> Bool {
        if read.lowerBound != start || read.upperBound > deleted.count {
            identities.removeAll()
            read = start..<start
        }
        for added in deleted[read.upperBound...] { identities.insert(ObjectIdentifier(added)) }
        read = start..<deleted.count
        return identities.contains(ObjectIdentifier(object))
    }
}
