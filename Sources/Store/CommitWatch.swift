// SPDX-License-Identifier: Apache-2.0

import LMDB
import Synchronization

/// Watches for commits to a store's file; includes those of the store itself only on request.
public final class CommitWatch: Sendable {
    /// What the handler learns of commits.
    public struct News: Sendable {
        /// The number of the newest commit.
        public let transactionID: UInt64
        /// How many commits there were since the last look, own ones too.
        public let commitCount: Int
        /// The newest transaction of the history; `nil` for a file without one.
        public let historyNumber: UInt64?
        /// Whether there was a commit among them that the store has not made itself.
        public let isForeign: Bool
    }

    // Cleared by ``cancel()``, which so waits for a look that is under way.
    private let store: Mutex<Store?>
    private let handler: @Sendable (News) -> Bool
    /// Whether the file is looked at within milliseconds, also while it is written all the time.
    let isUrgent: Bool
    private let tellsOwn: Bool
    /// The kernel's number for the file.
    let fileNumber = Atomic<Int32>(-1)

    init(
        _ store: Store, isUrgent: Bool, tellsOwn: Bool,
        _ handler: @escaping @Sendable (News) -> Bool
    ) {
        self.store = Mutex(store)
        self.handler = handler
        self.isUrgent = isUrgent
        self.tellsOwn = tellsOwn
    }

    deinit { cancel() }

    /// Ends the watch; the handler may be running for the last time.
    public func cancel() {
        let last = store.withLock { store in
            defer { store = nil }
            return store
        }
        guard last != nil else { return }
        CommitWatcher.shared?.remove(self)
    }

    /// Looks for new commits and calls the handler with them; returns whether the next commit is
    /// urgent.
    func look() -> Bool {
        let news = store.withLock { store in store?.takeNews(ownOnes: tellsOwn) }
        return news.map(handler) ?? false || isUrgent
    }
}

extension Store {
    /// Watches the file for commits of others: other processes, and other stores of this one.
    ///
    /// Costs nothing while the file is not written to. The handler runs on a queue of the watch, a
    /// moment after the commit; one call may report several commits. The watch ends with
    /// ``CommitWatch/cancel()`` or with its last reference.
    ///
    /// - Parameters:
    ///   - isUrgent: Whether every commit is to be reported within milliseconds.
    ///   - tellsOwn: Whether commits of this store are reported, too.
    ///   - handler: Takes the news, and returns whether the next commit is to be reported within
    ///     milliseconds.
    /// - Throws: ``StoreError`` where the system watches no further file.
    public func watchCommits(
        isUrgent: Bool, tellsOwn: Bool = false,
        _ handler: @escaping @Sendable (CommitWatch.News) -> Bool
    ) throws(StoreError) -> CommitWatch {
        do {
            let watch = CommitWatch(self, isUrgent: isUrgent, tellsOwn: tellsOwn, handler)
            let newest = lastTransactionID
            tracker.watch(after: newest)
            let watcher = try CommitWatcher.requireShared()
            try watcher.add(watch, path)
            // Others may have committed before the kernel began to watch.
            if lastTransactionID != newest { watcher.lookAgain() }
            return watch
        } catch {
            throw StoreError(wrapping: error, path: path)
        }
    }

    fileprivate func takeNews(ownOnes: Bool) -> CommitWatch.News? {
        guard let (newest, count, isForeign) = tracker.takeCommits({ lastTransactionID }),
            isForeign || ownOnes
        else { return nil }
        awaitVisibility(of: newest)
        let range = try? historyRange()
        return CommitWatch.News(
            transactionID: newest, commitCount: count,
            historyNumber: range.map { max($0.last, $0.first - 1) }, isForeign: isForeign)
    }

    /// Waits until a read sees a commit.
    ///
    /// The header is written a moment before readers see the commit. If the writer dies in between,
    /// the next writer makes it visible.
    private func awaitVisibility(of number: UInt64) {
        for _ in 0..<100 {
            let seen = (try? environment.read { $0.transactionID }) ?? .max
            if seen >= number { return }
            CommitWatcher.pause()
        }
    }
}
