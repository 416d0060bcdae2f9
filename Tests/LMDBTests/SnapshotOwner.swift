// SPDX-License-Identifier: Apache-2.0

import LMDB
import Synchronization

/// Uses a snapshot as a context does: under a lock, which its park handler only tries.
final class SnapshotOwner: Sendable {
    private let snapshot: Snapshot
    private let lock: Lock

    /// A lock that a handler can share without keeping the owner alive.
    private final class Lock: Sendable {
        let mutex = Mutex<Void>(())
    }

    init(_ environment: Environment) throws {
        let snapshot = try environment.makeSnapshot()
        let lock = Lock()
        let weakly = WeakReference(snapshot)
        snapshot.parkHandler = {
            lock.mutex.withLockIfAvailable { _ in
                weakly.value?.reset()
                return true
            } ?? false
        }
        self.snapshot = snapshot
        self.lock = lock
    }

    /// Renews the snapshot and reads an integer.
    func read(_ key: UInt64, in database: Database) throws -> UInt64 {
        try lock.mutex.withLock { _ in
            try snapshot.renew()
            return try snapshot.get(key, in: database)?.loadUnaligned(as: UInt64.self) ?? 0
        }
    }
}
