// SPDX-License-Identifier: Apache-2.0

/// Hands out rows of game objects, each once.
@usableFromInline
package struct RowSource {
    /// The next row to hand out.
    @usableFromInline package var next: Int
    @usableFromInline var end: Int
    /// Where the rows end that were promised to game objects; links leave these alone.
    private var promisedEnd = 0
    /// Reserves at least so many rows; nil for a world in memory, which owns all of them.
    private let reserve: ((Int) -> Range<Int>)?

    /// The rows of a world in memory.
    package init() {
        next = 1
        end = 1 << 47
        reserve = nil
    }

    /// The rows of a world in memory from one on.
    init(from row: Int) {
        self.init()
        next = max(next, row)
    }

    /// The rows of a world that shares their numbers with others.
    ///
    /// - Parameter reserve: Takes at least a number of adjacent rows.
    package init(reserve: @escaping (Int) -> Range<Int>) {
        next = 0
        end = 0
        self.reserve = reserve
    }

    /// Makes rows available that were reserved, unless more are left.
    package mutating func add(_ reserved: Range<Int>) {
        guard reserved.count > end - next else { return }
        replace(reserved)
    }

    /// Makes reserved rows the available ones; those that were left are given up.
    ///
    /// - Parameter reserved: At least as many rows as are ``promised``.
    package mutating func replace(_ reserved: Range<Int>) {
        let promised = promised
        next = reserved.lowerBound
        end = reserved.upperBound
        promisedEnd = next + promised
    }

    /// Takes rows up to one that is to be used although it was not handed out.
    package mutating func skip(upTo row: Int) {
        let promised = promised
        next = max(next, min(row + 1, end))
        promisedEnd = next + promised
    }

    /// Keeps some of the rows that are left for game objects.
    package mutating func promise(_ count: Int) { promisedEnd = max(promisedEnd, next + count) }

    /// How many of the rows that are left are kept for game objects.
    package var promised: Int { max(0, promisedEnd - next) }

    /// Takes adjacent rows for something else than game objects.
    ///
    /// - Returns: At least so many, none of those that are promised.
    mutating func takeAside(_ count: Int) -> Range<Int> {
        let promised = promised
        if let reserve, promised > 0, left - promised < count { return reserve(count) }
        let first = take(count)
        promisedEnd = next + promised
        return first..<first + count
    }

    /// The adjacent rows that can be taken without reserving more.
    package var left: Int { end - next }

    /// Takes adjacent rows.
    @inlinable
    package mutating func take(_ count: Int) -> Int {
        if end &- next < count { reserveMore(count) }
        let first = next
        next = first &+ count
        return first
    }

    @usableFromInline @inline(never)
    mutating func reserveMore(_ count: Int) {
        guard let reserve else { return }
        let taken = reserve(count)
        // More is taken than was promised.
        promisedEnd = 0
        next = taken.lowerBound
        end = taken.upperBound
    }
}
