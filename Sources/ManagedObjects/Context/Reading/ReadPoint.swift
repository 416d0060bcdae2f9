// SPDX-License-Identifier: Apache-2.0

import Schema
import Store

/// The committed state that a context reads, and whether it may move to another one.
struct ReadPoint {
    /// The stamp of what the context reads: bytes bound at another one are not valid.
    ///
    /// No two snapshots of a context have one in common, see
    /// ``NSManagedObjectContext/invalidateBytes()``.
    var stamp: UInt32 = 1
    /// Whether reads stay at the snapshot's state for the moment, see
    /// ``NSManagedObjectContext/holdingSnapshot(_:)``.
    var isHeld = false
    var snapshot: StoreSnapshot?
    /// The destinations, ascending, of which a relationship made faults last.
    var siblings: ContiguousArray<ObjectKey> = []
    /// The generation that the context stays at, see
    /// ``NSManagedObjectContext/setQueryGenerationFrom(_:)``.
    var pinnedGeneration: NSQueryGenerationToken?
}

// What most of those that read need of it.
extension NSManagedObjectContext {
    @inline(__always)
    final var stamp: UInt32 { readPoint.stamp }

    @inline(__always)
    final var snapshot: StoreSnapshot? { readPoint.snapshot }
}
