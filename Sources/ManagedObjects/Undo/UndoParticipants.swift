// SPDX-License-Identifier: Apache-2.0

import Foundation
import ObjectTable
import Synchronization

/// The contexts whose changes an undo manager records.
///
/// A manager is used on one queue, but the last reference to a context may go on any thread. So the
/// list is locked, and what a context leaves behind in the manager's groups is taken out when the
/// manager is used next.
final class UndoParticipants: UndoRecorders, Sendable {
    private struct State {
        // SAFETY: the memory of each is there while the mutex is held: a context takes itself out
        // in its deinit, and waits for the mutex. A weak reference would slow every retain of it.
        var contexts: [UncheckedTransfer<Unmanaged<NSManagedObjectContext>>] = []
        /// Contexts that have gone and may have left actions behind.
        var departed: [ObjectIdentifier] = []
    }

    // Used on the manager's queue, and by contexts that end on any thread.
    private let state = Mutex(State())

    func join(_ context: NSManagedObjectContext) {
        // SAFETY: `leave` takes it out again before the context goes.
        let pointer = UncheckedTransfer(Unmanaged.passUnretained(context))
        state.withLock { $0.contexts.append(pointer) }
    }

    /// Takes a context out of the list.
    ///
    /// - Parameter isEnding: Whether it goes for good, on any thread.
    func leave(_ context: NSManagedObjectContext, isEnding: Bool) {
        // SAFETY: an address to compare.
        let pointer = Unmanaged.passUnretained(context).toOpaque()
        let identifier = ObjectIdentifier(context)
        state.withLock { state in
            state.contexts.removeAll { $0.value.toOpaque() == pointer }
            if isEnding { state.departed.append(identifier) }
        }
    }

    /// The contexts that are not about to go, retained.
    var living: [NSManagedObjectContext] {
        // SAFETY: the mutex makes a deinit that has begun wait, so the memory is there. The
        // caller is on the manager's queue, which is that of the contexts.
        state.withLock { state in
            UncheckedTransfer(state.contexts.compactMap { $0.value.living })
        }.value
    }

    /// One of them, if it is not about to go.
    func living(_ identifier: ObjectIdentifier) -> NSManagedObjectContext? {
        living.first { ObjectIdentifier($0) == identifier }
    }

    func processPendingChanges() {
        for context in living { context.processPendingChanges() }
    }

    func takeDeparted() -> [ObjectIdentifier] {
        state.withLock { state in
            guard !state.departed.isEmpty else { return [] }
            defer { state.departed = [] }
            return state.departed
        }
    }
}

extension NSManagedObjectContext {
    /// Begins and ends the recording when the undo manager is exchanged.
    final func undoManagerChanged(from old: UndoManager?) {
        guard old !== undoManager else { return }
        old?.participants?.leave(self, isEnding: false)
        old?.removeActions(of: ObjectIdentifier(self))
        guard let undoManager else { return }
        // Before a context joins at the address of one that has gone.
        undoManager.forgetDeparted()
        undoManager.join(self)
        if event.capture == nil { event.capture = EventCapture() }
    }
}

extension UndoManager {
    /// The contexts whose changes are recorded; nil before the first one joins.
    final var participants: UndoParticipants? { recorders as? UndoParticipants }

    /// Begins to record a context's changes.
    ///
    /// Sets the list once only: a context that ends on another thread reads it.
    fileprivate final func join(_ context: NSManagedObjectContext) {
        let list = participants ?? UndoParticipants()
        if recorders == nil { recorders = list }
        list.join(context)
    }
}
