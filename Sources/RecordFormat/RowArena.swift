// SPDX-License-Identifier: Apache-2.0

import Schema
import Traps

/// New records, encoded one after the other into large blocks: a record costs no allocation and is
/// not copied.
///
/// Rows are appended, the arena is sealed, then a ``RowReader`` reads it.
package struct RowArena: ~Copyable {
    /// Before each record lies its size.
    static let prefixByteCount = 8

    // Pointers, as arrays would be retained with each row.
    let fields: UnsafeMutableBufferPointer<RecordLayout.Field>
    let defaults: UnsafeMutableBufferPointer<Value?>
    /// Whether the defaults may be copied as bytes, as none of them refers to anything.
    let defaultsArePlain: Bool
    let layoutNumber: UInt16
    let isNarrow: Bool
    let fixedByteCount: Int
    private let memory: any RowMemory.Type
    private(set) var blocks: [RowBlock] = []
    /// The block that comes next, where it is known already.
    private var spare: RowBlock?
    /// Where the next row, prefix included, begins.
    var next: UnsafeMutableRawPointer
    /// The bytes behind `next` in its block, a multiple of eight.
    var room: Int
    /// The size of the record under way.
    var byteCount = 0
    private var unsummed = RowQuartet()
    /// The number of rows.
    package private(set) var count = 0
    /// The values that belong outside their records, by row.
    package internal(set) var externalValues: [Int: [ExternalValue]] = [:]

    /// Makes an arena without rows.
    ///
    /// - Parameters:
    ///   - layout: The layout of all records.
    ///   - defaults: The values that drafts get back, one for each of their fields.
    ///   - memory: Where blocks are from.
    package init(
        layout: RecordLayout, defaults: ContiguousArray<Value>, memory: any RowMemory.Type
    ) {
        require(
            defaults.count >= layout.fields.count,
            "\(defaults.count) defaults for \(layout.fields.count) fields")
        fields = .allocate(capacity: layout.fields.count)
        _ = fields.initialize(from: layout.fields)
        self.defaults = .allocate(capacity: defaults.count)
        _ = self.defaults.initialize(from: defaults.map { $0 })
        defaultsArePlain = defaults.allSatisfy(\.isPlain)
        layoutNumber = layout.number
        isNarrow = layout.isNarrow
        fixedByteCount = layout.fixedByteCount
        self.memory = memory
        let block = RowBlock(0, atLeast: fixedByteCount + RowArena.prefixByteCount, memory)
        blocks = [block]
        next = block.start
        room = block.byteCount
    }

    deinit {
        defaults.deinitialize()
        defaults.deallocate()
        fields.deallocate()
    }

    /// Appends the values of a draft as a record of version 1 and gives the draft the defaults.
    ///
    /// - Parameter draft: A draft of as many fields as there are defaults, each with a value.
    package mutating func append(_ draft: RecordDraft) {
        byteCount = fixedByteCount
        if room < byteCount + RowArena.prefixByteCount { addBlock(for: byteCount, moving: 0) }
        encode(draft)
        next.storeBytes(of: UInt64(byteCount), as: UInt64.self)
        unsummed.append(next + RowArena.prefixByteCount, byteCount)
        let whole = RowArena.prefixByteCount + (byteCount + 7) & ~7
        next += whole
        room -= whole
        count += 1
    }

    /// Computes the checksums that are due; nothing is appended from now on.
    package mutating func seal() {
        unsummed.computeAll()
        blocks[blocks.count - 1].end = next
    }

    /// Begins a block with room for a record, and moves the first bytes of the one under way to it.
    @inline(never)
    mutating func addBlock(for byteCount: Int, moving started: Int) {
        let needed = byteCount + RowArena.prefixByteCount
        var block: RowBlock
        if let spare, needed <= spare.byteCount {
            block = spare
            self.spare = nil
        } else {
            block = RowBlock(blocks.count, atLeast: needed, memory)
        }
        if block.isLarge, spare == nil {
            spare = RowBlock(blocks.count + 1, atLeast: 0, memory)
            spare?.memory.prepare()
        }
        (block.start + RowArena.prefixByteCount).copyMemory(
            from: next + RowArena.prefixByteCount, byteCount: started)
        blocks[blocks.count - 1].end = next
        block.end = block.start
        blocks.append(block)
        next = block.start
        room = block.byteCount
    }
}

/// Reads the rows of a sealed arena, which has to stay meanwhile, in the order of appending.
package struct RowReader {
    private let blocks: [RowBlock]
    private var block = 0
    private var next: UnsafeMutableRawPointer

    package init(_ arena: borrowing RowArena) {
        blocks = arena.blocks
        next = blocks[0].start
    }

    /// The next record, valid as long as the arena; nil behind the last.
    package mutating func read() -> UnsafeRawBufferPointer? {
        while next == blocks[block].end {
            guard block + 1 < blocks.count else { return nil }
            block += 1
            next = blocks[block].start
        }
        let byteCount = Int(next.load(as: UInt64.self))
        let record = next + RowArena.prefixByteCount
        next = record + (byteCount + 7) & ~7
        return UnsafeRawBufferPointer(start: record, count: byteCount)
    }
}

extension Value {
    /// Whether the value refers to nothing outside itself.
    fileprivate var isPlain: Bool {
        switch self {
        case .string, .uri, .binaryData, .transformable, .decimal: false
        default: true
        }
    }
}
