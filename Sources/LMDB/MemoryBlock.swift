// SPDX-License-Identifier: Apache-2.0

#if canImport(Glibc)
    import Glibc
#endif

/// Memory that is about to be filled from its start, such as with the rows of a batch.
package final class MemoryBlock {
    private static let hugePageByteCount = 1 << 21

    /// The memory, which is given back with this object.
    package let bytes: UnsafeMutableRawBufferPointer
    #if os(Linux)
        private var preparation: BlockPreparation?
    #endif

    /// Gets memory from the system, with huge pages where it takes several.
    package init(byteCount: Int) {
        let isHuge = byteCount >= 2 * MemoryBlock.hugePageByteCount
        bytes = .allocate(
            byteCount: byteCount, alignment: isHuge ? MemoryBlock.hugePageByteCount : 8)
        #if canImport(Glibc)
            // Each small page costs a fault, which takes longer than filling it. Only a hint.
            if isHuge { _ = madvise(bytes.baseAddress, byteCount, MADV_HUGEPAGE) }
        #endif
    }

    deinit {
        #if os(Linux)
            preparation?.end()
        #endif
        bytes.deallocate()
    }

    /// Has another thread get the pages from the system, which fills them with zeros first.
    ///
    /// That takes about as long as filling them with rows. The memory may be used meanwhile.
    package func prepare() {
        #if os(Linux)
            guard preparation == nil else { return }
            preparation = BlockPreparation(bytes)
        #endif
    }
}
