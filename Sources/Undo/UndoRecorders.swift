// SPDX-License-Identifier: Apache-2.0

/// Those who register their changes with a manager by themselves: the contexts that use it.
package protocol UndoRecorders: AnyObject {
    /// Lets each of them register what is pending.
    func processPendingChanges()

    /// Those that have gone since this was asked last, and may have left actions behind.
    func takeDeparted() -> [ObjectIdentifier]
}

extension UndoManager {
    /// Drops the actions of recorders that have gone.
    package final func forgetDeparted() {
        for identifier in recorders?.takeDeparted() ?? [] { removeActions(of: identifier) }
    }
}
