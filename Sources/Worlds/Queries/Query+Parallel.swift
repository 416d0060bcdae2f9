// SPDX-License-Identifier: Apache-2.0

import Dispatch
import Synchronization
import Traps

extension Query {
    /// Calls a closure with the items of each game object that matches, on several threads.
    ///
    /// Each game object is visited once, in no particular order, and by one thread. Everything that
    /// the loop changes counts as changed as in ``forEach(_:)``. It pays when the closure does
    /// much, or when there are tens of thousands of game objects: handing work to threads takes
    /// about ten microseconds.
    ///
    /// ```swift
    /// world.query(Mut<Path>.self, Position.self).parallelForEach { path, position in
    ///     path.value = shortestPath(from: position)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - threads: The most threads, at least 1; without it the number of processors.
    ///   - body: Gets an argument for each term. It must not reach for values of other game objects
    ///     that the loop writes.
    @inlinable
    public func parallelForEach(
        threads: Int? = nil, _ body: @Sendable (Terms.Items) -> Void
    ) {
        parallelForEachRow(threads) { places, row in body(Terms.__items(places, row)) }
    }
}

extension WideQuery {
    /// Calls a closure with the items of each game object that matches, on several threads, as
    /// ``Query/parallelForEach(threads:_:)`` does.
    ///
    /// - Parameters:
    ///   - threads: The most threads, at least 1; without it the number of processors.
    ///   - body: Gets an argument for each term. It must not reach for values of other game objects
    ///     that the loop writes.
    @inlinable
    public func parallelForEach(
        threads: Int? = nil, _ body: @Sendable (repeat (each T).Item) -> Void
    ) {
        parallelForEachRow(threads) { places, row in
            var places = places
            body(repeat (each T).__item(next(&places), row))
        }
    }
}

extension WorldQuery {
    /// Calls a closure with the places of the terms and the row of each match, on several threads.
    ///
    /// The closure calls one of the program's, which is `Sendable`, and has types besides.
    @inlinable @inline(__always)
    func parallelForEachRow(
        _ threads: Int?, _ body: (UnsafePointer<TermPlace>, Int) -> Void
    ) {
        let run = QueryRun(__shape)
        defer { run.end() }
        let work = ParallelWork(run)
        work.run(threads) { places, masks, words in
            for word in words {
                var rest = masks[word]
                while rest != 0 {
                    let row = word &<< 6 | rest.trailingZeroBitCount
                    rest &= rest &- 1
                    body(places, row)
                }
            }
        }
    }
}

/// All blocks of a run of a query, ready to be divided among threads.
///
/// Finding the rows, noting changes and bringing chunks into memory change the columns. That is
/// done once for all blocks before the threads start, which then touch values alone.
@usableFromInline
final class ParallelWork {
    /// The words of rows that a thread takes at once: 1,024 rows.
    private static let portion = 16

    private var places: [TermPlace] = []
    private var masks: [UInt64] = []
    private let terms: Int
    private let words: Int

    @usableFromInline
    init(_ run: QueryRun) {
        words = run.words
        terms = run.terms.count
        while run.nextBlock() {
            places.append(contentsOf: run.placesOfBlock)
            masks.append(contentsOf: UnsafeBufferPointer(start: run.masks, count: words))
        }
    }

    /// Calls a closure with portions of the blocks.
    ///
    /// - Parameters:
    ///   - threads: The most threads.
    ///   - body: Gets the places of a block's terms, its matching rows, and the words to visit.
    @usableFromInline
    func run(
        _ threads: Int?,
        _ body: (UnsafePointer<TermPlace>, UnsafePointer<UInt64>, Range<Int>) -> Void
    ) {
        let wanted = threads ?? Processors.count
        require(wanted > 0, "a loop on \(wanted) threads; it needs at least one")
        let portions = masks.count / min(words, ParallelWork.portion)
        places.withUnsafeBufferPointer { places in
            masks.withUnsafeBufferPointer { masks in
                guard let places = places.baseAddress, let masks = masks.baseAddress else { return }
                divide(portions, min(wanted, portions)) { portion in
                    let first = portion * min(self.words, ParallelWork.portion)
                    let block = first / self.words
                    let start = first - block * self.words
                    body(
                        places + block * self.terms, masks + block * self.words,
                        start..<start + min(self.words, ParallelWork.portion))
                }
            }
        }
    }

    /// Calls a closure with numbers from 0, on several threads.
    private func divide(_ count: Int, _ threads: Int, _ body: (Int) -> Void) {
        guard threads > 1 else {
            for portion in 0..<count { body(portion) }
            return
        }
        let next = Atomic(0)
        // SAFETY: the closure of the query is Sendable, and each portion, whose rows no other one
        // has, is taken by one thread. This thread waits for all of them.
        nonisolated(unsafe) let body = body
        DispatchQueue.concurrentPerform(iterations: threads) { _ in
            while true {
                let portion = next.add(1, ordering: .relaxed).oldValue
                guard portion < count else { return }
                body(portion)
            }
        }
    }
}
