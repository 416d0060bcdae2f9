// SPDX-License-Identifier: Apache-2.0

/// The rows of a column between two multiples of a power of two.
@frozen
@usableFromInline
struct Chunk {
    /// Header, presence and values as ``ChunkLayout`` has them; nil while no row has a value.
    ///
    /// Only a dirty chunk may be written to: a clean one may lie in the file.
    @usableFromInline var bytes: UnsafeMutableRawPointer?
    /// Whether the chunk may differ from the file.
    @usableFromInline var isDirty = false
    /// Whether `bytes` lie in the map of the file; only of a clean chunk.
    var isMapped = false
    /// Whether `base` lies in the map of the file.
    var isBaseMapped = false
    /// The rows with a value.
    @usableFromInline var count = 0
    /// When rows were added.
    @usableFromInline var added = TickTrack()
    /// When rows were changed after their addition, which is a change as well.
    @usableFromInline var changed = TickTrack()
    /// The bytes of the last save; only of a changed chunk of a world that is kept in a file.
    @usableFromInline var base: UnsafeMutableRawPointer?
    /// The number of the commit that wrote the chunk; 0 for one that no file has.
    @usableFromInline var version: UInt64 = 0

    @usableFromInline init() {}

    /// The presence bits.
    @inlinable var presence: UnsafeMutablePointer<UInt64>? {
        // SAFETY: `Column` has room for the bits of its layout in every chunk at this offset,
        // aligned to 16 bytes.
        bytes.map {
            ($0 + ChunkLayout.headerSize).assumingMemoryBound(to: UInt64.self)
        }
    }

    /// The first word of the presence bits from one on that is not zero; nil where all are.
    func firstWord(from first: Int, _ layout: ChunkLayout) -> Int? {
        guard let presence else { return nil }
        let (end, lanes) = (layout.words, SIMD8<UInt64>.scalarCount)
        var word = first
        while word < end {
            // SAFETY: the bits of a chunk are words up to `end`.
            if end - word >= lanes {
                let words = unsafe UnsafeRawPointer(presence + word)
                    .loadUnaligned(as: SIMD8<UInt64>.self)
                if words == .zero {
                    word += lanes
                    continue
                }
            }
            if presence[word] != 0 { return word }
            word += 1
        }
        return nil
    }

    /// The tick of the last addition or change.
    var newestChange: UInt64 { max(added.newest, changed.newest) }

    /// The rows of a word that were added after a tick.
    func additions(_ word: Int, after tick: UInt64) -> UInt64 {
        added.rows(word, after: tick) & (presence?[word] ?? 0)
    }

    /// The rows of a word that were added or changed after a tick.
    func changes(_ word: Int, after tick: UInt64) -> UInt64 {
        (added.rows(word, after: tick) | changed.rows(word, after: tick)) & (presence?[word] ?? 0)
    }
}
