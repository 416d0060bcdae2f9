// SPDX-License-Identifier: Apache-2.0

import Traps

/// A run of adjacent game objects that match a query of four terms or more.
///
/// It lends the values of its terms as spans, one term at a time, so that any number of them, in
/// any order, can be used in one plain loop:
///
/// ```swift
/// world.query(Mut<Position>.self, Velocity.self, Wind.self, Mass.self).forEachChunk { chunk in
///     chunk.change(Position.self) { positions in
///         chunk.read(Wind.self) { winds in
///             for row in positions.indices { positions[row].x += winds[row].x }
///         }
///     }
/// }
/// ```
///
/// It is lent for the call of the closure that gets it, and used on its thread.
public struct QueryChunk: ~Copyable {
    @usableFromInline let run: QueryRun
    @usableFromInline let rows: Range<Int>

    @inlinable
    init(_ run: QueryRun, _ rows: Range<Int>) {
        self.run = run
        self.rows = rows
    }

    /// The number of game objects.
    @inlinable public var count: Int { rows.count }

    /// The ID of the first game object; those of the others follow it one by one.
    @inlinable public var firstObject: GameObjectID { run.firstID(rows) }

    /// Calls a closure with the values of a component, to be read.
    ///
    /// - Parameters:
    ///   - type: A term of the query, with or without `Mut`. Another type traps, and one that is
    ///     optional there, as some of its values may not exist, or that is being changed.
    ///   - body: Gets the values, in the order of the game objects' IDs.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws.
    @inlinable
    public func read<C: ValueComponent, Result, E: Error>(
        _ type: C.Type, _ body: (Span<C>) throws(E) -> Result
    ) throws(E) -> Result {
        let term = run.lend(type, toChange: false)
        defer { run.takeBack(term) }
        let values = run.places[term].buffer(type, rows)
        return try body(values.span)
    }

    /// Calls a closure with the values of a component, to be changed.
    ///
    /// - Parameters:
    ///   - type: A ``Mut`` term of the query. Another type traps, and one that is optional there,
    ///     or that is being read or changed.
    ///   - body: Gets the values, in the order of the game objects' IDs.
    /// - Returns: What the closure returns.
    /// - Throws: What the closure throws.
    @inlinable
    public func change<C: ValueComponent, Result, E: Error>(
        _ type: C.Type, _ body: (inout MutableSpan<C>) throws(E) -> Result
    ) throws(E) -> Result {
        let term = run.lend(type, toChange: true)
        defer { run.takeBack(term) }
        let values = run.places[term].buffer(type, rows)
        var span = values.mutableSpan
        return try body(&span)
    }
}

extension Query where Terms: ManyTerms {
    /// Calls a closure with each run of adjacent game objects that match; see ``QueryChunk``.
    ///
    /// - Parameter body: Gets the runs in the order of the game objects' IDs.
    /// - Throws: What the closure throws; the loop ends there.
    @inlinable
    public func forEachChunk<E: Error>(
        _ body: (borrowing QueryChunk) throws(E) -> Void
    ) throws(E) {
        try forEachRun { (run, rows) throws(E) in try body(QueryChunk(run, rows)) }
    }
}

extension WideQuery {
    /// Calls a closure with each run of adjacent game objects that match; see ``QueryChunk``.
    ///
    /// - Parameter body: Gets the runs in the order of the game objects' IDs.
    /// - Throws: What the closure throws; the loop ends there.
    @inlinable
    public func forEachChunk<E: Error>(
        _ body: (borrowing QueryChunk) throws(E) -> Void
    ) throws(E) {
        try forEachRun { (run, rows) throws(E) in try body(QueryChunk(run, rows)) }
    }
}

/// The terms of a query whose chunks are lent term by term.
@_documentation(visibility: internal)
public protocol ManyTerms: QueryTerms {}

extension Terms4: ManyTerms {}
extension Terms5: ManyTerms {}
extension Terms6: ManyTerms {}

extension QueryRun {
    /// Finds the term of a component and notes what its values are lent for.
    ///
    /// - Returns: The number of the term.
    @usableFromInline
    func lend<C: ValueComponent>(_ type: C.Type, toChange: Bool) -> Int {
        let column = world.column(type)
        guard let term = terms.firstIndex(where: { $0.column === column && $0.isRequired }) else {
            trap(
                "a chunk has no values of \(C.self): it is no term of the query, or an optional one"
            )
        }
        if loans.isEmpty { loans = Array(repeating: 0, count: terms.count) }
        require(loans[term] >= 0, "the values of \(C.self) in a chunk are being changed already")
        guard toChange else {
            loans[term] += 1
            return term
        }
        require(terms[term].isWritten, "a chunk changes \(C.self), which is no Mut of the query")
        require(loans[term] == 0, "the values of \(C.self) in a chunk are being read")
        loans[term] = -1
        return term
    }

    /// Notes the end of a loan.
    @usableFromInline
    func takeBack(_ term: Int) { loans[term] = max(loans[term] - 1, 0) }
}
