// SPDX-License-Identifier: Apache-2.0

import Query
import Schema
import Store

/// The committed state that a context reads, whether it may move to another one, and what the
/// context knows of the store that it is in.
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
    /// The states of the further files that the context has asked for something.
    var files: [FileSnapshot] = []
    /// The destinations, ascending, of which a relationship made faults last.
    var siblings: ContiguousArray<ObjectKey> = []
    /// The generation that the context stays at, see
    /// ``NSManagedObjectContext/setQueryGenerationFrom(_:)``.
    var pinnedGeneration: NSQueryGenerationToken?
    /// Whether objects were changed whose values could not be read.
    var hasEarlyChanges = false
    /// Whether removals of stores find the context, though it had no snapshot.
    var hearsOfRemovals = false
    /// Whether values could not be read, see ``NSManagedObject/isUnread``.
    var hasUnread = false
    /// The objects whose records were found to be gone, until others write these anew.
    var lost: Set<ObjectKey> = []
    /// Whether faults were made for objects of the main store while there was none.
    var hasStrays = false
    /// The look-ups of unique attributes that fetches have asked for.
    var lookUps = UniqueLookUps()
    /// The plans of fetches from the main store.
    let plans = PlanMemory()
    /// The store of the ID that was checked last, so that looking up many checks the store once.
    var knownStore: NSPersistentStore?
}

// The parts that most readers need.
extension NSManagedObjectContext {
    @inline(__always)
    final var stamp: UInt32 { readPoint.stamp }

    @inline(__always)
    final var snapshot: StoreSnapshot? { readPoint.snapshot }

    /// The plans of fetches; `nil` while no removal of the store would tell the context, as plans
    /// keep the file open.
    final var knownPlans: PlanMemory? { snapshot == nil ? nil : readPoint.plans }
}
