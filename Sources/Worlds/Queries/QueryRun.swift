// SPDX-License-Identifier: Apache-2.0

import Traps

/// One run of a query: it goes over the world in blocks of rows that lie in one chunk of every
/// column, and finds the rows of each that match.
@usableFromInline
final class QueryRun {
    let world: World
    let terms: [TermColumn]
    let filters: QueryFilters
    private let access: SystemAccess?
    private let marksChanges: Bool
    /// The columns whose values the loop changes.
    let writtenColumns: [Column]
    /// The columns whose readers the run counts.
    private let countedColumns: [Column]
    /// Whether a row that matches does so until the run ends.
    let isSteady: Bool
    /// The columns that every match has, the rarest first.
    let required: [Column]
    /// The rows that filters name one by one.
    private let sets: [RowSet]
    /// The binary logarithm of the rows of a block.
    let shift: Int
    let blocks: Int
    var block = -1
    /// The block that a ``RowCursor`` has found the values of.
    var placedBlock = -1
    /// The blocks without a match: those that an earlier run has kept, or those found so far.
    private(set) var misses = BlockMisses()
    /// Whether `misses` are of an earlier run.
    private(set) var knowsMisses = false
    /// What a ``RowCursor`` looks rows up by.
    var heads: Heads?
    /// What a ``QueryChunk`` has lent of each term: the number of readers, or -1 to change it;
    /// empty until there is a loan.
    var loans: [Int] = []
    /// Whether nothing else may write to the columns whose values the loop changes.
    var lendsWritten = false

    /// Where each term's values are in the block.
    @usableFromInline let places: UnsafeMutablePointer<TermPlace>
    /// The matching rows of the block.
    @usableFromInline let masks: UnsafeMutablePointer<UInt64>
    /// The words of `masks`.
    @usableFromInline let words: Int

    @usableFromInline
    init(_ shape: QueryShape, marksChanges: Bool = true) {
        world = shape.world
        terms = shape.terms
        filters = shape.filters
        access = shape.access
        self.marksChanges = marksChanges
        writtenColumns = marksChanges ? terms.compactMap { $0.isWritten ? $0.column : nil } : []
        countedColumns = QueryRun.countedColumns(shape)
        // No row gets or loses a value meanwhile, but values may be set.
        isSteady = filters.added.isEmpty && filters.changed.isEmpty
        required = QueryRun.required(shape)
        let since = shape.filters.since ?? shape.world.lastAdvance
        sets = shape.filters.rows.map { $0.set(in: shape.world, since: since) }
        var shift = required[0].layout.shift
        for column in required { shift = min(shift, column.layout.shift) }
        for term in terms { shift = min(shift, term.column?.layout.shift ?? shift) }
        filters.forEachColumn { shift = min(shift, $0.layout.shift) }
        self.shift = shift
        var blocks = Int.max
        for column in required {
            blocks = min(blocks, column.slotCount << (column.layout.shift - shift))
        }
        self.blocks = blocks
        words = 1 << (shift - 6)
        places = .allocate(capacity: terms.count)
        places.initialize(repeating: TermPlace(nil, nil, 0), count: terms.count)
        masks = .allocate(capacity: words)
        masks.initialize(repeating: 0, count: words)
        begin()
    }

    deinit {
        heads?.deallocate()
        places.deallocate()
        masks.deallocate()
    }

    /// The columns that every match has, the rarest first; at least one.
    private static func required(_ shape: QueryShape) -> [Column] {
        var required = shape.filters.with
        for term in shape.terms where term.isRequired {
            if let column = term.column { required.append(column) }
        }
        if required.isEmpty { return [shape.world.alive] }
        if required.count > 1 { required.sort { $0.count < $1.count } }
        return required
    }

    private func begin() {
        access?.check(terms, filters)
        checkTerms()
        checkRows()
        for column in writtenColumns where column.contents != nil { sweepContents(column) }
        if !world.isParallel { world.loops += 1 }
        for column in countedColumns { column.readers += 1 }
    }

    /// Forgets unused contents before the loop adds others, unless something else is going on.
    private func sweepContents(_ column: Column) {
        if world.isIdle, !world.keepsContents { column.sweepContents() }
    }

    /// Ends the run; changes of the world are allowed again.
    @usableFromInline
    func end() {
        if !world.isParallel { world.loops -= 1 }
        for column in countedColumns { column.readers -= 1 }
        if lendsWritten { for column in writtenColumns { column.readers -= 1 } }
    }

    /// The columns whose readers the run counts.
    ///
    /// Beside other systems these are the columns that the run's own system may write, as no other
    /// system touches those at the time.
    private static func countedColumns(_ shape: QueryShape) -> [Column] {
        shape.terms.compactMap { term in
            guard !term.isWritten, let column = term.column else { return nil }
            guard shape.world.isParallel else { return column }
            return shape.access?.mayWrite(column) == true ? column : nil
        }
    }

    /// Two terms must not have one column where one of them writes, nor may a loop that runs.
    private func checkTerms() {
        for (position, term) in terms.enumerated() where term.isWritten && marksChanges {
            guard let column = term.column else { continue }
            // The loop would have the key alone, and might set one of another world.
            require(
                column.contents == nil || column.type.kind != .resource,
                "a query writes \(column.type.name); world[resource:] sets codable resources")
            require(
                column.readers == 0,
                "a query writes \(column.type.name) inside a loop that reads it")
            for (other, second) in terms.enumerated()
            where other != position && second.column === column {
                trap("a query has \(column.type.name) twice, once to write it")
            }
        }
    }

    /// What has rows of its own cannot be combined: no game object would ever match.
    private func checkRows() {
        var own: Column?
        forEachColumnOfRows { if own == nil, !$0.type.kind.hasRowsOfObjects { own = $0 } }
        guard let own else { return }
        var other: Column?
        forEachColumnOfRows { if other == nil, $0 !== own { other = $0 } }
        guard let other else { return }
        trap(
            "a query combines \(own.type.name) with \(other.type.name), but "
                + (own.type.kind == .resource
                    ? "a resource is of no game object; read it by world[resource:]"
                    : "its links are of no game object, as one may have several; use "
                        + "with(_:to:), without(_:to:) and the like"))
    }

    /// Calls a body with the columns whose rows are compared or named one by one.
    private func forEachColumnOfRows(_ body: (Column) -> Void) {
        for term in terms { if let column = term.column { body(column) } }
        filters.forEachColumn(body)
        for filter in filters.rows where filter.areRowsOfColumn { body(filter.column) }
    }

    /// Where each term's values are in the block; copies are good until the run ends.
    @usableFromInline var placesOfBlock: UnsafeBufferPointer<TermPlace> {
        UnsafeBufferPointer(start: places, count: terms.count)
    }

    /// Whether the loop changes values.
    @usableFromInline var isWriting: Bool { !writtenColumns.isEmpty }

    /// The ID of the block's first row.
    @usableFromInline var firstID: UInt64 {
        GameObjectID(entity: world.entity, row: block << shift).rawValue
    }

    /// Goes to the next block with a match.
    ///
    /// - Returns: Whether there is one.
    @usableFromInline
    func nextBlock() -> Bool {
        if block < 0 { findMisses() }
        while true {
            let first = block + 1
            block = next(first)
            if notesMisses { misses.append(first..<min(block, blocks), of: blocks) }
            guard block < blocks else { break }
            if match() {
                place()
                return true
            }
            if notesMisses { misses.append(block..<block + 1, of: blocks) }
        }
        if notesMisses { world.keptMisses.keep(misses, self) }
        return false
    }

    /// Whether the run finds out in which blocks the columns alone leave nothing.
    private var notesMisses: Bool {
        !knowsMisses && sets.isEmpty && filters.added.isEmpty && filters.changed.isEmpty
    }

    private func findMisses() {
        guard let known = world.keptMisses.find(self) else { return }
        (misses, knowsMisses) = (known, true)
    }

    /// Calls a body with the columns whose presence bits say which rows match.
    func forEachColumnOfPresence(_ body: (Column) -> Void) {
        for column in required { body(column) }
        for column in filters.without { body(column) }
        for group in filters.groups { for column in group { body(column) } }
    }

    /// The first block from one on that may have a match.
    private func next(_ block: Int) -> Int {
        var next = block
        for set in sets where !set.isExcluded {
            next = max(next, set.first(from: block << shift).map { $0 >> shift } ?? blocks)
        }
        return knowsMisses ? min(misses.firstOther(from: next), blocks) : nextOfRarest(next)
    }

    /// The first block from one on in which the rarest of the required columns has a value.
    private func nextOfRarest(_ block: Int) -> Int {
        let column = required[0]
        let step = column.layout.shift - shift
        var block = block
        while block < blocks {
            let slot = block >> step
            let first = offset(column, block) >> 6
            if let word = column.slots[slot].firstWord(from: first, column.layout) {
                return slot << step + (word << 6) >> shift
            }
            block = column.nextUsed(from: slot + 1) << step
        }
        return blocks
    }

    /// The words of a column's presence for the block; nil where its chunk has no value.
    private func presence(_ column: Column) -> UnsafeMutablePointer<UInt64>? {
        let slot = block >> (column.layout.shift - shift)
        guard slot < column.slotCount, let bits = column.slots[slot].presence else { return nil }
        return bits + (offset(column) >> 6)
    }

    /// The block's first row within its chunk of a column.
    private func offset(_ column: Column) -> Int { offset(column, block) }

    private func offset(_ column: Column, _ block: Int) -> Int {
        (block << shift) & (column.layout.rows - 1)
    }

    /// Finds the rows of the block that match.
    ///
    /// - Returns: Whether there is one.
    private func match() -> Bool { match(0..<words) }

    /// Finds those of some words of the block.
    func match(_ range: Range<Int>) -> Bool {
        let since = filters.since ?? world.lastAdvance
        guard mayHaveEvents(since) else { return false }
        for (position, column) in required.enumerated() {
            guard let bits = presence(column) else { return false }
            if position == 0 {
                for word in range { masks[word] = bits[word] }
            } else {
                for word in range { masks[word] &= bits[word] }
            }
        }
        for column in filters.without {
            guard let bits = presence(column) else { continue }
            for word in range { masks[word] &= ~bits[word] }
        }
        for group in filters.groups {
            let bits = group.compactMap(presence)
            for word in range where masks[word] != 0 {
                masks[word] &= bits.reduce(0) { $0 | $1[word] }
            }
        }
        for (column, tick) in filters.added { match(column, .additions, tick, since, range) }
        for (column, tick) in filters.changed { match(column, .changes, tick, since, range) }
        let first = block << shift + range.lowerBound << 6
        for set in sets { set.narrow(masks + range.lowerBound, range.count, first) }
        var any: UInt64 = 0
        for word in range { any |= masks[word] }
        return any != 0
    }

    private enum Events { case additions, changes }

    /// Whether the chunks of the block have been changed as the filters say, each somewhere.
    private func mayHaveEvents(_ since: UInt64) -> Bool {
        for (column, tick) in filters.added
        where !mayHave(.additions, column, tick, since) { return false }
        for (column, tick) in filters.changed
        where !mayHave(.changes, column, tick, since) { return false }
        return true
    }

    private func mayHave(
        _ events: Events, _ column: Column, _ own: UInt64?, _ since: UInt64
    ) -> Bool {
        let slot = block >> (column.layout.shift - shift)
        guard slot < column.slotCount else { return false }
        if own == nil, filters.since == 0 { return true }
        let chunk = column.slots[slot]
        return (events == .additions ? chunk.added.newest : chunk.newestChange) > own ?? since
    }

    private func match(
        _ column: Column, _ events: Events, _ own: UInt64?, _ since: UInt64, _ range: Range<Int>
    ) {
        guard let bits = presence(column) else { return forget(range) }
        // To a system that runs for the first time everything is new, also what a file brought.
        if own == nil, filters.since == 0 {
            for word in range { masks[word] &= bits[word] }
            return
        }
        let tick = own ?? since
        let chunk = column.slots[block >> (column.layout.shift - shift)]
        let first = offset(column) >> 6
        for word in range where masks[word] != 0 {
            masks[word] &=
                events == .additions
                ? chunk.additions(first + word, after: tick)
                : chunk.changes(first + word, after: tick)
        }
    }

    private func forget(_ range: Range<Int>) {
        for word in range { masks[word] = 0 }
    }

    /// Finds the values of the block's terms, and notes what the loop is going to change.
    private func place() {
        noteChanges(0..<words)
        let first = firstID
        for (position, term) in terms.enumerated() {
            guard let column = term.column, let bits = presence(column) else {
                places[position] = TermPlace(nil, nil, first)
                continue
            }
            let slot = block >> (column.layout.shift - shift)
            let values = column.slots[slot].bytes.map {
                $0 + column.layout.valuesOffset + offset(column) * column.layout.stride
            }
            places[position] = TermPlace(values, UnsafePointer(bits), first, column.contents)
        }
    }

    /// Notes that the loop is going to change the matching rows of some words.
    func noteChanges(_ range: Range<Int>) {
        for column in writtenColumns where presence(column) != nil { note(column, range) }
    }

    private func note(_ column: Column, _ range: Range<Int>) {
        let slot = block >> (column.layout.shift - shift)
        column.prepareToWrite(slot)
        guard let bits = presence(column) else { return }
        let first = offset(column) >> 6
        let tick = world.tick
        for word in range {
            let rows = masks[word] & bits[word]
            guard rows != 0 else { continue }
            column.slots[slot].changed.mark(first + word, rows, tick, column.layout)
        }
    }
}
