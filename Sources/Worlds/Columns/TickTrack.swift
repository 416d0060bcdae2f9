// SPDX-License-Identifier: Apache-2.0

/// When each row of a chunk was last added, or last changed.
///
/// Rows are mostly changed by loops over all of them. So 64 rows share one tick, together with the
/// rows that it holds for. A tick of its own for each row is kept only for chunks in which rows of
/// one word were changed at different times.
@frozen
@usableFromInline
struct TickTrack {
    @frozen
    @usableFromInline
    struct Word {
        @usableFromInline var tick: UInt64
        /// The rows that changed at `tick`; all others changed before, or never.
        @usableFromInline var rows: UInt64

        @inlinable
        init(tick: UInt64, rows: UInt64) {
            self.tick = tick
            self.rows = rows
        }
    }

    @usableFromInline var words: UnsafeMutablePointer<Word>?
    /// The ticks of the rows that are not of their word's tick.
    @usableFromInline var older: UnsafeMutablePointer<UInt64>?
    /// The newest tick of all.
    @usableFromInline var newest: UInt64 = 0

    @usableFromInline init() {}

    /// Notes a tick for rows of a word.
    @inlinable @inline(__always)
    mutating func mark(_ word: Int, _ rows: UInt64, _ tick: UInt64, _ layout: ChunkLayout) {
        guard let words, words[word].tick == tick || words[word].rows & ~rows == 0 else {
            return markSlowly(word, rows, tick, layout)
        }
        if words[word].tick == tick {
            words[word].rows |= rows
        } else {
            words[word] = Word(tick: tick, rows: rows)
            newest = tick
        }
    }

    @usableFromInline @inline(never)
    mutating func markSlowly(
        _ word: Int, _ rows: UInt64, _ tick: UInt64, _ layout: ChunkLayout
    ) {
        if words == nil {
            let made = UnsafeMutablePointer<Word>.allocate(capacity: layout.words)
            made.initialize(repeating: Word(tick: 0, rows: 0), count: layout.words)
            words = made
        }
        guard let words else { return }
        let former = words[word]
        if former.tick != tick, former.rows & ~rows != 0 {
            keepOlder(former.rows & ~rows, former.tick, word, layout)
        }
        words[word] = Word(tick: tick, rows: former.tick == tick ? former.rows | rows : rows)
        newest = tick
    }

    private mutating func keepOlder(
        _ rows: UInt64, _ tick: UInt64, _ word: Int, _ layout: ChunkLayout
    ) {
        if older == nil {
            let made = UnsafeMutablePointer<UInt64>.allocate(capacity: layout.rows)
            made.initialize(repeating: 0, count: layout.rows)
            older = made
        }
        for bit in Bits(rows) { older?[word << 6 | bit] = tick }
    }

    /// The rows of a word that changed after a tick; of rows without a value it says nothing.
    func rows(_ word: Int, after tick: UInt64) -> UInt64 {
        // No row of a word has a newer tick than the word.
        guard newest > tick, let words, words[word].tick > tick else { return 0 }
        var found = words[word].rows
        guard let older else { return found }
        for bit in Bits(~words[word].rows) where older[word << 6 | bit] > tick {
            found |= 1 << UInt64(bit)
        }
        return found
    }

    /// Forgets rows of a word, as they have no value any more.
    ///
    /// Their own older ticks may stay, as no query reads them: a query for changes looks at rows
    /// with a value, and such a row has a newer tick at which it was added.
    @inlinable @inline(__always)
    mutating func forget(_ word: Int, _ rows: UInt64) {
        guard let words, words[word].rows & rows != 0 else { return }
        words[word].rows &= ~rows
    }

    /// Gives the memory back.
    mutating func deallocate() {
        words?.deallocate()
        older?.deallocate()
        self = TickTrack()
    }
}
