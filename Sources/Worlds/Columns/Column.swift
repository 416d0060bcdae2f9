// SPDX-License-Identifier: Apache-2.0

import Traps

/// The values of one component type, in chunks by the rows of their game objects.
///
/// A column does not know its Swift type: a file may have columns of types that the program has
/// not named yet. Typed access is generic in its callers, which have compared the types once.
@usableFromInline
package final class Column {
    /// What the values are.
    ///
    /// The rules of a relationship are those of the Swift type, once the world has met it.
    @usableFromInline package internal(set) var type: ComponentType
    @usableFromInline package let layout: ChunkLayout
    /// The chunks, in memory of its own, so that look-ups need no reference to the column.
    @usableFromInline let head: UnsafeMutablePointer<ColumnHead>
    /// The place among the columns of the world.
    @usableFromInline let index: Int
    /// Whether changed chunks keep what they were, as a save compares them.
    let keepsBase: Bool
    /// The bytes of a value that say nothing; nil where all do, and until the world meets the
    /// Swift type.
    var gaps: ValueGaps?
    /// The links of each game object; nil for a column of components.
    @usableFromInline let links: LinkTable?
    /// What keys stand for; nil for a column of plain values.
    @usableFromInline package let contents: ContentPool?

    /// Told when the first chunk comes to differ from the file.
    private let note: ChangeNote?

    private var capacity = 0
    /// A bit for each chunk that has or had something since it was empty for good.
    ///
    /// Rows are never used again, so that most chunks of a world in which game objects come and go
    /// are empty ones in front of the others: loops skip them.
    // SAFETY: as `count`, below.
    @exclusivity(unchecked) private var used: ContiguousArray<UInt64> = []
    // SAFETY: one thread at a time changes a column, see `World`, and no access calls code of the
    // program before it is over.
    /// The rows with a value.
    @exclusivity(unchecked) @usableFromInline package var count = 0
    /// Counts up whenever a row gets or loses a value.
    @exclusivity(unchecked) @usableFromInline var presenceVersion: UInt64 = 0
    /// The chunks that may differ from the file.
    @exclusivity(unchecked) package var dirtyCount = 0
    /// How many running loops read values in place.
    @exclusivity(unchecked) @usableFromInline var readers = 0
    /// The values that were removed since the last but one advance of the world.
    @exclusivity(unchecked) @usableFromInline var removals: RemovalLog

    init(
        _ type: ComponentType, index: Int, keepsBase: Bool, note: ChangeNote? = nil
    ) {
        self.note = note
        self.type = type
        self.index = index
        self.keepsBase = keepsBase
        layout = type.layout
        head = .allocate(capacity: 1)
        head.initialize(to: ColumnHead(layout))
        removals = RemovalLog(stride: type.stride)
        contents = type.isCoded ? ContentPool() : nil
        links = type.kind.rules.map { LinkTable(isExclusive: $0.isExclusive) }
        // SAFETY: the head goes with the column.
        head.pointee.column = Unmanaged.passUnretained(self)
    }

    deinit {
        for slot in 0..<slotCount { free(slot) }
        slots.deallocate()
        head.deallocate()
        removals.deallocate()
    }

    /// The chunks from row 0 on, also those without a value.
    @inlinable var slots: UnsafeMutablePointer<Chunk> {
        @inline(__always) get { head.pointee.slots }
    }

    /// The number of chunks.
    @inlinable package var slotCount: Int {
        @inline(__always) get { head.pointee.slotCount }
    }

    // MARK: Look-up

    /// The place of a row's value; nil for a row without one.
    @inlinable @inline(__always)
    func place(of row: Int) -> UnsafeMutableRawPointer? { head.pointee.place(of: row) }

    /// Whether a row has a value.
    @inlinable @inline(__always)
    func has(_ row: Int) -> Bool { place(of: row) != nil }

    // MARK: Writing

    /// Makes a chunk ready for changes: it is in memory, and its former bytes wait for the save.
    @inlinable @inline(__always)
    func prepareToWrite(_ slot: Int) {
        if slot >= slotCount || !slots[slot].isDirty { startWriting(slot) }
    }

    @usableFromInline @inline(never)
    func startWriting(_ slot: Int) {
        use(slot)
        if slots[slot].bytes == nil {
            slots[slot].bytes = Column.allocate(layout.size)
        } else if slots[slot].isMapped {
            copyFromMap(slot)
        } else if keepsBase, slots[slot].base == nil, let bytes = slots[slot].bytes {
            slots[slot].base = Column.copy(bytes, layout.size)
        }
        if !slots[slot].isDirty {
            dirtyCount += 1
            if dirtyCount == 1 { note?.tell() }
        }
        slots[slot].isDirty = true
    }

    /// Gives a row a place for its value; it must not have one.
    ///
    /// - Returns: Where the caller puts the value, at once.
    @inlinable @inline(__always)
    func insert(_ row: Int, _ tick: UInt64) -> UnsafeMutableRawPointer {
        let slot = row &>> layout.shift
        prepareToWrite(slot)
        let local = row & head.pointee.rowMask
        let word = local &>> 6
        let bit: UInt64 = 1 &<< UInt64(local & 63)
        let chunk = slots + slot
        // SAFETY: a chunk that is ready for changes has memory.
        let bytes = unsafe chunk.pointee.bytes.unsafelyUnwrapped
        let presence = unsafe chunk.pointee.presence.unsafelyUnwrapped
        presence[word] |= bit
        presenceVersion &+= 1
        chunk.pointee.count &+= 1
        count &+= 1
        chunk.pointee.added.mark(word, bit, tick, layout)
        return bytes + (layout.valuesOffset &+ local &* layout.stride)
    }

    /// The place of a row's value, which the caller is about to change; nil for a row without one.
    @inlinable @inline(__always)
    func placeToWrite(_ row: Int, _ tick: UInt64) -> UnsafeMutableRawPointer? {
        guard has(row) else { return nil }
        let slot = row &>> layout.shift
        // Which may give the chunk another place.
        prepareToWrite(slot)
        let local = row & head.pointee.rowMask
        slots[slot].changed.mark(local &>> 6, 1 &<< UInt64(local & 63), tick, layout)
        // SAFETY: a chunk that is ready for changes has memory.
        let bytes = unsafe slots[slot].bytes.unsafelyUnwrapped
        return bytes + (layout.valuesOffset &+ local &* layout.stride)
    }

    /// Takes a row's value away.
    ///
    /// - Returns: Whether it had one.
    @usableFromInline
    @discardableResult
    package func remove(_ row: Int, _ tick: UInt64) -> Bool {
        remove(row, tick, stride: layout.stride)
    }

    /// Takes a row's value away whose type the caller knows, and with it the number of its bytes.
    @inlinable
    func remove<C: StoredComponent>(_ row: Int, _ tick: UInt64, _ type: C.Type) -> Bool {
        remove(row, tick, stride: MemoryLayout<C>.size == 0 ? 0 : MemoryLayout<C>.stride)
    }

    @inlinable @inline(__always)
    func remove(_ row: Int, _ tick: UInt64, stride: Int) -> Bool {
        guard let place = place(of: row) else { return false }
        removals.append(row, tick, place, stride)
        erase(row, stride)
        return true
    }

    /// Takes a row's value away without a note; the row has one.
    @inlinable @inline(__always)
    func erase(_ row: Int, _ stride: Int) {
        let slot = row &>> layout.shift
        prepareToWrite(slot)
        let local = row & head.pointee.rowMask
        let bit: UInt64 = 1 &<< UInt64(local & 63)
        guard let bytes = slots[slot].bytes, let presence = slots[slot].presence else { return }
        if links != nil { removeLinks(of: row) }
        presence[local &>> 6] &= ~bit
        presenceVersion &+= 1
        // The bytes of a chunk are those of its values alone, so that equal chunks are equal.
        (bytes + (layout.valuesOffset &+ local &* stride))
            .initializeMemory(as: UInt8.self, repeating: 0, count: stride)
        slots[slot].count &-= 1
        count &-= 1
        slots[slot].added.forget(local &>> 6, bit)
        slots[slot].changed.forget(local &>> 6, bit)
        if slots[slot].count == 0 { freeUnlessStored(slot) }
    }

    // MARK: Memory

    /// Makes room for a chunk that is about to have something.
    func use(_ slot: Int) {
        if slot >= slotCount { grow(to: slot + 1) }
        used[slot >> 6] |= 1 << UInt64(slot & 63)
    }

    /// The first chunk from one on that may have something; ``slotCount`` for none.
    @usableFromInline
    func nextUsed(from slot: Int) -> Int {
        var word = slot >> 6
        guard word < used.count else { return slotCount }
        var bits = used[word] & ~0 << UInt64(slot & 63)
        while bits == 0 {
            word += 1
            guard word < used.count else { return slotCount }
            bits = used[word]
        }
        return word << 6 | bits.trailingZeroBitCount
    }

    /// The chunks that may have something, ascending; none of them may be emptied meanwhile.
    package var usedSlots: some Sequence<Int> {
        sequence(state: 0) { [self] next -> Int? in
            let slot = nextUsed(from: next)
            next = slot + 1
            return slot < slotCount ? slot : nil
        }
    }

    /// Makes room for chunks up to a number.
    private func grow(to count: Int) {
        if count > capacity {
            let wanted = max(count, capacity * 2, 8)
            let larger = UnsafeMutablePointer<Chunk>.allocate(capacity: wanted)
            larger.moveInitialize(from: slots, count: slotCount)
            slots.deallocate()
            head.pointee.slots = larger
            capacity = wanted
        }
        (slots + slotCount).initialize(repeating: Chunk(), count: count - slotCount)
        used += repeatElement(0, count: (count + 63) >> 6 - used.count)
        head.pointee.slotCount = count
    }

    @usableFromInline @inline(never)
    func removeLinks(of row: Int) { links?.remove(row, ends(of: row)) }

    @usableFromInline @inline(never)
    func freeUnlessStored(_ slot: Int) {
        if !keepsBase { free(slot) }
    }

    /// Empties a slot.
    func free(_ slot: Int) {
        if slots[slot].isDirty { dirtyCount -= 1 }
        dropBytes(slot)
        dropBase(slot)
        slots[slot].changed.deallocate()
        slots[slot].added.deallocate()
        slots[slot] = Chunk()
        used[slot >> 6] &= ~(1 << UInt64(slot & 63))
    }

    /// Memory for a chunk, zeros all over, whose values are aligned to 64 bytes.
    static func allocate(_ size: Int) -> UnsafeMutableRawPointer {
        let memory = reserve(size)
        memory.initializeMemory(as: UInt8.self, repeating: 0, count: size)
        return memory
    }

    /// A copy of the bytes of a chunk.
    static func copy(_ bytes: UnsafeRawPointer, _ size: Int) -> UnsafeMutableRawPointer {
        let memory = reserve(size)
        memory.copyMemory(from: bytes, byteCount: size)
        return memory
    }

    /// Memory whose values are aligned as in a file: the header and the bits of a chunk have 16
    /// bytes less than a multiple of 64.
    private static func reserve(_ size: Int) -> UnsafeMutableRawPointer {
        UnsafeMutableRawPointer.allocate(byteCount: size + 16, alignment: 64) + 16
    }

    static func deallocate(_ bytes: UnsafeMutableRawPointer?) {
        if let bytes { (bytes - 16).deallocate() }
    }
}
