// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization

/// Tells a snapshot's remap handler, which any thread may call, whether its context may park it.
///
/// Only the thread that saves the context may touch the context's objects, so a request from any
/// other thread is refused.
final class SaverToken: Sendable {
    private struct State {
        var thread: ObjectIdentifier?
        // Set while `thread` is in the context's save, which keeps the context alive.
        var context: UncheckedTransfer<Unmanaged<NSManagedObjectContext>>?
    }

    // Written by the saving thread, read by whoever has to grow the map.
    private let state = Mutex(State())

    func begin(_ context: NSManagedObjectContext) {
        let pointer = UncheckedTransfer(Unmanaged.passUnretained(context))
        state.withLock { state in
            state.thread = ObjectIdentifier(Thread.current)
            state.context = pointer
        }
    }

    func end() { state.withLock { $0 = State() } }

    func parkForRemap() -> Bool {
        let context = state.withLock { state in
            state.thread == ObjectIdentifier(Thread.current) ? state.context : nil
        }
        return context?.value.takeUnretainedValue().parkForRemap() ?? false
    }
}
