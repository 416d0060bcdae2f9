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
    /// Redoing gives back what undoing took, also where that is more than the closure had made:
    /// what others have made meanwhile to hang on it by a cascade, and the values that they have
    /// set.
    ///
    /// A call within the closure of another one is a part of that: what both change is one action,
    /// with the name of the outer one if that has any. `rollback()` and `reset()` of the world's
    /// context drop these actions with those of its managed objects.
    ///
    /// The world is copied before the call, to be compared with behind it: this is for what a user
    /// does, not for each tick.
    ///
    /// - Parameters:
    ///   - name: What the undo manager calls the action; nil to leave that as it is. What changes
    ///     nothing names nothing, whatever was changed in front of it.
    ///   - manager: The undo manager; nil for that of the world's context.
    ///   - body: The closure; what it changed before it threw can be undone, too.
    /// - Returns: What the closure returns.
    /// - Complexity: O(bytes of the world)
    public func undoable<Result>(
        _ name: String? = nil, with manager: UndoManager? = nil, _ body: () throws -> Result
    ) rethrows -> Result {
        guard let manager = manager ?? context?.undoManager, manager.isUndoRegistrationEnabled
        else { return try body() }
        let isOuter = undoState.begin(manager)
        guard isOuter || name != nil else { return try body() }
        let before = copy()
        // What was changed in front of the call is not named by it.
        let recording = manager === context?.undoManager ? context : nil
        let extent = recording?.eventExtent
        defer {
            let forward = diff(from: before)
            let changesObjects = extent.map { recording?.hasPendingChanges(behind: $0) } == true
            var name = name
            if isOuter {
                name = name ?? undoState.innerName
                undoState.end(manager)
                if !forward.isEmpty {
                    register(before.diff(from: self), and: nil, reverse: forward, manager)
                }
            }
            if let name, !forward.isEmpty || changesObjects {
                if isOuter {
                    // A name is for the newest group, which has to be that of the managed objects.
                    if manager.groupingLevel == 0 { context?.processPendingChanges() }
                    manager.setActionName(name)
                } else {
                    undoState.innerName = name
                }
            }
        }
        return try body()
    }

    /// Lets an undo manager apply changes, and their reverse when that is undone.
    ///
    /// Applying them may do more than they say, by the rules of relationships that others have made
    /// and over values that others have set; the reverse gives that back as well.
    ///
    /// - Parameters:
    ///   - back: The changes.
    ///   - rest: What is applied behind them, which undoing their reverse took besides.
    ///   - forward: Their reverse.
    ///   - manager: The undo manager.
    private func register(
        _ back: WorldChanges, and rest: WorldChanges?, reverse forward: WorldChanges,
        _ manager: UndoManager
    ) {
        undoState.note(manager)
        manager.registerUndo(withTarget: self) { [unowned manager] world in
            let before = world.copy()
            world.takeBack(back)
            if let rest { world.takeBack(rest) }
            world.register(forward, and: before.diff(from: world), reverse: back, manager)
        }
    }

    /// The undo managers that a world uses.
    private var undoState: WorldUndoState {
        if let known = undoRecord as? WorldUndoState { return known }
        let made = WorldUndoState()
        undoRecord = made
        return made
    }

    /// Drops all actions of the world, with whatever undo managers.
    func removeUndoActions() {
        for manager in (undoRecord as? WorldUndoState)?.managers ?? [] {
            manager.removeAllActions(withTarget: self)
        }
    }

    private func takeBack(_ changes: WorldChanges) {
        do {
            try takeOver(possible(changes))
        } catch {
            // Undo cannot throw: the next save throws this error.
            (backing as? WorldFile)?.pendingError = error
        }
    }
}

/// The undo managers that a world uses, and the calls of ``World/undoable(_:with:_:)`` that run.
private final class WorldUndoState {
    private struct Known {
        weak var manager: UndoManager?
    }

    private var known: [Known] = []
    private var open: [ObjectIdentifier] = []
    /// The last name of a call within the one that registers.
    var innerName: String?

    /// The managers that may have actions of the world.
    var managers: [UndoManager] { known.compactMap(\.manager) }

    /// Notes that a manager gets an action.
    func note(_ manager: UndoManager) {
        known.removeAll { $0.manager == nil }
        if !known.contains(where: { $0.manager === manager }) {
            known.append(Known(manager: manager))
        }
    }

    /// Begins a call.
    ///
    /// - Returns: Whether it is not a part of another one with the same manager.
    func begin(_ manager: UndoManager) -> Bool {
        guard !open.contains(ObjectIdentifier(manager)) else { return false }
        if open.isEmpty { innerName = nil }
        open.append(ObjectIdentifier(manager))
        return true
    }

    /// Ends a call that is not a part of another one.
    func end(_ manager: UndoManager) {
        open.removeAll { $0 == ObjectIdentifier(manager) }
        innerName = nil
    }
}
