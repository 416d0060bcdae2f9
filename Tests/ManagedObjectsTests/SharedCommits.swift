// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Testing
import _TestSupport

@testable import LMDB
@testable import ManagedObjects
@testable import Store

/// A store that waits for the disk, where saves of several contexts are committed together.
final class SharedCommits {
    let stack: Stack
    let store: Store

    init(
        _ model: NSManagedObjectModel,
        _ adjust: (NSPersistentStoreDescription) -> Void = { _ in }
    ) throws {
        stack = try Stack(model)
        try stack.reopen {
            $0.setOption("full" as NSString, forKey: LodeDurabilityOption)
            adjust($0)
        }
        store = try stack.context.requireStore()
    }

    /// A context that fails where saves conflict, unless it is given a policy.
    func context(_ policy: Any = NSErrorMergePolicy) -> NSManagedObjectContext {
        let context = stack.container.newBackgroundContext()
        context.mergePolicy = policy
        return context
    }

    /// Saves contexts, each on a thread of its own, which come in this order while the store is
    /// being written to; returns the codes of the errors, 0 for none.
    func save(_ contexts: [NSManagedObjectContext]) async throws -> [Int] {
        let group = store.environment.commitGroup
        let isBegun = Atomic(false)
        let codes = Mutex(Array(repeating: 0, count: contexts.count))
        let (store, count) = (self.store, contexts.count)
        let earlier: @Sendable () throws -> Void = {
            try store.environment.write { _ in
                isBegun.store(true, ordering: .releasing)
                while !group.isLed || group.waitingCount < count - 1 { usleep(100) }
            }
        }
        let saves = contexts.enumerated().map { position, context -> @Sendable () throws -> Void in
            // SAFETY: a context is used in its `performAndWait` only, until all threads have ended.
            nonisolated(unsafe) let context = context
            return { @Sendable () throws -> Void in
                while !isBegun.load(ordering: .acquiring) { usleep(100) }
                if position > 0 {
                    while !group.isLed || group.waitingCount < position - 1 { usleep(100) }
                }
                let failure = code { try context.performAndWait { try context.save() } }
                codes.withLock { $0[position] = failure ?? 0 }
            }
        }
        try await runOnThreads([earlier] + saves)
        return codes.withLock { $0 }
    }

    /// Names and numbers of all items as a new context reads them.
    func items() throws -> [String] {
        try stack.reading { context in
            try context.performAndWait {
                try context.all("Item").map { "\($0.text("name")) \($0.number("number"))" }.sorted()
            }
        }
    }
}
