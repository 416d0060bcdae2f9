// SPDX-License-Identifier: Apache-2.0

import Schema

/// The states of objects from before the current event first touched them.
///
/// A context has one while it has an undo manager, or once
/// ``NSManagedObject/changedValuesForCurrentEvent()`` was called.
final class EventCapture {
    private(set) var images: [ObjectIdentifier: ObjectImage] = [:]
    /// The images of the event whose notification is being posted.
    private var posted: [ObjectIdentifier: ObjectImage] = [:]

    /// The objects that were touched first while changes are left out.
    private var leftOut: [NSManagedObject]?

    /// Keeps an object's present state, unless the event has touched the object before.
    func note(_ object: NSManagedObject) {
        let identifier = ObjectIdentifier(object)
        guard images[identifier] == nil else { return }
        images[identifier] = ObjectImage(object)
        leftOut?.append(object)
    }

    /// Leaves out what a body does to an object, and to others that the event has not touched yet:
    /// later changes are compared with the states behind it.
    func leavingOut(_ object: NSManagedObject, _ body: () -> Void) {
        leftOut = images[ObjectIdentifier(object)] == nil ? [] : [object]
        body()
        for object in leftOut ?? [] {
            images[ObjectIdentifier(object)] = ObjectImage(object)
        }
        leftOut = nil
    }

    /// What an object was like before the event that is open or being posted.
    func image(of object: NSManagedObject) -> ObjectImage? {
        images[ObjectIdentifier(object)] ?? posted[ObjectIdentifier(object)]
    }

    /// The event is over; its images can be asked for until the end of its notification.
    func endEvent() {
        posted = images
        images = [:]
    }

    func endPosting() { posted = [:] }

    func removeAll() {
        images = [:]
        posted = [:]
    }
}
