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
    /// Where large segments come from and go to.
    var pool: RegistrySegmentPool?
    private var directory = BlockDirectory()
    /// All but the last have no block left.
    private var segments: ContiguousArray<RegistrySegment>
    /// The blocks of the last segment that were in use at some time: those behind them hold no
    /// values yet.
    private var usedBlocks = 0
    /// Used blocks whose cells are all empty.
    private var freeBlocks: ContiguousArray<Int> = []
    /// A block and where it is.
    private struct Place {
        var prefix: UInt64
        /// The block's number has its segment and its index there.
        var block: Int
        // Unretained: it is one of the segments, and blocks change too often to count references.
        var segment: Unmanaged<RegistrySegment>

        var index: Int { block & 511 }
    }

    /// The block used last.
    private var last: Place
    /// Blocks used lately, by the end of their prefixes: who walks over a few objects goes over
    /// them again to read them and again as they go.
    private var recent: InlineArray<8, Place>
    /// A prefix that has no block, as a search has shown; 0, which never has one, at first.
    private var missing: UInt64 = 0
    /// The prefix of no key, not even of that of an object which was never inserted.
    private static let noPrefix = UInt64.max

    /// More segments than this are given back as soon as no object is left.
    private static let keptSegments = 8

    init() {
        let first = RegistrySegment.make(blocks: 4)
        segments = [first]
        last = Place(
            prefix: ObjectRegistry.noPrefix, block: 0, segment: Unmanaged.passUnretained(first))
        recent = InlineArray(repeating: last)
    }

    /// Makes the block of a key the last one; false when there is none.
    @inline(__always)
    private mutating func select(_ key: ObjectKey) -> Bool {
        let prefix = key.rawValue >> 4
        return prefix == last.prefix || find(prefix)
    }

    @inline(never)
    private mutating func find(_ prefix: UInt64) -> Bool {
        let known = recent[Int(prefix & 7)]
        if known.prefix == prefix {
            last = known
            return true
        }
        if prefix == missing { return false }
        let block = directory.block(of: prefix)
        guard block >= 0 else {
            missing = prefix
            return false
        }
        use(block, of: prefix)
        return true
    }

    private mutating func use(_ block: Int, of prefix: UInt64) {
        let segment = Unmanaged.passUnretained(segments[block >> 9])
        last = Place(prefix: prefix, block: block, segment: segment)
        recent[Int(prefix & 7)] = last
    }

    /// Calls a body with the block used last and the place of a key in it.
    @inline(__always)
    private func withCell<Result>(
        _ key: ObjectKey, _ body: (inout RegistrySegment.Block, Int) -> Result
    ) -> Result {
        last.segment._withUnsafeGuaranteedRef {
            $0.withUnsafeMutablePointerToElements {
                body(&$0[last.index], Int(truncatingIfNeeded: key.rawValue & 15))
            }
        }
    }

    /// The object of a key.
    subscript(key: ObjectKey) -> NSManagedObject? {
        @inline(__always) mutating get {
            guard select(key) else { return nil }
            return withCell(key) { $0.cells[$1] }?.takeUnretainedValue()
        }
    }

    /// Calls a body with the object of a key, if there is one, without retaining it.
    @inline(__always)
    mutating func withObject(_ key: ObjectKey, _ body: (NSManagedObject) -> Void) {
        guard select(key) else { return }
        withCell(key) { $0.cells[$1] }?._withUnsafeGuaranteedRef(body)
    }

    /// Adds an object; another one of the same key leaves the context.
    @inline(__always)
    mutating func insert(_ object: NSManagedObject, for key: ObjectKey) {
        if !select(key) { addBlock(key.rawValue >> 4) }
        let former = withCell(key) { block, cell in
            let former = block.cells[cell]
            block.cells[cell] = Unmanaged.passUnretained(object)
            if former == nil { block.count &+= 1 }
            return former
        }
        if let former { return ObjectRegistry.dismiss(former, unless: object) }
        count &+= 1
    }

    /// Takes an object out of its context, which cannot find it any more when the context goes.
    @inline(never)
    private static func dismiss(
        _ former: Unmanaged<NSManagedObject>, unless object: NSManagedObject
    ) {
        let former = former.takeUnretainedValue()
        guard former !== object else { return }
        former.context = nil
        former.draft = nil
        former.flags = []
    }

    /// Removes an object, if it is the one registered under the key.
    @inline(__always)
    mutating func remove(_ object: NSManagedObject, for key: ObjectKey) {
        guard select(key) else { return }
        let rest = withCell(key) { block, cell in
            guard block.cells[cell]?.toOpaque() == Unmanaged.passUnretained(object).toOpaque()
            else { return -1 }
            block.cells[cell] = nil
            block.count &-= 1
            return block.count
        }
        guard rest >= 0 else { return }
        count &-= 1
        if rest == 0 { freeLastBlock() }
    }

    @inline(never)
    private mutating func addBlock(_ prefix: UInt64) {
        let block = takeBlock()
        directory.add(prefix, block: block)
        missing = 0
        use(block, of: prefix)
    }

    private mutating func takeBlock() -> Int {
        if let block = freeBlocks.popLast() { return block }
        var segment = segments[segments.count - 1]
        if usedBlocks == segment.blockCount {
            segment = makeSegment()
            segments.append(segment)
            usedBlocks = 0
        }
        defer { usedBlocks += 1 }
        segment.withUnsafeMutablePointerToElements {
            ($0 + usedBlocks).initialize(to: RegistrySegment.Block())
        }
        return (segments.count - 1) << 9 | usedBlocks
    }

    private func makeSegment() -> RegistrySegment {
        if segments.count == 1 { return RegistrySegment.make(blocks: 60) }
        return pool?.take() ?? RegistrySegment.make(blocks: RegistrySegment.fullSize)
    }

    @inline(never)
    private mutating func freeLastBlock() {
        if count == 0, segments.count > ObjectRegistry.keptSegments { return removeAll() }
        directory.remove(last.prefix)
        freeBlocks.append(last.block)
        recent[Int(last.prefix & 7)].prefix = ObjectRegistry.noPrefix
        last.prefix = ObjectRegistry.noPrefix
    }

    /// Makes room for objects that are about to be registered, some of which may be already.
    mutating func reserve(_ objects: Int) {
        let blocks = (objects - count) / 16 + 1
        if blocks > freeBlocks.count { directory.reserve(blocks) }
    }

    /// Forgets all objects.
    mutating func removeAll() {
        pool?.give(segments)
        let pool = self.pool
        self = ObjectRegistry()
        self.pool = pool
    }

    /// Calls a body with each registered object, without retaining it; the body must not change
    /// the registry.
    func forEach(_ body: (NSManagedObject) -> Void) {
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            segment.forEach(inFirst: isLast ? usedBlocks : segment.blockCount, body)
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
