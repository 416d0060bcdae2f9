// SPDX-License-Identifier: Apache-2.0

import Schema

/// The objects of a context by key, without keeping them alive.
///
/// Sixteen consecutive rows share a block of cells, one pointer each, and a directory leads from
/// the common part of their keys to the block. Whoever goes over rows in order, stored or
/// temporary, stays in the block that was used last and looks nothing up. A block without objects
/// serves the next rows that need one.
struct ObjectRegistry {
    /// The registered objects.
    private(set) var count = 0
    private var directory = BlockDirectory()
    private var cells = Cells.make(blocks: 4)
    private var cellBlocks = 4
    /// The blocks that were in use at some time: those behind them hold no values yet.
    private var usedBlocks = 0
    /// Used blocks whose cells are all empty.
    private var freeBlocks: ContiguousArray<Int> = []
    // The block used last; no key has the prefix 0.
    private var lastPrefix: UInt64 = 0
    private var lastBlock = 0
    private var lastSlot = 0

    /// More empty blocks than this are given back as soon as no object is left.
    private static let keptBlocks = 4_096

    /// Unretained: an object removes itself when it goes, see NSManagedObject.deinit.
    private typealias Cell = Unmanaged<NSManagedObject>?

    // A buffer rather than an array: no check for uniqueness with each object.
    private final class Cells: ManagedBuffer<Void, Cell> {
        static func make(blocks: Int) -> Cells {
            unsafeDowncast(Cells.create(minimumCapacity: blocks * 16) { _ in }, to: Cells.self)
        }
    }

    /// Makes the block of a key the last one; false when there is none.
    @inline(__always)
    private mutating func select(_ key: ObjectKey) -> Bool {
        let prefix = key.rawValue >> 4
        return prefix == lastPrefix || find(prefix)
    }

    @inline(never)
    private mutating func find(_ prefix: UInt64) -> Bool {
        let slot = directory.slot(of: prefix)
        guard let block = directory.block(at: slot) else { return false }
        (lastPrefix, lastBlock, lastSlot) = (prefix, block, slot)
        return true
    }

    @inline(__always)
    private func cell(_ key: ObjectKey) -> Int {
        lastBlock << 4 | Int(truncatingIfNeeded: key.rawValue & 15)
    }

    /// The object of a key.
    subscript(key: ObjectKey) -> NSManagedObject? {
        @inline(__always) mutating get {
            guard select(key) else { return nil }
            let index = cell(key)
            return cells.withUnsafeMutablePointerToElements { $0[index] }?.takeUnretainedValue()
        }
    }

    /// Calls a body with the object of a key, if there is one, without retaining it.
    @inline(__always)
    mutating func withObject(_ key: ObjectKey, _ body: (NSManagedObject) -> Void) {
        guard select(key) else { return }
        let index = cell(key)
        cells.withUnsafeMutablePointerToElements { $0[index] }?._withUnsafeGuaranteedRef(body)
    }

    /// Adds an object, replacing another one of the same key.
    @inline(__always)
    mutating func insert(_ object: NSManagedObject, for key: ObjectKey) {
        if !select(key) { addBlock(key.rawValue >> 4) }
        let index = cell(key)
        let isNew = cells.withUnsafeMutablePointerToElements { cells in
            let isNew = cells[index] == nil
            cells[index] = Unmanaged.passUnretained(object)
            return isNew
        }
        guard isNew else { return }
        count += 1
        directory.changeCount(at: lastSlot, by: 1)
    }

    /// Removes an object, if it is the one registered under the key.
    @inline(__always)
    mutating func remove(_ object: NSManagedObject, for key: ObjectKey) {
        guard select(key) else { return }
        let index = cell(key)
        let isFound = cells.withUnsafeMutablePointerToElements { cells in
            guard cells[index]?.toOpaque() == Unmanaged.passUnretained(object).toOpaque() else {
                return false
            }
            cells[index] = nil
            return true
        }
        guard isFound else { return }
        count -= 1
        if directory.changeCount(at: lastSlot, by: -1) == 0 { freeLastBlock() }
    }

    @inline(never)
    private mutating func addBlock(_ prefix: UInt64) {
        let block = takeBlock()
        lastSlot = directory.add(prefix, block: block)
        (lastPrefix, lastBlock) = (prefix, block)
    }

    private mutating func takeBlock() -> Int {
        if let block = freeBlocks.popLast() { return block }
        if usedBlocks == cellBlocks { grow(to: cellBlocks * 2) }
        let block = usedBlocks
        usedBlocks += 1
        cells.withUnsafeMutablePointerToElements {
            ($0 + block * 16).initialize(repeating: nil, count: 16)
        }
        return block
    }

    private mutating func grow(to blocks: Int) {
        let larger = Cells.make(blocks: blocks)
        let known = usedBlocks * 16
        cells.withUnsafeMutablePointerToElements { old in
            larger.withUnsafeMutablePointerToElements { $0.initialize(from: old, count: known) }
        }
        cells = larger
        cellBlocks = blocks
    }

    @inline(never)
    private mutating func freeLastBlock() {
        if count == 0, cellBlocks > ObjectRegistry.keptBlocks { return removeAll() }
        directory.clear(at: lastSlot)
        freeBlocks.append(lastBlock)
        lastPrefix = 0
    }

    /// Makes room for objects that are about to be registered, some of which may be already.
    mutating func reserve(_ objects: Int) {
        let blocks = (objects - count) / 16 + 1
        guard blocks > freeBlocks.count else { return }
        directory.reserve(blocks)
        lastPrefix = 0
        let needed = usedBlocks - freeBlocks.count + blocks
        if needed > cellBlocks { grow(to: needed) }
    }

    /// Forgets all objects.
    mutating func removeAll() { self = ObjectRegistry() }

    /// Calls a body with each registered object, without retaining it; the body must not change
    /// the registry.
    func forEach(_ body: (NSManagedObject) -> Void) {
        let known = usedBlocks * 16
        cells.withUnsafeMutablePointerToElements { cells in
            for index in 0..<known { cells[index]?._withUnsafeGuaranteedRef(body) }
        }
    }

    /// All registered objects, in no order.
    var objects: [NSManagedObject] {
        var objects: [NSManagedObject] = []
        objects.reserveCapacity(count)
        forEach { objects.append($0) }
        return objects
    }
}
