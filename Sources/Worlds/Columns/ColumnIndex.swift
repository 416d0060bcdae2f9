// SPDX-License-Identifier: Apache-2.0

/// The columns of a world by their Swift types: a small hash table of addresses of types.
///
/// The world owns the columns; the table counts no references, see ``ColumnHead``. A type has one
/// cell in which it is found at once. The few whose cell is taken, and those whose column does not
/// have the layout that follows from their size alone, are looked for one by one.
@frozen
@usableFromInline
struct ColumnIndex {
    @frozen
    @usableFromInline
    struct Cell {
        /// The address of the type; 0 for a free cell.
        @usableFromInline var key: UInt
        // SAFETY: a world never gives a column up, and the table lives in the world.
        @usableFromInline var head: UnsafeMutablePointer<ColumnHead>?

        init(_ key: UInt, _ head: UnsafeMutablePointer<ColumnHead>?) {
            self.key = key
            self.head = head
        }
    }

    /// A power of two, and a constant, as a look-up that loaded it would be slower.
    @inlinable static var cellCount: Int { 256 }
    @usableFromInline let cells: UnsafeMutablePointer<Cell>
    private var others = UnsafeMutableBufferPointer<Cell>(start: nil, count: 0)

    init() {
        cells = .allocate(capacity: ColumnIndex.cellCount)
        cells.initialize(repeating: Cell(0, nil), count: ColumnIndex.cellCount)
    }

    func deallocate() {
        cells.deallocate()
        others.deallocate()
    }

    @inlinable @inline(__always)
    static func key(_ type: any Any.Type) -> UInt { UInt(bitPattern: ObjectIdentifier(type)) }

    @inlinable @inline(__always)
    static func cell(_ key: UInt) -> Int {
        Int(truncatingIfNeeded: (key &>> 3) ^ (key &>> 9)) & (cellCount &- 1)
    }

    /// The cell of a type; it has a column of the type's usual layout if it has the type's key.
    @inlinable @inline(__always)
    subscript(key: UInt) -> UnsafeMutablePointer<Cell> { cells + ColumnIndex.cell(key) }

    /// The head of a type's column, of whatever layout; nil for a type without a column.
    @usableFromInline @inline(never)
    func find(_ type: any Any.Type) -> UnsafeMutablePointer<ColumnHead>? {
        let key = ColumnIndex.key(type)
        if self[key].pointee.key == key { return self[key].pointee.head }
        return others.first { $0.key == key }?.head
    }

    mutating func add(_ column: Column, for type: any Any.Type) {
        let key = ColumnIndex.key(type)
        let layout = UsualLayout(stride: column.layout.stride)
        if self[key].pointee.key == 0, layout.is(column.layout) {
            self[key].pointee = Cell(key, column.head)
        } else {
            addToOthers(Cell(key, column.head))
        }
    }

    private mutating func addToOthers(_ cell: Cell) {
        let more = UnsafeMutableBufferPointer<Cell>.allocate(capacity: others.count + 1)
        for (place, other) in others.enumerated() { more.initializeElement(at: place, to: other) }
        more.initializeElement(at: others.count, to: cell)
        others.deallocate()
        others = more
    }
}
