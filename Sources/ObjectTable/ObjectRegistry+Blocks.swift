// SPDX-License-Identifier: Apache-2.0

import Schema

/// A block of a registry and where it is.
@frozen @usableFromInline
struct BlockPlace<Object: AnyObject> {
    @usableFromInline var prefix: UInt64
    /// The block's number has its segment and its index there.
    @usableFromInline var block: Int
    // SAFETY: it is in a segment of the registry, whose memory does not move, and which is replaced
    // together with all places. Blocks change too often to count references, and finding the
    // memory from the segment took a third of a look-up.
    @usableFromInline var memory: UnsafeMutablePointer<RegistryBlock<Object>>

    @inlinable @inline(__always)
    init(_ prefix: UInt64, _ block: Int, _ segment: RegistrySegment<Object>) {
        self.prefix = prefix
        self.block = block
        // SAFETY: see above.
        memory = segment.withUnsafeMutablePointerToElements { $0 + (block & 511) }
    }

    /// The place of no prefix.
    @inlinable
    init(noneIn segment: RegistrySegment<Object>) { self.init(Self.noPrefix, 0, segment) }

    /// The prefix of no key, not even of that of an object which was never inserted.
    @inlinable static var noPrefix: UInt64 { .max }
}

/// How a registry finds the block of a key, makes one and has it serve other rows.
extension ObjectRegistry {
    /// More segments than this are given back as soon as no object is left.
    @inlinable static var keptSegments: Int { 8 }

    /// Makes the block of a key the last one; false when there is none.
    @inlinable @inline(__always)
    mutating func select(_ key: ObjectKey) -> Bool {
        let prefix = key.rawValue >> 4
        return prefix == last.prefix || find(prefix)
    }

    @inlinable @inline(never)
    mutating func find(_ prefix: UInt64) -> Bool {
        let known = recent[Int(prefix & 7)]
        if known.prefix == prefix {
            last = known
            return true
        }
        if prefix == missing { return false }
        directory.prefetch(besides: prefix)
        let block = directory.block(of: prefix)
        guard block >= 0 else {
            missing = prefix
            return false
        }
        use(block, of: prefix)
        return true
    }

    @inlinable @inline(__always)
    mutating func use(_ block: Int, of prefix: UInt64) {
        last = BlockPlace(prefix, block, segments[block >> 9])
        recent[Int(prefix & 7)] = last
    }

    /// Calls a body with the block used last and the place of a key in it.
    @inlinable @inline(__always)
    func withCell<Result>(
        _ key: ObjectKey, _ body: (inout RegistryBlock<Object>, Int) -> Result
    ) -> Result {
        // SAFETY: `segments` keeps it, and no body changes those.
        body(&last.memory.pointee, Int(truncatingIfNeeded: key.rawValue & 15))
    }

    @inlinable @inline(never)
    mutating func addBlock(_ prefix: UInt64) {
        // Frees the memory of departed objects during long walks outside blocks.
        if !departures.isEmpty { drain() }
        let block = takeBlock()
        directory.add(prefix, block: block)
        missing = 0
        use(block, of: prefix)
    }

    @inlinable
    mutating func takeBlock() -> Int {
        if let block = freeBlocks.popLast() { return block }
        var segment = segments[segments.count - 1]
        if usedBlocks == segment.blockCount {
            segment = makeSegment()
            segments.append(segment)
            usedBlocks = 0
        }
        defer { usedBlocks += 1 }
        segment.withUnsafeMutablePointerToElements {
            ($0 + usedBlocks).initialize(to: RegistryBlock())
        }
        return (segments.count - 1) << 9 | usedBlocks
    }

    @inlinable
    func makeSegment() -> RegistrySegment<Object> {
        if segments.count == 1 { return .make(blocks: 60) }
        return pool?.take() ?? .make(blocks: RegistrySegment<Object>.fullSize)
    }

    @inlinable @inline(never)
    mutating func freeLastBlock() {
        if count == 0, segments.count > ObjectRegistry.keptSegments { return clear() }
        directory.remove(last.prefix)
        freeBlocks.append(last.block)
        recent[Int(last.prefix & 7)].prefix = BlockPlace<Object>.noPrefix
        last.prefix = BlockPlace<Object>.noPrefix
    }

    @inlinable
    mutating func clear() {
        pool?.give(segments)
        var cleared = ObjectRegistry(departures)
        cleared.pool = pool
        cleared.departedKeys = departedKeys
        self = cleared
    }
}
