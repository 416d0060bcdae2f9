// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation

@testable import ManagedObjects

/// An item that can be watched as it goes.
final class DepartingItem: NSManagedObject {
    /// Runs in the deinit, before that of the superclass.
    var onExit: (() -> Void)?
    var kept: NSManagedObjectContext?

    deinit { onExit?() }
}

enum DepartureModel {
    static func make() -> NSManagedObjectModel {
        Build.model(
            Build.entity(
                "Item",
                [
                    Build.attribute("name"),
                    Build.attribute("number", .integer64AttributeType, default: 0),
                ], class: DepartingItem.self))
    }
}

/// The only reference to an object.
// Sendable because only one thread at a time is given it.
final class SoleReference: @unchecked Sendable {
    var object: NSManagedObject?

    init(_ object: NSManagedObject) { self.object = object }

    /// Releases the object on a thread of its own.
    func releaseElsewhere() {
        let thread = OtherThread { self.object = nil }
        thread.join()
    }

    /// The object's ID as another thread is told it.
    func idElsewhere() -> NSManagedObjectID? { elsewhere { $0?.objectID } ?? nil }

    /// The object's context as another thread is told it.
    func contextElsewhere() -> NSManagedObjectContext? {
        elsewhere { $0?.managedObjectContext } ?? nil
    }

    private func elsewhere<Result>(_ body: @escaping (NSManagedObject?) -> Result) -> Result? {
        // Unsafe: the other thread has ended when it is read.
        nonisolated(unsafe) var result: Result?
        let job = UncheckedTransfer(body)
        OtherThread { result = job.value(self.object) }.join()
        return result
    }

    /// Begins to release the object on a thread of its own, which is in the object's deinit then.
    func releaseElsewhereSlowly() -> SlowExit {
        let exit = SlowExit()
        (object as? DepartingItem)?.onExit = {
            exit.hasBegun.signal()
            exit.mayEnd.wait()
        }
        exit.thread = OtherThread { self.object = nil }
        exit.hasBegun.wait()
        return exit
    }
}

/// A deinit that waits.
// Sendable because semaphores order what the two threads do.
final class SlowExit: @unchecked Sendable {
    let hasBegun = DispatchSemaphore(value: 0)
    let mayEnd = DispatchSemaphore(value: 0)
    var thread: OtherThread?

    /// Lets the deinit end and waits for that.
    func finish() {
        mayEnd.signal()
        thread?.join()
    }
}

/// A thread that can be waited for.
final class OtherThread: Sendable {
    private let hasEnded = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () -> Void) {
        let hasEnded = hasEnded
        Thread.detachNewThread {
            body()
            hasEnded.signal()
        }
    }

    func join() { hasEnded.wait() }
}
