// SPDX-License-Identifier: Apache-2.0

import Schema

/// The objects of a context by key, without keeping them alive.
///
/// Sixteen consecutive rows share a block of cells, one pointer each, and a directory leads from
/// the common part of their keys to the block. A walk over rows in order, stored or temporary,
/// stays in the block used last and looks nothing up. A block without objects serves the next rows
/// that need one.
///
/// Used by the context's thread only. A cell may hold an object whose deinit has begun on another
/// thread: a look-up then finds no object for its key, see `settle`.
struct ObjectRegistry {
    /// The registered objects.
    private(set) var count = 0
    /// Where large segments come from and go to.
    var pool: RegistrySegmentPool?
    /// Objects that were released on other threads and may still be in their cells.
    let departures: Departures
    /// The keys of objects of further stores that were found to have gone on other threads.
    private(set) var departedElsewhere: ContiguousArray<ObjectKey> = []
    private(set) var directory = BlockDirectory()
    /// All but the last have no block left.
    private var segments: ContiguousArray<RegistrySegment>
    /// The blocks of the last segment that were in use at some time: those behind them hold no
    /// values yet.
    private var usedBlocks = 0
    /// Used blocks whose cells are all empty.
    private(set) var freeBlocks: ContiguousArray<Int> = []
    /// A block and where it is.
    private struct Place {
        var prefix: UInt64
        /// The block's number has its segment and its index there.
        var block: Int
        // SAFETY: it is one of `segments`, which is replaced together with all places. Blocks
        // change too often to count references.
        var segment: Unmanaged<RegistrySegment>

        var index: Int { block & 511 }
    }

    /// The block used last.
    private var last: Place
    /// Blocks used lately, by the end of their prefixes: the objects of a walk are often visited
    /// again to be read, and again as they are released.
    private var recent: InlineArray<8, Place>
    /// A prefix that has no block, as a search has shown; 0, which never has one, at first.
    private var missing: UInt64 = 0
    /// The prefix of no key, not even of that of an object which was never inserted.
    private static let noPrefix = UInt64.max

    /// More segments than this are given back as soon as no object is left.
    private static let keptSegments = 8

    init(_ departures: Departures = Departures()) {
        self.departures = departures
        let first = RegistrySegment.make(blocks: 4)
        segments = [first]
        // SAFETY: `segments` keeps it.
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
        // SAFETY: `segments` keeps it.
        let segment = Unmanaged.passUnretained(segments[block >> 9])
        last = Place(prefix: prefix, block: block, segment: segment)
        recent[Int(prefix & 7)] = last
    }

    /// Calls a body with the block used last and the place of a key in it.
    @inline(__always)
    private func withCell<Result>(
        _ key: ObjectKey, _ body: (inout RegistrySegment.Block, Int) -> Result
    ) -> Result {
        // SAFETY: `segments` keeps it, and no body changes those.
        last.segment._withUnsafeGuaranteedRef {
            $0.withUnsafeMutablePointerToElements {
                body(&$0[last.index], Int(truncatingIfNeeded: key.rawValue & 15))
            }
        }
    }

    /// The object of a key.
    subscript(key: ObjectKey) -> NSManagedObject? {
        @inline(__always) mutating get {
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
    // more. Of them a deinit uses `departingThread` only, in the place of the stamps. It asks
    // whether that is 0, which no stamp of a context makes it.
    @inline(__always)
    mutating func withObject(_ key: ObjectKey, _ body: (NSManagedObject) -> Void) {
        guard select(key) else { return }
        withCell(key) { $0.cells[$1] }?._withUnsafeGuaranteedRef(body)
    }

    /// Adds an object; another one of the same key leaves the context.
    @inline(__always)
    mutating func insert(_ object: NSManagedObject, for key: ObjectKey) {
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
    @inline(never)
    private mutating func replace(
        _ former: Unmanaged<NSManagedObject>, by object: NSManagedObject, _ key: ObjectKey
    ) {
        if former.toOpaque() == Unmanaged.passUnretained(object).toOpaque() { return }
        if let living = former.living {
            ObjectRegistry.dismiss(living)
        } else {
            settle(former, key)
        }
    }

    /// Takes an object out of its context, which cannot find it any more when the context goes.
    private static func dismiss(_ former: NSManagedObject) {
        former.context = nil
        former.draft = nil
        former.flags = []
    }

    /// Removes an object, if it is the one registered under the key.
    @inline(__always)
    mutating func remove(_ object: NSManagedObject, for key: ObjectKey) {
        // SAFETY: an address to compare.
        _ = remove(Unmanaged.passUnretained(object), for: key)
    }

    /// Empties a cell, if it holds an object; whether it did.
    // SAFETY: an address to compare.
    @inline(__always)
    private mutating func remove(
        _ object: Unmanaged<NSManagedObject>, for key: ObjectKey
    ) -> Bool {
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

    @inline(never)
    private mutating func addBlock(_ prefix: UInt64) {
        // Frees the memory of departed objects during long walks outside blocks.
        if !departures.isEmpty { drain() }
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
        if count == 0, segments.count > ObjectRegistry.keptSegments { return clear() }
        directory.remove(last.prefix)
        freeBlocks.append(last.block)
        recent[Int(last.prefix & 7)].prefix = ObjectRegistry.noPrefix
        last.prefix = ObjectRegistry.noPrefix
    }

    /// Empties the cell of an object that has gone on another thread.
    // SAFETY: an address to compare.
    mutating func depart(_ object: Unmanaged<NSManagedObject>, _ key: ObjectKey) {
        if remove(object, for: key), key.isElsewhere { departedElsewhere.append(key) }
    }

    /// The keys of objects that went on other threads, once for their stores to be told.
    mutating func takeDepartedElsewhere() -> ContiguousArray<ObjectKey> {
        defer { departedElsewhere = [] }
        return departedElsewhere
    }

    /// Makes room for objects that are about to be registered, some of which may be already.
    mutating func reserve(_ objects: Int) {
        let blocks = (objects - count) / 16 + 1
        if blocks > freeBlocks.count { directory.reserve(blocks) }
    }

    /// Forgets all objects and takes them out of their context.
    mutating func removeAll() {
        for object in takeAll() where object.contextReference != nil {
            ObjectRegistry.dismiss(object)
        }
    }

    /// Forgets all objects and returns those that are still alive.
    mutating func takeAll() -> [NSManagedObject] {
        let all = objects
        clear()
        return all
    }

    private mutating func clear() {
        pool?.give(segments)
        var cleared = ObjectRegistry(departures)
        cleared.pool = pool
        cleared.departedElsewhere = departedElsewhere
        self = cleared
    }

    /// The numbers of all blocks that were in use at some time.
    var allBlocks: Set<Int> {
        var blocks: Set<Int> = []
        for (index, segment) in segments.enumerated() {
            let used = index == segments.count - 1 ? usedBlocks : segment.blockCount
            for block in 0..<used { blocks.insert(index << 9 | block) }
        }
        return blocks
    }

    /// The objects in a block's cells, and the number that it counts.
    func objectCount(inBlock block: Int) -> (objects: Int, counted: Int) {
        segments[block >> 9].withUnsafeMutablePointerToElements { blocks in
            let cells = (0..<16).count { blocks[block & 511].cells[$0] != nil }
            return (cells, blocks[block & 511].count)
        }
    }

    /// The prefixes with the blocks that look-ups remember.
    var keptPlaces: [(prefix: UInt64, block: Int)] {
        ([last] + recent.indices.map { recent[$0] })
            .filter { $0.prefix != ObjectRegistry.noPrefix }.map { ($0.prefix, $0.block) }
    }

    /// All registered objects, in no order.
    ///
    /// Objects released on other threads meanwhile are not among them and have no cell afterwards.
    var objects: [NSManagedObject] {
        mutating get { objects { _ in true } }
    }

    /// The registered objects that pass a test of their plain values.
    mutating func objects(where isWanted: (NSManagedObject) -> Bool) -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        // SAFETY: the memory of what a cell holds is there, see `settle`; the walk empties none.
        // The key is a plain value.
        var going: [(Unmanaged<NSManagedObject>, ObjectKey)] = []
        objects.reserveCapacity(count)
        for (index, segment) in segments.enumerated() {
            let isLast = index == segments.count - 1
            segment.forEach(inFirst: isLast ? usedBlocks : segment.blockCount) { cell in
                guard cell._withUnsafeGuaranteedRef(isWanted) else { return }
                if let object = cell.living {
                    objects.append(object)
                } else {
                    going.append((cell, cell._withUnsafeGuaranteedRef { $0.key }))
                }
            }
        }
        for (cell, key) in going {
            // It may have been settled together with another one, and its memory freed.
            guard select(key), withCell(key, { $0.cells[$1] })?.toOpaque() == cell.toOpaque()
            else { continue }
            settle(cell, key)
        }
        return objects
    }
}
