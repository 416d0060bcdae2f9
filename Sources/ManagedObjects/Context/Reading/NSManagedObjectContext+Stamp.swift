// SPDX-License-Identifier: Apache-2.0

/// Which bytes of the map the context's objects may read.
extension NSManagedObjectContext {
    /// Makes all bytes that were read so far invalid: the snapshot moves, parks, goes or begins.
    ///
    /// SAFETY: the stamp grows only, over all snapshots that the context has had, so bytes bound
    /// once are never taken for bytes of a later state. It grows as well when a state goes and no
    /// new one comes, as when a move fails. Copies that objects own outlive it: they are found by
    /// their owner, not by the stamp.
    final func invalidateBytes() {
        // What a child reads are copies, which no move of a snapshot invalidates.
        guard source == nil else { return }
        if stamp == .max { restartStamps() }
        readPoint.stamp += 1
    }

    /// After four thousand million moves: no object keeps a stamp that comes again.
    @inline(never)
    private final func restartStamps() {
        for object in registry.objects {
            object.boundStamp = 0
            object.readStamp = 0
        }
        readPoint.stamp = 0
    }
}
