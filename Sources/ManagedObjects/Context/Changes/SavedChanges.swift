// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Foundation
import Schema
import Synchronization

/// Which objects a save wrote, in a form that may go to other queues.
struct SavedChanges: Sendable {
    var inserted: [ObjectKey] = []
    var updated: [ObjectKey] = []
    var deleted: [ObjectKey] = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }
}

extension SavedChanges {
    init(_ saved: SavedObjects) {
        inserted = saved.inserted.map(\.key)
        updated = saved.updated.map(\.key)
        deleted = saved.deleted.map(\.key)
    }
}

/// The saves that a context has still to merge.
// SAFETY: the weak reference is set once, before others see the mailbox, and any thread may
// read it. All else is atomic or behind a mutex.
final class ContextMailbox: @unchecked Sendable {
    private weak var context: NSManagedObjectContext?
    // Other contexts add saves from their queues.
    private let saves = Mutex<[SavedChanges]>([])
    private let isMainQueueAsked = Atomic(false)

    init(_ context: NSManagedObjectContext) { self.context = context }

    /// Adds a save and has the context look at it on its own queue.
    ///
    /// A main-queue context also looks when it is entered or fetches, because nothing may run the
    /// main queue. For the same reason only one block waits there, which does not keep the context
    /// alive.
    func post(_ changes: SavedChanges) {
        saves.withLock { $0.append(changes) }
        guard let context else { return }
        guard context.concurrencyType == .mainQueueConcurrencyType else {
            return context.enqueue { context.readMail() }
        }
        guard !isMainQueueAsked.exchange(true, ordering: .acquiringAndReleasing) else { return }
        DispatchQueue.main.async { [self] in
            isMainQueueAsked.store(false, ordering: .releasing)
            guard let context = self.context else { return }
            // Entering reads the mail first.
            CurrentContext.run(context) { context.enterLock {} }
        }
    }

    func take() -> [SavedChanges] {
        saves.withLock { saves in
            defer { saves = [] }
            return saves
        }
    }
}

/// The contexts that merge what is saved beneath them.
final class MergeListeners: Sendable {
    // Contexts join and leave, and saves ask, on their own queues.
    private let mailboxes = Mutex<[ContextMailbox]>([])

    var isEmpty: Bool { mailboxes.withLock { $0.isEmpty } }

    func add(_ mailbox: ContextMailbox) {
        mailboxes.withLock { if !$0.contains(where: { $0 === mailbox }) { $0.append(mailbox) } }
    }

    func remove(_ mailbox: ContextMailbox) {
        mailboxes.withLock { $0.removeAll { $0 === mailbox } }
    }

    func post(_ changes: SavedChanges, except sender: ContextMailbox?) {
        for mailbox in mailboxes.withLock({ $0 }) where mailbox !== sender { mailbox.post(changes) }
    }
}
