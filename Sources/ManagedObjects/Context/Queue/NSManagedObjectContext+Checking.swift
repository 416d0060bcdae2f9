// SPDX-License-Identifier: Apache-2.0

import Foundation
import Traps

/// Finds uses of a context from a wrong queue, when the environment asks for it.
extension NSManagedObjectContext {
    /// Whether `LODE_CONCURRENCY_DEBUG` is 1.
    // Not by way of ProcessInfo, whose dictionary of all variables takes as long as opening a file.
    static let isConcurrencyDebugOn =
        getenv("LODE_CONCURRENCY_DEBUG").map { String(cString: $0) } == "1"

    /// Traps outside the context's queue, if the environment asks for the check.
    @inline(__always)
    final func checkQueue(_ object: NSManagedObject? = nil) {
        if queue.isChecked { verifyQueue(object) }
    }

    /// The stamp at which objects may be read without further checks; 0 if each use is checked.
    @inline(__always)
    final var uncheckedStamp: UInt32 { queue.isChecked ? 0 : stamp }

    @inline(never)
    private final func verifyQueue(_ object: NSManagedObject?) {
        object?.flags.insert(.checked)
        if isOnQueue { return }
        let what = object.map { "\($0.runtime.entity.name) \($0.key)" } ?? "a context"
        trap(
            "\(what) of \(queueName) was used on \(NSManagedObjectContext.currentQueueName); "
                + "use perform or performAndWait")
    }

    /// The context's queue, for messages.
    final var queueName: String {
        let kind =
            concurrencyType == .mainQueueConcurrencyType
            ? "the main queue" : "the queue \(queue.blocks.label)"
        return name.map { "\(kind) (context \($0))" } ?? kind
    }

    private static var currentQueueName: String {
        if let inside = CurrentContext.innermost { return inside.queueName }
        if MainQueue.isCurrent { return "the main queue" }
        let name = Thread.current.name ?? ""
        return name.isEmpty ? "a thread outside all contexts" : "the thread \(name)"
    }
}
