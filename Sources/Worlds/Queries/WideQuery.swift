// SPDX-License-Identifier: Apache-2.0

/// A query of any number of terms.
///
/// It is what ``Query`` is for up to six terms. A loop costs two or three nanoseconds more for each
/// term of each game object, as the compiler does not turn packs of types into straight loops.
public struct WideQuery<each T: QueryTerm>: WorldQuery {
    /// The world, terms and filters.
    @_documentation(visibility: internal)
    public var __shape: QueryShape

    init(_ world: World) {
        var terms: [TermColumn] = []
        for term in repeat (each T).self { terms.append(term.__column(world)) }
        __shape = QueryShape(world, terms)
    }

    /// Calls a closure with the items of each game object that matches.
    ///
    /// - Parameter body: Gets an argument for each term.
    /// - Throws: What the closure throws; the loop ends there.
    @inlinable @inline(__always)
    public func forEach<E: Error>(_ body: (repeat (each T).Item) throws(E) -> Void) throws(E) {
        let run = QueryRun(__shape)
        defer { run.end() }
        while run.nextBlock() {
            for word in 0..<run.words {
                var rest = run.masks[word]
                while rest != 0 {
                    let row = word &<< 6 | rest.trailingZeroBitCount
                    rest &= rest &- 1
                    var places = UnsafePointer(run.places)
                    try body(repeat (each T).__item(next(&places), row))
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
