// SPDX-License-Identifier: Apache-2.0

import Schema

/// The objects of an owner, such as a context, by key, without keeping them alive.
///
/// Sixteen consecutive rows share a block of cells, one pointer each, and a directory leads from
/// the common part of their keys to the block. A walk over rows in order, stored or temporary,
/// stays in the block used last and looks nothing up. A block without objects serves the next rows
/// that need one.
///
/// Used by the owner's thread only. A cell may hold an object whose deinit has begun on another
/// thread: a look-up then finds no object for its key, see `settle`.
@frozen @usableFromInline
package struct ObjectRegistry<Object: RegisteredObject> {
    /// The registered objects.
    @usableFromInline package internal(set) var count = 0
    /// Where large segments come from and go to.
    @usableFromInline package var pool: RegistrySegmentPool<Object>?
    /// Objects that were released on other threads and may still be in their cells.
    @usableFromInline let departures: Departures<Object>
    /// The keys that the owner wants, of objects that were found to have gone on other threads.
    @usableFromInline package internal(set) var departedKeys: ContiguousArray<ObjectKey> = []
    @usableFromInline var directory = BlockDirectory()
    /// All but the last have no block left.
    @usableFromInline var segments: ContiguousArray<RegistrySegment<Object>>
    /// The blocks of the last segment that were in use at some time: those behind them hold no
    /// values yet.
    @usableFromInline var usedBlocks = 0
    /// Used blocks whose cells are all empty.
    @usableFromInline var freeBlocks: ContiguousArray<Int> = []
    /// The block used last.
    @usableFromInline var last: BlockPlace<Object>
    /// Blocks used lately, by the end of their prefixes: the objects of a walk are often visited
    /// again to be read, and again as they are released.
    @usableFromInline var recent: InlineArray<8, BlockPlace<Object>>
    /// A prefix that has no block, as a search has shown; 0, which never has one, at first.
    @usableFromInline var missing: UInt64 = 0

    /// Makes an empty registry.
    ///
    /// - Parameter departures: Where objects that go on other threads post themselves.
    @inlinable
    package init(_ departures: Departures<Object> = Departures()) {
        self.departures = departures
        let first = RegistrySegment<Object>.make(blocks: 4)
        segments = [first]
        last = BlockPlace(noneIn: first)
        recent = InlineArray(repeating: last)
    }

    /// The object of a key.
    package subscript(key: ObjectKey) -> Object? {
        @inlinable @inline(__always) mutating get {
            guard select(key), let cell = withCell(key, { $0.cells[$1] }) else { return nil }
            // SAFETY: the memory of what a cell holds is there, see `settle`.
            if let object = cell.living { return object }
            settle(cell, key)
            return nil
        }
    }

    /// Calls a body with the object of a key, if there is one, without retaining it.
    ///
    /// Its deinit may be under way on another thread: the body touches plain values only.
    // SAFETY: the memory of what a cell holds is there, see `settle`, and plain values need no
    // more. Where a deinit uses one of them, the class of the objects answers for what the body may
    // write there.
    @inlinable @inline(__always)
    package mutating func withObject(_ key: ObjectKey, _ body: (Object) -> Void) {
        guard select(key) else { return }
        withCell(key) { $0.cells[$1] }?._withUnsafeGuaranteedRef(body)
    }

    /// Adds an object; another one of the same key leaves the owner.
    @inlinable @inline(__always)
    package mutating func insert(_ object: Object, for key: ObjectKey) {
        if !select(key) { addBlock(key.rawValue >> 4) }
        // SAFETY: the object's deinit empties the cell, or posts the object for that, before its
        // memory goes.
        let former = withCell(key) { block, cell in
            let former = block.cells[cell]
            block.cells[cell] = Unmanaged.passUnretained(object)
            if former == nil { block.count &+= 1 }
            return former
        }
        if let former { return replace(former, by: object, key) }
        count &+= 1
    }

    // SAFETY: the former object has been in its cell until now. Its memory is there: what its
    // deinit posts stays until this thread takes it.
    @inlinable @inline(never)
    mutating func replace(_ former: Unmanaged<Object>, by object: Object, _ key: ObjectKey) {
        if former.toOpaque() == Unmanaged.passUnretained(object).toOpaque() { return }
        if let living = former.living {
            living.dismiss()
        } else {
            settle(former, key)
        }
    }

    /// Removes an object, if that takes no look-up and its block keeps other objects: the usual
    /// case of objects that go in the order of their keys.
    ///
    /// - Returns: Whether it was removed; else ``remove(_:for:)`` is to be called.
    @inlinable @inline(__always)
    package mutating func removeAtHand(_ object: Object, for key: ObjectKey) -> Bool {
        guard key.rawValue >> 4 == last.prefix else { return false }
        // SAFETY: an address to compare.
        let address = Unmanaged.passUnretained(object).toOpaque()
        let isOut = withCell(key) { block, cell in
            guard block.count > 1, block.cells[cell]?.toOpaque() == address else { return false }
            block.cells[cell] = nil
            block.count &-= 1
            return true
        }
        if isOut { count &-= 1 }
        return isOut
    }

    /// Removes an object, if it is the one registered under the key.
    @inlinable @inline(__always)
    package mutating func remove(_ object: Object, for key: ObjectKey) {
        // SAFETY: an address to compare.
        _ = remove(Unmanaged.passUnretained(object), for: key)
    }

    /// Empties a cell, if it holds an object; whether it did.
    // SAFETY: an address to compare.
    @inlinable @inline(__always)
    mutating func remove(_ object: Unmanaged<Object>, for key: ObjectKey) -> Bool {
        guard select(key) else { return false }
        let rest = withCell(key) { block, cell in
            guard block.cells[cell]?.toOpaque() == object.toOpaque() else { return -1 }
            block.cells[cell] = nil
            block.count &-= 1
            return block.count
        }
        guard rest >= 0 else { return false }
        count &-= 1
        if rest == 0 { freeLastBlock() }
        return true
    }

    /// Makes room for objects that are about to be registered, some of which may be already.
    @inlinable
    package mutating func reserve(_ objects: Int) {
        let blocks = (objects - count) / 16 + 1
        if blocks > freeBlocks.count { directory.reserve(blocks) }
    }
}
