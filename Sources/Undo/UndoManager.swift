// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// Records actions that take changes back, in groups, and performs them in reverse order.
///
/// ```swift
/// context.undoManager = UndoManager()
/// player.score = 13
/// context.processPendingChanges()
/// context.undo()  // player.score is what it was
/// ```
///
/// Foundation's class of this name, which Linux lacks: same members, same notifications. Actions
/// are registered with ``registerUndo(withTarget:handler:)``; what an action registers while it is
/// being undone becomes its redo, and the other way round. A context with an undo manager registers
/// its changes by itself.
///
/// *Groups.* One call of ``undo()`` takes back one outermost group. Linux has no run-loop event to
/// group by, so with ``groupsByEvent``, the default, an *event* is what a context processes at
/// once: a `perform` block, or what happened between two calls of `processPendingChanges()`,
/// which fetches and saves make too. Actions registered outside contexts and groups join the
/// event that is open. It ends when a context that has this manager processes its changes, also
/// where it has none, and with the next explicit group, undo or redo.
///
/// *Threads.* Used on one thread or queue at a time: that of the contexts that share it. A context
/// may go on any thread; its actions go with the manager's next use.
open class UndoManager: NSObject {
    /// The closed outermost groups that can be undone, newest last.
    final var undoStack: [UndoGroup] = []
    /// The closed outermost groups that can be redone, newest last.
    final var redoStack: [UndoGroup] = []
    /// The open groups, outermost first.
    final var openGroups: [UndoGroup] = []
    /// Whether the outermost open group is an event's, which ends by itself.
    final var isEventOpen = false
    final var disableCount = 0
    /// Whose changes are processed before groups begin and end; nil before the first one joins.
    package final var recorders: (any UndoRecorders)?

    /// Whether actions registered outside a group open one; true.
    ///
    /// If false, registering outside a group traps. Contexts' changes make a group of their own
    /// either way.
    open var groupsByEvent = true

    /// How many outermost groups are kept; 0, the default, for no limit.
    ///
    /// The oldest groups go first, at once when the limit gets lower.
    open var levelsOfUndo: Int {
        get { greatestUndoCount }
        set {
            greatestUndoCount = newValue
            trim()
        }
    }
    // Apart: Swift calls no observers for what a convenience initialiser of an extension assigns.
    private final var greatestUndoCount = 0

    /// Whether an undo is being performed.
    public final internal(set) var isUndoing = false
    /// Whether a redo is being performed.
    public final internal(set) var isRedoing = false

    /// Makes a manager without actions.
    public override init() {}

    /// Whether there is something to undo; pending changes of contexts count once processed.
    open var canUndo: Bool {
        forgetDeparted()
        return !undoStack.isEmpty || openGroups.contains { !$0.isEmpty }
    }

    /// Whether there is something to redo.
    open var canRedo: Bool {
        checkpoint()
        return !redoStack.isEmpty
    }

    /// The number of groups that can be undone.
    public final var undoCount: Int {
        forgetDeparted()
        return undoStack.count + (openGroups.contains { !$0.isEmpty } ? 1 : 0)
    }

    /// The number of groups that can be redone.
    public final var redoCount: Int {
        forgetDeparted()
        return redoStack.count
    }

    /// Takes back the newest group; nothing happens without one.
    ///
    /// Ends the event's group or a single open group first. Traps inside nested groups and while
    /// undoing or redoing.
    open func undo() {
        requireIdle("undo()")
        checkpoint()
        if groupingLevel == 1 { closeGroup() }
        require(
            openGroups.isEmpty,
            "undo() was called inside \(groupingLevel) nested groups; end them first")
        undoNestedGroup()
    }

    /// Takes back the newest closed group, even one that lies in an open group.
    ///
    /// Traps when the newest action of the open group is no group.
    open func undoNestedGroup() {
        requireIdle("undoNestedGroup()")
        checkpoint()
        if isEventOpen { closeGroup() }
        if let open = openGroups.last {
            guard let nested = open.takeLastGroup() else {
                trap("undoNestedGroup() needs a closed group; end the open one")
            }
            perform(nested, isUndo: true)
        } else if let group = undoStack.popLast() {
            perform(group, isUndo: true)
        }
    }

    /// Performs again what the last undo has taken back; nothing happens without one.
    ///
    /// Traps inside groups and while undoing or redoing.
    open func redo() {
        requireIdle("redo()")
        checkpoint()
        if isEventOpen { closeGroup() }
        require(
            openGroups.isEmpty, "redo() was called inside \(groupingLevel) groups; end them first")
        guard let group = redoStack.popLast() else { return }
        perform(group, isUndo: false)
    }

    private final func requireIdle(_ name: String) {
        require(
            !isUndoing && !isRedoing, "\(name) was called while undoing or redoing; wait for it")
    }

    /// Performs a group's actions, newest first, and collects what they register in one group.
    private final func perform(_ group: UndoGroup, isUndo: Bool) {
        post(isUndo ? .NSUndoManagerWillUndoChange : .NSUndoManagerWillRedoChange)
        let outer = openGroups
        openGroups = []
        if isUndo { isUndoing = true } else { isRedoing = true }
        openGroup()
        openGroups[0].name = group.name
        openGroups[0].isDiscardable = group.isDiscardable
        group.perform()
        checkpoint()
        while !openGroups.isEmpty { closeGroup() }
        isUndoing = false
        isRedoing = false
        openGroups = outer
        post(isUndo ? .NSUndoManagerDidUndoChange : .NSUndoManagerDidRedoChange)
    }

    final func trim() {
        guard levelsOfUndo > 0 else { return }
        undoStack.removeFirst(max(0, undoStack.count - levelsOfUndo))
        redoStack.removeFirst(max(0, redoStack.count - levelsOfUndo))
    }
}
