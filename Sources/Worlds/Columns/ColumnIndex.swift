// SPDX-License-Identifier: Apache-2.0

import Traps

/// The columns of a world by their Swift types: a small hash table of addresses of types.
///
/// The world owns the columns; the table counts no references, see ``ColumnHead``.
@frozen
@usableFromInline
struct ColumnIndex {
    @frozen
    @usableFromInline
    struct Cell {
        /// The address of the type; 0 for a free cell.
        @usableFromInline var key: UInt
        @usableFromInline var head: UnsafeMutablePointer<ColumnHead>?
        // SAFETY: a world never gives a column up, and the table lives in the world.
        @usableFromInline var column: Unmanaged<Column>?

        @inlinable
        init(_ key: UInt, _ column: Column?) {
            self.key = key
            head = column?.head
            // SAFETY: a world never gives a column up, and the table lives in the world.
            self.column = column.map { Unmanaged.passUnretained($0) }
        }
    }

    /// A power of two of cells, half of them free.
    @usableFromInline var cells: UnsafeMutablePointer<Cell>
    @usableFromInline var mask = 15
    private var count = 0

    init() { cells = ColumnIndex.allocate(16) }

    private static func allocate(_ count: Int) -> UnsafeMutablePointer<Cell> {
        let cells = UnsafeMutablePointer<Cell>.allocate(capacity: count)
        cells.initialize(repeating: Cell(0, nil), count: count)
        return cells
    }

    func deallocate() { cells.deallocate() }

    @inlinable @inline(__always)
    static func key(_ type: any Any.Type) -> UInt { UInt(bitPattern: ObjectIdentifier(type)) }

    @inlinable @inline(__always)
    static func cell(_ key: UInt, _ mask: Int) -> Int {
        Int(truncatingIfNeeded: (key &>> 3) ^ (key &>> 9)) & mask
    }

    /// The cell of a type; nil for a type without a column.
    @inlinable @inline(__always)
    subscript(type: any Any.Type) -> UnsafeMutablePointer<Cell>? {
        let key = ColumnIndex.key(type)
        var cell = ColumnIndex.cell(key, mask)
        while cells[cell].key != 0 {
            if cells[cell].key == key { return cells + cell }
            cell = (cell &+ 1) & mask
        }
        return nil
    }

    mutating func add(_ column: Column, for type: any Any.Type) {
        if count * 2 >= mask { rehash() }
        place(Cell(ColumnIndex.key(type), column))
        count += 1
    }

    private mutating func place(_ new: Cell) {
        var cell = ColumnIndex.cell(new.key, mask)
        while cells[cell].key != 0 { cell = (cell + 1) & mask }
        cells[cell] = new
    }

    private mutating func rehash() {
        let old = cells
        let oldCount = mask + 1
        cells = ColumnIndex.allocate(oldCount * 2)
        mask = oldCount * 2 - 1
        for cell in 0..<oldCount where old[cell].key != 0 { place(old[cell]) }
        old.deallocate()
    }
}
