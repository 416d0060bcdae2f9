// SPDX-License-Identifier: Apache-2.0

/// A query of any number of terms.
///
/// It is what ``Query`` is for up to six terms. A loop costs a few nanoseconds more for each game
/// object, as the compiler does not turn packs of types into straight loops.
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
    public func forEach<E: Error>(_ body: (repeat (each T).Item) throws(E) -> Void) throws(E) {
        let run = QueryRun(__shape)
        defer { run.end() }
        while run.nextBlock() {
            for word in 0..<run.words {
                for bit in Bits(run.masks[word]) {
                    var places = UnsafePointer(run.places)
                    func item<Term: QueryTerm>(_ term: Term.Type) -> Term.Item {
                        defer { places += 1 }
                        return Term.__item(places.pointee, word << 6 | bit)
                    }
                    try body(repeat item((each T).self))
                }
            }
        }
    }
}
