// SPDX-License-Identifier: Apache-2.0

/// The objects of sixteen consecutive rows.
@frozen @usableFromInline
package struct RegistryBlock<Object: AnyObject> {
    /// An object, unretained, or none.
    // SAFETY: an object leaves its cell before its memory goes, see ObjectRegistry.settle.
    @usableFromInline typealias Cell = Unmanaged<Object>?

    @usableFromInline var cells = InlineArray<16, Cell>(repeating: nil)
    /// The cells that hold an object.
    @usableFromInline var count = 0

    @inlinable
    init() {}
}

/// Blocks of an ``ObjectRegistry``: sixteen cells each.
///
/// A buffer rather than an array: no check for uniqueness with each object. A registry grows by
/// segments, so that nothing is copied as it grows.
@usableFromInline
package final class RegistrySegment<Object: AnyObject>: ManagedBuffer<Int, RegistryBlock<Object>> {
    /// The blocks of a full-sized segment; less memory than the allocator maps by itself.
    @inlinable static var fullSize: Int { 480 }

    /// The number of blocks.
    @inlinable package var blockCount: Int { header }

    @inlinable
    static func make(blocks: Int) -> RegistrySegment {
        // SAFETY: `create` makes an object of the class that it is called on.
        unsafeDowncast(
            RegistrySegment.create(minimumCapacity: blocks) { _ in blocks },
            to: RegistrySegment.self)
    }

    /// Calls a body with each object of the first blocks.
    // SAFETY: the memory of what a cell holds is there, see ObjectRegistry.settle; no body empties
    // a cell.
    @inlinable @inline(__always)
    func forEach(inFirst blocks: Int, _ body: (Unmanaged<Object>) -> Void) {
        withUnsafeMutablePointerToElements { all in
            for block in 0..<blocks where all[block].count > 0 {
                for cell in 0..<16 { all[block].cells[cell].map(body) }
            }
        }
    }
}
