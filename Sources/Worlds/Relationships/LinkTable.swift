// SPDX-License-Identifier: Apache-2.0

import Synchronization

/// What a column of links knows beside its values: which links each game object has.
///
/// A link is a row of its column. In an exclusive relationship that is the row of its source, else
/// a row of its own. The chains follow every change of the column.
@usableFromInline
final class LinkTable {
    /// The ends of a link, as rows of game objects.
    struct Ends: Hashable {
        let source: Int
        let target: Int

        init(_ source: Int, _ target: Int) {
            self.source = source
            self.target = target
        }

        /// The ends that a value of ``Link`` says.
        init(_ value: UnsafeRawPointer) {
            // SAFETY: the column's values are links: two IDs of 8 bytes each.
            source = value.loadUnaligned(as: GameObjectID.self).row
            target = value.loadUnaligned(fromByteOffset: 8, as: GameObjectID.self).row
        }
    }

    let isExclusive: Bool
    private(set) var bySource = LinkChains()
    private(set) var byTarget = LinkChains()
    /// The rows for the next links of a kind that is not exclusive.
    private var free = 0..<0
    /// The rows that links have got in place of those that others turned out to have.
    private var moved: [Place: Int] = [:]
    // A lock, as systems that run beside each other may ask for the same order first.
    private let kept = Mutex(KeptOrders())

    init(isExclusive: Bool) { self.isExclusive = isExclusive }

    /// The memory that links up to a row, of game objects up to one, would need more for lists.
    func room(_ link: Int, at object: Int) -> Int {
        (isExclusive ? 0 : bySource.room(link, at: object)) + byTarget.room(link, at: object)
    }

    // MARK: Changes

    /// Notes a link that the column has got.
    func add(_ link: Int, _ ends: Ends) {
        if !isExclusive { bySource.insert(link, at: ends.source) }
        byTarget.insert(link, at: ends.target)
        forgetOrders()
    }

    /// Notes that the column is about to lose a link.
    func remove(_ link: Int, _ ends: Ends) {
        if !isExclusive { bySource.remove(link, at: ends.source) }
        byTarget.remove(link, at: ends.target)
        forgetOrders()
    }

    /// A row for a new link.
    ///
    /// Rows are taken in blocks, so that links lie together: a chunk of the column is memory for
    /// some thousand links, however few it has.
    func takeRow(_ column: Column, from world: World) -> Int {
        while true {
            if free.isEmpty {
                free = world.rows.takeAside(max(64, min(column.count, 4_096)))
            }
            let row = free.lowerBound
            free = row + 1..<free.upperBound
            // Links that came by changes have the rows that they have elsewhere.
            if !column.has(row) { return row }
        }
    }

    /// The number of links for which there are rows.
    var freeCount: Int { free.count }

    /// Takes over rows for the next links, in place of those that are left.
    func use(_ rows: Range<Int>) { free = rows }

    /// Leaves rows up to one to another world, which has used them for links of its own.
    func skipRows(upTo row: Int) {
        free = max(free.lowerBound, min(row + 1, free.upperBound))..<free.upperBound
    }

    /// A link in a row.
    private struct Place: Hashable {
        let row: Int
        let ends: Ends
    }

    /// Notes that a link has got another row.
    func noteMove(of ends: Ends, from row: Int, to other: Int) {
        moved[Place(row: row, ends: ends)] = other
    }

    /// The row of a link by now that was in a given one, as far as that has changed.
    func presentRow(_ row: Int, _ ends: Ends) -> Int {
        guard !moved.isEmpty else { return row }
        var row = row
        // Each move is to a row that no link ever had, so there is an end.
        while let next = moved[Place(row: row, ends: ends)] { row = next }
        return row
    }

    // MARK: Orders

    /// Lists of game objects that are made when they are asked for, and kept until a link changes.
    private struct KeptOrders {
        var sources: [Int]?
        var targets: [Int]?
        var breadthFirst: [Int]?
    }

    private func forgetOrders() { kept.withLock { $0 = KeptOrders() } }

    /// A kept list, or a new one.
    private func order(
        _ place: WritableKeyPath<KeptOrders, [Int]?>, _ make: () -> [Int]
    ) -> [Int] {
        if let known = kept.withLock({ $0[keyPath: place] }) { return known }
        let made = make()
        kept.withLock { $0[keyPath: place] = made }
        return made
    }

    /// The rows of all game objects that have a target, ascending.
    func sources(_ column: Column) -> [Int] {
        order(\.sources) { column.linkEnds().map(\.source).sortedOnce() }
    }

    /// The rows of all game objects that have a source, ascending.
    func targets(_ column: Column) -> [Int] {
        order(\.targets) { column.linkEnds().map(\.target).sortedOnce() }
    }

    /// The rows of all game objects that are related, targets before their sources.
    func breadthFirst(_ column: Column) -> [Int] {
        order(\.breadthFirst) {
            let roots = targets(column).filter { column.targets(of: $0).isEmpty }
            return isExclusive
                ? column.breadthFirst(from: roots) : column.targetsFirst(from: roots)
        }
    }
}
