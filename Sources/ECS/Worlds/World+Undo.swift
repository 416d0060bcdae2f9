// SPDX-License-Identifier: Apache-2.0

import Foundation
import ManagedObjects
import Worlds

extension World {
    /// Calls a closure, and lets an undo manager take back what it changes in the world.
    ///
    /// ```swift
    /// world.undoable("Move") { world[ship, Position.self]?.x += 1 }
    /// moc.undo()
    /// ```
    ///
    /// Managed objects are undone by their context anyway; so that both are taken back at once, the
    /// changes of both belong into one group of the undo manager. What others have changed in the
    /// meantime stays, but for the values that are taken back; of game objects that are gone
    /// nothing comes back. Nor does what a relationship forbids by now: a link that would close a
    /// circle in an acyclic kind does not come back, and a game object that another one holds stays
    /// with all that it has. Without an undo manager the closure is called and nothing else
    /// happens.
    ///
    /// The world is copied before the call, to be compared with behind it: this is for what a user
    /// does, not for each tick.
    ///
    /// - Parameters:
    ///   - name: What the undo manager calls the action; nil to leave that as it is.
    ///   - manager: The undo manager; nil for that of the world's context.
    ///   - body: The closure; what it changed before it threw can be undone, too.
    /// - Returns: What the closure returns.
    /// - Complexity: O(bytes of the world)
    public func undoable<Result>(
        _ name: String? = nil, with manager: UndoManager? = nil, _ body: () throws -> Result
    ) rethrows -> Result {
        guard let manager = manager ?? context?.undoManager, manager.isUndoRegistrationEnabled
        else { return try body() }
        let before = copy()
        defer {
            let (forward, back) = (diff(from: before), before.diff(from: self))
            if !forward.isEmpty { register(back, forward, manager) }
            if let name { manager.setActionName(name) }
        }
        return try body()
    }

    /// Lets an undo manager apply changes, and their reverse when that is undone.
    private func register(_ back: WorldChanges, _ forward: WorldChanges, _ manager: UndoManager) {
        manager.registerUndo(withTarget: self) { [unowned manager] world in
            world.takeBack(back)
            world.register(forward, back, manager)
        }
    }

    private func takeBack(_ changes: WorldChanges) {
        do {
            try apply(possible(changes))
        } catch {
            // Undo cannot throw: the next save throws this error.
            (backing as? WorldFile)?.pendingError = error
        }
    }
}
