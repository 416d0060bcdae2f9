// SPDX-License-Identifier: Apache-2.0

#if os(Linux)
    import Dispatch
    import Synchronization

    #if canImport(Glibc)
        import Glibc
    #elseif canImport(Musl)
        import Musl
    #endif

    /// Requests the pages of a block from the system on another thread.
    // SAFETY: the other thread neither reads nor changes what the block holds, so its owner may use
    // it meanwhile. `MemoryBlock` calls `end` before it gives the memory back.
    final class BlockPreparation: @unchecked Sendable {
        private static let waiting = 0
        private static let running = 1
        private static let over = 2

        private let bytes: UnsafeMutableRawBufferPointer
        private let state = Atomic(BlockPreparation.waiting)

        init(_ bytes: UnsafeMutableRawBufferPointer) {
            self.bytes = bytes
            DispatchQueue.global(qos: .userInitiated).async { [self] in run() }
        }

        private func run() {
            let (mayRun, _) = state.compareExchange(
                expected: BlockPreparation.waiting, desired: BlockPreparation.running,
                ordering: .acquiringAndReleasing)
            guard mayRun else { return }
            // MADV_POPULATE_WRITE; a system that does not know it hands out pages one by one.
            _ = madvise(bytes.baseAddress, bytes.count, 23)
            state.store(BlockPreparation.over, ordering: .releasing)
        }

        /// Returns once the memory may be freed: at once, unless it is being prepared right now.
        func end() {
            let (isDone, _) = state.compareExchange(
                expected: BlockPreparation.waiting, desired: BlockPreparation.over,
                ordering: .acquiringAndReleasing)
            // Only a preparation under way is waited for, which takes a millisecond.
            while !isDone, state.load(ordering: .acquiring) == BlockPreparation.running {
                sched_yield()
            }
        }
    }
#endif
