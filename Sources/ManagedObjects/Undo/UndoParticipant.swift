// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A context whose changes an undo manager records.
struct UndoParticipant {
    // Unretained: a context takes itself out before it goes. A weak reference would slow every
    // retain of the context.
    unowned(unsafe) let context: NSManagedObjectContext
}

extension NSManagedObjectContext {
    /// Begins and ends the recording when the undo manager is exchanged.
    final func undoManagerChanged(from old: UndoManager?) {
        guard old !== undoManager else { return }
        old?.leave(self)
        undoManager?.contexts.append(UndoParticipant(context: self))
        guard undoManager != nil, eventCapture == nil else { return }
        eventCapture = EventCapture()
    }
}

extension UndoManager {
    /// Forgets a context and its actions.
    final func leave(_ context: NSManagedObjectContext) {
        contexts.removeAll { $0.context === context }
        removeActions(of: ObjectIdentifier(context))
    }
}
