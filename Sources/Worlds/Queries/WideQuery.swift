// SPDX-License-Identifier: Apache-2.0

/// A query of any number of terms.
///
/// It is what ``Query`` is for up to six terms, with the same loops. These cost two or three
/// nanoseconds more for each term of each game object, as the compiler does not turn packs of types
/// into straight loops.
public struct WideQuery<each T: QueryTerm>: WorldQuery {
    /// The world, terms and filters.
    @_documentation(visibility: internal)
    public var __shape: QueryShape

    init(_ world: World) { __shape = QueryShape(world, Self.terms(in: world)) }

    /// The columns of the terms in a world.
    @usableFromInline
    static func terms(in world: World) -> [TermColumn] {
        var terms: [TermColumn] = []
        for term in repeat (each T).self { terms.append(term.__column(world)) }
        return terms
    }

    /// Calls a closure with the items of each game object that matches.
    ///
    /// - Parameter body: Gets an argument for each term.
    /// - Throws: What the closure throws; the loop ends there.
    @inlinable @inline(__always)
    public func forEach<E: Error>(_ body: (repeat (each T).Item) throws(E) -> Void) throws(E) {
        try forEachRow { (places, row) throws(E) in
            var places = places
            try body(repeat (each T).__item(next(&places), row))
        }
    }

    /// Calls a closure with a value of the caller's and the items of each game object that matches.
    ///
    /// A closure expression cannot have a pack of parameters to hand on, as ``forEach(_:)`` needs.
    @inlinable @inline(__always)
    func forEach<Context>(_ context: Context, _ body: (Context, repeat (each T).Item) -> Void) {
        forEachRow { places, row in
            var places = places
            body(context, repeat (each T).__item(next(&places), row))
        }
    }

    /// Calls a closure with the places of the terms and the row of each match.
    @inlinable @inline(__always)
    func forEachRow<E: Error>(_ body: (UnsafePointer<TermPlace>, Int) throws(E) -> Void) throws(E) {
        let run = QueryRun(__shape)
        defer { run.end() }
        while run.nextBlock() {
            for word in 0..<run.words {
                var rest = run.masks[word]
                while rest != 0 {
                    let row = word &<< 6 | rest.trailingZeroBitCount
                    rest &= rest &- 1
                    try body(run.places, row)
                }
            }
        }
    }

    /// The place that a pointer points to, which then points to the next one.
    ///
    /// A local function with the pointer as a captured variable would check each access to it.
    @inlinable @inline(__always)
    func next(_ places: inout UnsafePointer<TermPlace>) -> TermPlace {
        defer { places += 1 }
        return places.pointee
    }
}
