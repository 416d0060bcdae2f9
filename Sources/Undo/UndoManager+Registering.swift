// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

extension UndoManager {
    /// Registers an action that takes a change back.
    ///
    /// Registering outside of undo and redo drops what could be redone. The manager does not keep
    /// the target alive: the action of a target that has gone does nothing.
    ///
    /// - Parameters:
    ///   - target: What the handler gets; its actions can be removed together.
    ///   - handler: Takes the change back; what it registers becomes the redo.
    public final func registerUndo<TargetType: AnyObject>(
        withTarget target: TargetType, handler: @escaping (TargetType) -> Void
    ) {
        guard isUndoRegistrationEnabled else { return }
        require(
            groupsByEvent || !openGroups.isEmpty,
            "an action was registered outside a group; begin one, or set groupsByEvent")
        register(
            UndoOperation(target: ObjectIdentifier(target)) { [weak target] in
                if let target { handler(target) }
            })
    }

    package final func register(_ operation: UndoOperation) {
        if !isUndoing, !isRedoing { redoStack = [] }
        if openGroups.isEmpty {
            openGroup()
            isEventOpen = true
        }
        openGroups.last?.append(operation)
    }

    /// Whether actions are recorded: registration is enabled as often as it was disabled.
    public final var isUndoRegistrationEnabled: Bool { disableCount == 0 }

    /// Stops the recording of actions; calls are counted.
    ///
    /// A context's changes belong to the time when they are processed: call its
    /// `processPendingChanges()` before and after the changes that are to be left out.
    public final func disableUndoRegistration() { disableCount += 1 }

    /// Takes back one ``disableUndoRegistration()``; traps when there was none.
    public final func enableUndoRegistration() {
        require(
            disableCount > 0, "enableUndoRegistration() was called without a disabling call")
        disableCount -= 1
    }

    /// Forgets all actions and enables registration.
    public final func removeAllActions() {
        undoStack = []
        redoStack = []
        for group in openGroups { group.removeAll() }
        disableCount = 0
    }

    /// Forgets the actions of one target.
    public final func removeAllActions(withTarget target: AnyObject) {
        removeActions(of: ObjectIdentifier(target))
    }

    package final func removeActions(of target: ObjectIdentifier) {
        for group in undoStack + redoStack + openGroups { group.remove(target) }
        undoStack.removeAll { $0.isEmpty }
        redoStack.removeAll { $0.isEmpty }
    }
}
