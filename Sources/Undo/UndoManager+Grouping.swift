// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

extension UndoManager {
    /// How many groups are open.
    public final var groupingLevel: Int { openGroups.count }

    /// Opens a group; what is registered until its end is undone together.
    ///
    /// Groups may be nested. An open event ends first: an explicit group is an event of its own.
    public final func beginUndoGrouping() {
        checkpoint()
        if isEventOpen { closeGroup() }
        openGroup()
    }

    /// Ends the group that was opened last; traps when none is open.
    ///
    /// A group without actions leaves no trace.
    public final func endUndoGrouping() {
        require(
            !openGroups.isEmpty, "endUndoGrouping() has no open group; begin one first")
        checkpoint()
        closeGroup()
    }

    final func openGroup() {
        openGroups.append(UndoGroup())
        post(.NSUndoManagerDidOpenUndoGroup)
    }

    final func closeGroup() {
        guard let closing = openGroups.last else { return }
        post(.NSUndoManagerWillCloseUndoGroup, closing)
        let group = openGroups.removeLast()
        if openGroups.isEmpty { isEventOpen = false }
        if !group.isEmpty {
            if let outer = openGroups.last {
                outer.append(group)
            } else if isUndoing {
                redoStack.append(group)
            } else {
                undoStack.append(group)
            }
            trim()
        }
        post(.NSUndoManagerDidCloseUndoGroup, group)
    }

    /// Ends the group that an event has opened, if one is open.
    package final func endEvent() {
        if isEventOpen, openGroups.count == 1 { closeGroup() }
    }

    final func post(_ name: Notification.Name, _ group: UndoGroup? = nil) {
        let info: [AnyHashable: Any]? =
            group?.isDiscardable == true ? [NSUndoManagerGroupIsDiscardableKey: true] : nil
        NotificationCenter.default.post(name: name, object: self, userInfo: info)
    }

    /// Lets recorders register their pending changes, then posts a notification so that others do.
    final func checkpoint() {
        forgetDeparted()
        recorders?.processPendingChanges()
        post(.NSUndoManagerCheckpoint)
    }
}
