// SPDX-License-Identifier: Apache-2.0

import Schema

/// What an ``ObjectRegistry`` asks of its objects.
///
/// An object has an owner, which has the registry, and leaves it once: in its deinit, or when the
/// registry finds it while the deinit is under way on another thread.
@usableFromInline
package protocol RegisteredObject: AnyObject {
    /// The key that the object is registered under.
    var key: ObjectKey { get }

    /// Takes the owner out of the object, by an atomic exchange; false if that has been done.
    func leaveOwner() -> Bool

    /// Whether the calling thread is in the object's deinit, and the registry has the object still.
    var isDepartingHere: Bool { get }

    /// Tells the object's deinit, further up on this thread, that the registry has let go of it.
    func noteDeparture()

    /// Leaves the owner alive, as another object has the key now.
    func dismiss()

    /// Whether the owner wants the key of an object that went on another thread.
    static func wantsDepartedKey(_ key: ObjectKey) -> Bool
}
