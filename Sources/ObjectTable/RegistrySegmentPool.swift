// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// Segments that registries of a coordinator's contexts have no use for at the moment.
///
/// The next large fetch, often by a new context, takes them again. As they lie between the objects
/// of the fetch that made them, the allocator does not give the pages of those objects back to the
/// system either, just to have them cleared and mapped again one by one: that took a quarter of
/// the time of fetching a million objects again and again.
@usableFromInline
package final class RegistrySegmentPool<Object: AnyObject>: Sendable {
    /// At most 16 MB are kept: those of two million objects.
    private static var limit: Int { (16 << 20) / (RegistrySegment<Object>.fullSize * 136) }

    /// What the lock guards.
    // SAFETY: the mutex guards the list, and the registry that takes a segment is its only user.
    private struct State: @unchecked Sendable {
        var segments: ContiguousArray<RegistrySegment<Object>> = []
    }

    // Contexts of any thread take and give segments.
    private let state = Mutex(State())

    /// Makes an empty pool.
    package init() {}

    /// A segment whose blocks are not cleared.
    @usableFromInline
    package func take() -> RegistrySegment<Object>? { state.withLock { $0.segments.popLast() } }

    /// Keeps segments for others; drops what is too small or too much.
    @usableFromInline
    func give(_ segments: ContiguousArray<RegistrySegment<Object>>) {
        state.withLock { state in
            for segment in segments.reversed()
            where segment.blockCount == RegistrySegment<Object>.fullSize {
                if state.segments.count == RegistrySegmentPool.limit { return }
                state.segments.append(segment)
            }
        }
    }
}
