// SPDX-License-Identifier: Apache-2.0

import LMDB
import Synchronization

/// Parked LMDB snapshots that wait for their next use: renewing one is cheaper than beginning one.
final class SpareSnapshots: Sendable {
    // Contexts of any thread move their snapshots.
    private let spares = Mutex<[Snapshot]>([])
    // Each keeps a slot of LMDB's reader table.
    private static let limit = 4

    func take() -> Snapshot? { spares.withLock { $0.popLast() } }

    func put(_ snapshot: Snapshot) {
        spares.withLock { spares in
            if spares.count < SpareSnapshots.limit { spares.append(snapshot) }
        }
    }
}

extension Store {
    /// A snapshot of the newest state.
    func takeSnapshot() throws(LMDBError) -> Snapshot {
        guard let spare = spares.take() else { return try environment.makeSnapshot() }
        try spare.renew()
        return spare
    }

    /// Parks a snapshot that is no longer read, and keeps it for later.
    func recycle(_ snapshot: Snapshot) {
        snapshot.parkHandler = nil
        snapshot.reset()
        spares.put(snapshot)
    }
}
