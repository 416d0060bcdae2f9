// SPDX-License-Identifier: Apache-2.0

import Schema
import Synchronization

/// Blocks of an ``ObjectRegistry``: sixteen cells each.
///
/// A buffer rather than an array: no check for uniqueness with each object. A registry grows by
/// segments, so that nothing is copied as it grows.
final class RegistrySegment: ManagedBuffer<Int, RegistrySegment.Block> {
    /// An object, unretained, or none.
    // SAFETY: an object leaves its cell before its memory goes, see ObjectRegistry.settle.
    typealias Cell = Unmanaged<NSManagedObject>?

    /// The objects of sixteen consecutive rows.
    struct Block {
        var cells = InlineArray<16, Cell>(repeating: nil)
        /// The cells that hold an object.
        var count = 0
    }

    /// The blocks of a full-sized segment; less memory than the allocator maps by itself.
    static let fullSize = 480

    /// The number of blocks.
    var blockCount: Int { header }

    static func make(blocks: Int) -> RegistrySegment {
        // SAFETY: `create` makes an object of the class that it is called on.
        unsafeDowncast(
            RegistrySegment.create(minimumCapacity: blocks) { _ in blocks },
            to: RegistrySegment.self)
    }

    /// Calls a body with each object of the first blocks.
    // SAFETY: the memory of what a cell holds is there, see ObjectRegistry.settle; no body empties
    // a cell.
    func forEach(inFirst blocks: Int, _ body: (Unmanaged<NSManagedObject>) -> Void) {
        withUnsafeMutablePointerToElements { all in
            for block in 0..<blocks where all[block].count > 0 {
                for cell in 0..<16 { all[block].cells[cell].map(body) }
            }
        }
    }
}

/// Segments that registries of a coordinator's contexts have no use for at the moment.
///
/// The next large fetch, often by a new context, takes them again. As they lie between the objects
/// of the fetch that made them, the allocator does not give the pages of those objects back to the
/// system either, just to have them cleared and mapped again one by one: that took a quarter of
/// the time of fetching a million objects again and again.
final class RegistrySegmentPool: Sendable {
    /// At most 16 MB are kept: those of two million objects.
    private static let limit = (16 << 20) / (RegistrySegment.fullSize * 136)

    /// What the lock guards.
    // SAFETY: the mutex guards the list, and whoever takes a segment out of it is its only user.
    private struct State: @unchecked Sendable {
        var segments: ContiguousArray<RegistrySegment> = []
    }

    // Contexts of any thread take and give segments.
    private let state = Mutex(State())

    /// A segment whose blocks are not cleared.
    func take() -> RegistrySegment? { state.withLock { $0.segments.popLast() } }

    /// Keeps segments for others; drops what is too small or too much.
    func give(_ segments: ContiguousArray<RegistrySegment>) {
        state.withLock { state in
            for segment in segments.reversed() where segment.blockCount == RegistrySegment.fullSize
            {
                if state.segments.count == RegistrySegmentPool.limit { return }
                state.segments.append(segment)
            }
        }
    }
}
