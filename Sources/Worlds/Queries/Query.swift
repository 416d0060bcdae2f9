// SPDX-License-Identifier: Apache-2.0

/// A question to a world: all game objects that match terms and filters.
///
/// Loops visit game objects in the order of their IDs. While one runs, no game object may come or
/// go, and no component be added or removed: ``Commands`` keep such changes for later. Values of
/// other components may be changed, and those that the query has as ``Mut``; setting a value that
/// the running query reads traps.
@frozen
public struct Query<Terms: QueryTerms>: WorldQuery {
    /// The world, terms and filters.
    @_documentation(visibility: internal)
    public var __shape: QueryShape

    @usableFromInline
    init(_ world: World) { __shape = QueryShape(world, Terms.__columns(world)) }

    /// Calls a closure with the items of each game object that matches.
    ///
    /// - Parameter body: Gets an argument for each term.
    /// - Throws: What the closure throws; the loop ends there.
    @inlinable @inline(__always)
    public func forEach<E: Error>(_ body: (Terms.Items) throws(E) -> Void) throws(E) {
        let run = QueryRun(__shape)
        defer { run.end() }
        while run.nextBlock() {
            let places = run.places
            let masks = run.masks
            for word in 0..<run.words {
                var rest = masks[word]
                while rest != 0 {
                    let start = rest.trailingZeroBitCount
                    let end = start &+ (~(rest &>> UInt64(start))).trailingZeroBitCount
                    let first = word &<< 6
                    for row in first &+ start..<first &+ min(end, 64) {
                        try body(Terms.__items(places, row))
                    }
                    rest = end >= 64 ? 0 : rest & (~0 &<< UInt64(end))
                }
            }
        }
    }
}
