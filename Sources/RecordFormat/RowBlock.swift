// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#endif

/// Memory for rows.
struct RowBlock {
    private static let leastByteCount = 1 << 16
    private static let greatestByteCount = 1 << 22
    private static let hugePageByteCount = 1 << 21

    let start: UnsafeMutableRawPointer
    let byteCount: Int
    /// Where the rows end.
    var end: UnsafeMutableRawPointer
    #if os(Linux)
        private var preparation: BlockPreparation?
    #endif

    /// Whether the block is of the usual size of those behind the first ones.
    var isLarge: Bool { byteCount == RowBlock.greatestByteCount }

    /// Allocates a block; those behind the first are larger and larger.
    init(_ position: Int, atLeast needed: Int) {
        let wanted = RowBlock.leastByteCount << (2 * min(position, 3))
        byteCount = max(min(wanted, RowBlock.greatestByteCount), (needed + 7) & ~7)
        let isHuge = byteCount >= RowBlock.greatestByteCount
        start = .allocate(
            byteCount: byteCount, alignment: isHuge ? RowBlock.hugePageByteCount : 8)
        end = start
        #if canImport(Glibc)
            // Each small page costs a fault, which takes longer than filling it. Only a hint.
            if isHuge { _ = madvise(start, byteCount, MADV_HUGEPAGE) }
        #endif
    }

    /// Has another thread get the block's pages from the system, which fills them with zeros first.
    ///
    /// That takes about as long as filling them with rows. The block may be used meanwhile.
    mutating func prepare() {
        #if os(Linux)
            preparation = BlockPreparation(start, byteCount)
        #endif
    }

    func free() {
        #if os(Linux)
            preparation?.end()
        #endif
        start.deallocate()
    }
}
