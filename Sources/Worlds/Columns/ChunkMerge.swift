// SPDX-License-Identifier: Apache-2.0

/// The changes of two writers of one chunk, put together row by row.
package struct ChunkMerge {
    /// The rows that both changed, each in its own way; rows of the chunk, ascending.
    package private(set) var conflicts: [Int] = []
    /// A whole chunk; its header is that of one of the two.
    package private(set) var bytes: [UInt8]

    /// Merges the changes since a common state.
    ///
    /// - Parameters:
    ///   - base: The state that both began with.
    ///   - mine: This writer's state.
    ///   - theirs: The other writer's state.
    ///   - layout: The layout of all of them.
    ///   - gaps: What says nothing in a value.
    ///   - prefersMine: Whose value a row gets that both changed.
    ///   - apart: Rows that are not put together, and so no conflicts.
    ///   - apartIsMine: Whose value those get, whoever changed it.
    init(
        base: UnsafeRawBufferPointer?, mine: UnsafeRawBufferPointer?,
        theirs: UnsafeRawBufferPointer?, layout: ChunkLayout, gaps: ValueGaps? = nil,
        prefersMine: Bool, apart: [Int] = [], apartIsMine: Bool = true
    ) {
        bytes = mine.map { Array($0) } ?? Array(repeating: 0, count: layout.size)
        let old = ChunkView(base, layout, gaps)
        let here = ChunkView(mine, layout, gaps)
        let there = ChunkView(theirs, layout, gaps)
        for word in 0..<layout.words {
            let changedThere =
                (old.presence(word) ^ there.presence(word)) | there.differences(old, word)
            guard changedThere != 0 else { continue }
            let changedHere =
                (old.presence(word) ^ here.presence(word)) | here.differences(old, word)
            let isSame =
                ~(here.presence(word) ^ there.presence(word)) & ~here.differences(there, word)
            let both = changedThere & changedHere & ~isSame
            conflicts += Bits(both).map { word << 6 | $0 }
            take(prefersMine ? changedThere & ~changedHere : changedThere, word, there, layout)
        }
        guard !apart.isEmpty else { return }
        let all = Set(apart)
        conflicts.removeAll { all.contains($0) }
        let one = apartIsMine ? here : there
        for row in apart { take(1 << UInt64(row & 63), row >> 6, one, layout) }
    }

    /// Merges the bytes that another writer has of a column's chunk with the column's own.
    package init(
        _ theirs: UnsafeRawBufferPointer?, _ chunk: Int, of column: Column, prefersMine: Bool,
        apart: [Int] = [], apartIsMine: Bool = true
    ) {
        self.init(
            base: column.base(of: chunk), mine: column.bytes(of: chunk), theirs: theirs,
            layout: column.layout, gaps: column.gaps, prefersMine: prefersMine, apart: apart,
            apartIsMine: apartIsMine)
    }

    /// The state that both have in common once this writer has taken the other one's changes over,
    /// but for the rows of conflicts.
    ///
    /// - Parameters:
    ///   - base: The state that both began with.
    ///   - theirs: The other writer's state.
    ///   - conflicts: The rows that stay as they were.
    ///   - layout: The layout of both.
    package static func base(
        _ base: UnsafeRawBufferPointer?, with theirs: UnsafeRawBufferPointer?,
        exceptFor conflicts: [Int], layout: ChunkLayout
    ) -> [UInt8] {
        var result = ChunkMerge(
            base: nil, mine: theirs, theirs: nil, layout: layout, prefersMine: true)
        let old = ChunkView(base, layout)
        for row in conflicts { result.take(1 << UInt64(row & 63), row >> 6, old, layout) }
        return result.bytes
    }

    /// Takes rows of a word over from a chunk.
    private mutating func take(
        _ rows: UInt64, _ word: Int, _ source: ChunkView, _ layout: ChunkLayout
    ) {
        guard rows != 0 else { return }
        bytes.withUnsafeMutableBytes { bytes in
            let place = ChunkLayout.headerSize + (word << 3)
            let former = bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)
            let presence = former & ~rows | source.presence(word) & rows
            bytes.storeBytes(of: presence, toByteOffset: place, as: UInt64.self)
            for bit in Bits(rows) {
                let row = word << 6 | bit
                let start = layout.valuesOffset + row * layout.stride
                let room = UnsafeMutableRawBufferPointer(
                    rebasing: bytes[start..<start + layout.stride])
                if let value = source.value(row), source.presence(word) >> UInt64(bit) & 1 == 1 {
                    room.copyMemory(from: UnsafeRawBufferPointer(start: value, count: room.count))
                } else {
                    room.initializeMemory(as: UInt8.self, repeating: 0)
                }
            }
        }
    }
}
