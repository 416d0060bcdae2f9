// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// The part of a ``Snapshot`` that other threads use.
///
/// It is an object of its own, as a weak reference to a snapshot would slow down every count of its
/// references.
final class SnapshotState: Sendable {
    private let active = Atomic<Bool>(true)
    // The owner sets it, a writing thread calls it.
    private let handler = Mutex<ParkHandler?>(nil)

    var isActive: Bool {
        get { active.load(ordering: .sequentiallyConsistent) }
        set { active.store(newValue, ordering: .sequentiallyConsistent) }
    }

    var parkHandler: ParkHandler? {
        get { handler.withLock { $0 } }
        set { handler.withLock { $0 = newValue } }
    }
}

/// What to do when the map has to move.
///
/// A class, as a closure is wrapped once more each time it passes through a mutex: one that is
/// handed on from snapshot to snapshot would gain a layer each time.
final class ParkHandler: Sendable {
    let park: @Sendable () -> Bool

    init(_ park: @escaping @Sendable () -> Bool) { self.park = park }
}

/// The snapshots of an environment; each takes itself out when it ends.
///
/// An array with free places: the first dictionary of a process with keys of a new type costs more
/// time than opening the file.
struct SnapshotList {
    private var places: [SnapshotState?] = []
    private var free: [Int] = []

    /// Enters a snapshot and returns its place.
    mutating func enter(_ snapshot: SnapshotState) -> Int {
        guard let position = free.popLast() else {
            places.append(snapshot)
            return places.count - 1
        }
        places[position] = snapshot
        return position
    }

    /// Gives a place free.
    mutating func leave(_ position: Int) {
        places[position] = nil
        free.append(position)
    }

    /// The snapshots that are alive.
    var all: [SnapshotState] { places.compactMap { $0 } }
}
