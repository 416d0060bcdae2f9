// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import ObjectTable
import RecordFormat
import Store
import Worlds

/// The state of the file whose chunks the world reads in place.
///
/// Clean chunks of the world, and the bases of changed ones, lie in the map of the file. They are
/// good as long as the file keeps the state ``shown``: a commit writes a chunk elsewhere, and the
/// former pages are used again only when no state has them. So the world moves to a newer state
/// only if it has the same chunks, or after the other ones were taken over.
extension WorldFile {
    /// Reads a state in place from now on, with whose chunks the world's agree.
    func show(_ snapshot: StoreSnapshot) {
        context.parkSaveCompanion(with: snapshot)
        shown.set(snapshot)
        guard hasLeftMap else { return }
        hasLeftMap = false
        settle(world.columns.flatMap { column in column.storedChunks.map { (column, $0) } })
    }

    /// Whether a state has the chunks that the world has seen.
    func shows(columnsOf snapshot: StoreSnapshot) -> Bool {
        shown.with { snapshot.hasSameColumns(as: $0) } ?? false
    }

    /// Copies all chunks into memory that are read in place.
    func leaveFile(_ world: World) {
        hasLeftMap = true
        for column in world.columns { column.leaveMap() }
    }

    /// Has chunks that were saved read where the file has them now.
    func settle(_ chunks: [(column: Column, chunk: Int)]) {
        shown.with { snapshot -> Void in
            for (column, chunk) in chunks where !column.isDirty(chunk) {
                guard let number = types[column.type.name]?.number,
                    let bytes = savedChunk(number, UInt32(chunk), snapshot),
                    bytes.count == column.layout.size, snapshot.staysInPlace(bytes),
                    ChunkHeader.version(of: bytes) == column.version(of: chunk)
                else { continue }
                column.settle(chunk, at: bytes)
            }
        }
    }

    /// Goes on to the state that a save of the world has made.
    func followOwnCommit(_ transactionID: UInt64) {
        guard seen == transactionID, let next = newestState(), next.transactionID == transactionID
        else { return followCommits() }
        show(next)
    }

    /// The newest state; nil where none can be read: the next look or read says why.
    private func newestState() -> StoreSnapshot? {
        do { return try store.makeSnapshot() } catch { return nil }
    }

    /// The bytes of a chunk; nil where they cannot be read: the chunk stays in memory.
    private func savedChunk(
        _ type: UInt32, _ chunk: UInt32, _ snapshot: StoreSnapshot
    ) -> UnsafeRawBufferPointer? {
        do { return try snapshot.columnChunk(type, chunk) } catch { return nil }
    }
}

/// What other threads call while the context is idle.
extension WorldFile {
    func followCommits() {
        guard shown.with({ $0.isOutdated }) == true, let next = newestState() else { return }
        context.parkSaveCompanion(with: next)
        shown.move(to: next) { next.hasSameColumns(as: $0) }
    }

    func leaveMap() -> Bool {
        // Let go of behind the lock of `shown`, which a world takes that ends.
        var kept: World?
        let isParked = shown.park {
            // SAFETY: the world's memory is there, as its end waits for `shown` before it goes on,
            // and is noted there.
            kept = worldReference.living
            guard let world = kept, world.isIdle else { return false }
            leaveFile(world)
            return true
        }
        withExtendedLifetime(kept) {}
        return isParked
    }

    func worldEnds() { shown.end() }
}
