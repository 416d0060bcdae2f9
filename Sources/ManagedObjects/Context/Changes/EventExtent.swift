// SPDX-License-Identifier: Apache-2.0

/// What the current event of a context has changed up to some moment.
package struct EventExtent {
    fileprivate struct Entry {
        let image: ObjectImage
        let flags: ObjectFlags

        init(_ object: NSManagedObject) {
            image = ObjectImage(object)
            flags = object.flags
        }

        /// Whether the object is as it was.
        var isCurrent: Bool {
            let state: ObjectFlags = [.inserted, .updated, .deleted]
            return image.object.flags.intersection(state) == flags.intersection(state)
                && image.changedFields.isEmpty && image.changedMembers.isEmpty
        }
    }

    fileprivate let entries: [Entry]
}

extension NSManagedObjectContext {
    /// What the current event has changed so far.
    ///
    /// - Complexity: O(objects that it has changed)
    package final var eventExtent: EventExtent {
        EventExtent(entries: changes.eventObjects.map { EventExtent.Entry($0) })
    }

    /// Whether there are changes that were not processed yet, and that came after a moment.
    package final func hasPendingChanges(behind extent: EventExtent) -> Bool {
        guard changes.hasEvent else { return false }
        let objects = changes.eventObjects
        return objects.count != extent.entries.count
            || zip(objects, extent.entries).contains { $0 !== $1.image.object || !$1.isCurrent }
    }
}

extension ChangeSet {
    /// The objects of the current event, in whatever way they were changed.
    fileprivate var eventObjects: [NSManagedObject] {
        Array(inserted[eventStart...]) + eventUpdated + deleted[eventDeletedStart...]
            + eventRefreshed + eventRevived + eventForgotten + eventPassing
    }
}
