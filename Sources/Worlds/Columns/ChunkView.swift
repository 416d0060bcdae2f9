// SPDX-License-Identifier: Apache-2.0

/// The bytes of a chunk, in memory or in a file; nil bytes are a chunk without values.
package struct ChunkView {
    private let start: UnsafeRawPointer?
    private let layout: ChunkLayout
    private let gaps: ValueGaps?

    /// A view of bytes that have the size of a layout.
    package init(_ bytes: UnsafeRawBufferPointer?, _ layout: ChunkLayout) {
        self.init(bytes, layout, nil)
    }

    /// A view of a column's bytes.
    package init(_ bytes: UnsafeRawBufferPointer?, of column: Column) {
        self.init(bytes, column.layout, column.gaps)
    }

    init(_ bytes: UnsafeRawBufferPointer?, _ layout: ChunkLayout, _ gaps: ValueGaps?) {
        start = bytes?.baseAddress
        self.layout = layout
        self.gaps = gaps
    }

    /// The rows of a word that have a value.
    package func presence(_ word: Int) -> UInt64 {
        guard let start else { return 0 }
        return start.loadUnaligned(
            fromByteOffset: ChunkLayout.headerSize + (word << 3), as: UInt64.self)
    }

    /// Whether a row has a value.
    package func has(_ row: Int) -> Bool { presence(row >> 6) >> UInt64(row & 63) & 1 == 1 }

    /// The rows of the chunk that have a value here and none in another view, ascending.
    package func rows(missingIn other: ChunkView) -> [Int] {
        (0..<layout.words).flatMap { word in
            Bits(presence(word) & ~other.presence(word)).map { word << 6 | $0 }
        }
    }

    /// The rows with a value.
    package var count: Int {
        (0..<layout.words).reduce(0) { $0 + presence($1).nonzeroBitCount }
    }

    /// The place of a row's value, whether it has one or not; nil without bytes.
    package func value(_ row: Int) -> UnsafeRawPointer? {
        start.map { $0 + layout.valuesOffset + row * layout.stride }
    }

    /// The rows of a word that have a value in both and not the same.
    package func differences(_ other: ChunkView, _ word: Int) -> UInt64 {
        guard layout.stride > 0 else { return 0 }
        let both = presence(word) & other.presence(word)
        guard both != 0, let mine = value(word << 6), let theirs = other.value(word << 6) else {
            return 0
        }
        // Most words are the same as a whole.
        if isSame(mine, theirs, layout.stride << 6) { return 0 }
        var result: UInt64 = 0
        for bit in Bits(both) {
            let (one, other) = (mine + bit * layout.stride, theirs + bit * layout.stride)
            if isSame(one, other, layout.stride) || gaps?.isSame(one, other) == true { continue }
            result |= 1 << UInt64(bit)
        }
        return result
    }

    /// Whether both have the same rows with the same values.
    package func equals(_ other: ChunkView) -> Bool {
        for word in 0..<layout.words {
            guard presence(word) == other.presence(word), differences(other, word) == 0 else {
                return false
            }
        }
        return true
    }

    /// Whether bytes are the same, compared eight at a time.
    private func isSame(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, _ count: Int) -> Bool {
        var offset = 0
        while offset + 8 <= count {
            guard
                one.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                    == other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
            else { return false }
            offset += 8
        }
        while offset < count {
            guard
                one.load(fromByteOffset: offset, as: UInt8.self)
                    == other.load(fromByteOffset: offset, as: UInt8.self)
            else { return false }
            offset += 1
        }
        return true
    }
}
