// SPDX-License-Identifier: Apache-2.0

import Foundation

extension UndoManager {
    /// The group that a name or a mark belongs to: the outermost open one, else the newest.
    private final var current: UndoGroup? { openGroups.first ?? undoStack.last }

    /// The name of what ``undo()`` would take back; empty for none.
    public final var undoActionName: String { current?.name ?? "" }

    /// The name of what ``redo()`` would perform; empty for none.
    public final var redoActionName: String { redoStack.last?.name ?? "" }

    /// Names the open group, or else the newest one; an empty text removes the name.
    ///
    /// A group keeps its name when it is undone and redone.
    public final func setActionName(_ actionName: String) { current?.name = actionName }

    /// Marks the open group, or else the newest one, as one that may be lost without harm.
    public final func setActionIsDiscardable(_ discardable: Bool) {
        current?.isDiscardable = discardable
    }

    /// Whether what ``undo()`` would take back may be lost without harm.
    public final var undoActionIsDiscardable: Bool { current?.isDiscardable ?? false }

    /// Whether what ``redo()`` would perform may be lost without harm.
    public final var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }

    /// The title of a menu item for ``undo()``: `Undo`, and the action's name.
    public final var undoMenuItemTitle: String {
        undoMenuTitle(forUndoActionName: undoActionName)
    }

    /// The title of a menu item for ``redo()``: `Redo`, and the action's name.
    public final var redoMenuItemTitle: String {
        redoMenuTitle(forUndoActionName: redoActionName)
    }

    /// The title of an undo menu item for an action's name.
    public final func undoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }

    /// The title of a redo menu item for an action's name.
    public final func redoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }
}
