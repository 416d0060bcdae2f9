// SPDX-License-Identifier: Apache-2.0

/// Chunks that are read where the file has them.
///
/// A clean chunk need not be in memory: its bytes in the map of the file have the same layout. Who
/// keeps the world in a file sees to it that they stay as they are: it holds a state of the file in
/// which the chunk is the same. A chunk that is about to change is copied first, and what the file
/// has is its base without another copy.
extension Column {
    /// The chunks that are read where the file has them.
    package var mappedCount: Int { usedSlots.count { slots[$0].isMapped } }

    /// Has a clean chunk read where the file has it.
    ///
    /// - Parameters:
    ///   - chunk: A clean chunk.
    ///   - bytes: What the chunk has, aligned as ``ChunkLayout`` says. They have to stay in place
    ///     until the column has other ones, ``leaveMap()`` is called, or the column ends.
    package func settle(_ chunk: Int, at bytes: UnsafeRawBufferPointer) {
        checkSize(bytes)
        guard let start = bytes.baseAddress, chunk < slotCount, !slots[chunk].isDirty,
            slots[chunk].bytes != nil
        else { return }
        dropBytes(chunk)
        setBytes(chunk, start, isMapped: true)
    }

    /// Copies what lies in the map into memory, as the map is about to go.
    package func leaveMap() {
        for slot in usedSlots {
            if slots[slot].isMapped, let bytes = slots[slot].bytes {
                setBytes(slot, bytes, isMapped: false)
            }
            if slots[slot].isBaseMapped, let base = slots[slot].base {
                setBase(slot, base, isMapped: false)
            }
        }
    }

    /// Copies a chunk that is about to change; the file has its base.
    func copyFromMap(_ slot: Int) {
        guard let bytes = slots[slot].bytes else { return }
        setBytes(slot, bytes, isMapped: false)
        setBase(slot, bytes, isMapped: true)
    }

    /// Gives a chunk bytes in place of those that were dropped, or that lie in the map.
    func setBytes(_ slot: Int, _ bytes: UnsafeRawPointer, isMapped: Bool) {
        // SAFETY: nobody writes to a chunk without `startWriting`, which copies mapped bytes.
        slots[slot].bytes =
            isMapped
            ? UnsafeMutableRawPointer(mutating: bytes) : Column.copy(bytes, layout.size)
        slots[slot].isMapped = isMapped
    }

    /// Gives a chunk a base in place of the one that was dropped, or that lies in the map.
    func setBase(_ slot: Int, _ bytes: UnsafeRawPointer, isMapped: Bool) {
        // SAFETY: a base is only read.
        slots[slot].base =
            isMapped
            ? UnsafeMutableRawPointer(mutating: bytes) : Column.copy(bytes, layout.size)
        slots[slot].isBaseMapped = isMapped
    }

    func dropBytes(_ slot: Int) {
        if !slots[slot].isMapped { Column.deallocate(slots[slot].bytes) }
        slots[slot].bytes = nil
        slots[slot].isMapped = false
    }

    func dropBase(_ slot: Int) {
        if !slots[slot].isBaseMapped { Column.deallocate(slots[slot].base) }
        slots[slot].base = nil
        slots[slot].isBaseMapped = false
    }
}
