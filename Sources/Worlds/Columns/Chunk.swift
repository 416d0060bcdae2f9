// SPDX-License-Identifier: Apache-2.0

/// The rows of a column between two multiples of a power of two.
@frozen
@usableFromInline
struct Chunk {
    /// Header, presence and values as ``ChunkLayout`` has them; nil while no row has a value.
    @usableFromInline var bytes: UnsafeMutableRawPointer?
    /// The bytes of the last save; only of a changed chunk of a world that is kept in a file.
    @usableFromInline var base: UnsafeMutableRawPointer?
    /// Whether the chunk may differ from the file.
    @usableFromInline var isDirty = false
    /// The number of the commit that wrote the chunk; 0 for one that no file has.
    @usableFromInline var version: UInt64 = 0
    /// The rows with a value.
    @usableFromInline var count = 0
    @usableFromInline var changed = TickTrack()
    @usableFromInline var added = TickTrack()

    @usableFromInline init() {}

    /// The presence bits.
    @inlinable var presence: UnsafeMutablePointer<UInt64>? {
        // SAFETY: `Column` allocates every chunk with room for the bits of its layout at this
        // offset, aligned to 16 bytes.
        bytes.map {
            ($0 + ChunkLayout.headerSize).assumingMemoryBound(to: UInt64.self)
        }
    }
}
