// SPDX-License-Identifier: Apache-2.0

/// Systems of up to six terms, whose loops are straight ones, and of any number.
extension QuerySystem {
    /// Makes a system that calls a closure for each game object with one term.
    ///
    /// - Parameters:
    ///   - name: The name, by which others state their order.
    ///   - a: The term; a ``Mut`` is declared as written, all others as read.
    ///   - body: Gets the item of the term, and the context.
    @inlinable
    public convenience init<A: QueryTerm>(
        _ name: String, _ a: A.Type,
        _ body: @escaping @Sendable (A.Item, SystemContext) -> Void
    ) {
        self.init(name, Terms1<A>.self) { context, shape in
            Query<Terms1<A>>(shape).forEach { a in body(a, context) }
        }
    }

    /// Makes a system that calls a closure for each game object with two terms.
    @inlinable
    public convenience init<A: QueryTerm, B: QueryTerm>(
        _ name: String, _ a: A.Type, _ b: B.Type,
        _ body: @escaping @Sendable (A.Item, B.Item, SystemContext) -> Void
    ) {
        self.init(name, Terms2<A, B>.self) { context, shape in
            Query<Terms2<A, B>>(shape).forEach { a, b in body(a, b, context) }
        }
    }

    /// Makes a system that calls a closure for each game object with three terms.
    @inlinable
    public convenience init<A: QueryTerm, B: QueryTerm, C: QueryTerm>(
        _ name: String, _ a: A.Type, _ b: B.Type, _ c: C.Type,
        _ body: @escaping @Sendable (A.Item, B.Item, C.Item, SystemContext) -> Void
    ) {
        self.init(name, Terms3<A, B, C>.self) { context, shape in
            Query<Terms3<A, B, C>>(shape).forEach { a, b, c in body(a, b, c, context) }
        }
    }

    /// Makes a system that calls a closure for each game object with four terms.
    @inlinable
    public convenience init<A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm>(
        _ name: String, _ a: A.Type, _ b: B.Type, _ c: C.Type, _ d: D.Type,
        _ body: @escaping @Sendable (A.Item, B.Item, C.Item, D.Item, SystemContext) -> Void
    ) {
        self.init(name, Terms4<A, B, C, D>.self) { context, shape in
            Query<Terms4<A, B, C, D>>(shape).forEach { a, b, c, d in body(a, b, c, d, context) }
        }
    }

    /// Makes a system that calls a closure for each game object with five terms.
    @inlinable
    public convenience init<A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm>(
        _ name: String, _ a: A.Type, _ b: B.Type, _ c: C.Type, _ d: D.Type,
        _ e: E.Type,
        _ body: @escaping @Sendable (A.Item, B.Item, C.Item, D.Item, E.Item, SystemContext) -> Void
    ) {
        self.init(name, Terms5<A, B, C, D, E>.self) { context, shape in
            Query<Terms5<A, B, C, D, E>>(shape).forEach { a, b, c, d, e in
                body(a, b, c, d, e, context)
            }
        }
    }

    /// Makes a system that calls a closure for each game object with six terms.
    @inlinable
    public convenience init<
        A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm, F: QueryTerm
    >(
        _ name: String, _ a: A.Type, _ b: B.Type, _ c: C.Type, _ d: D.Type,
        _ e: E.Type, _ f: F.Type,
        _ body:
            @escaping @Sendable (
                A.Item, B.Item, C.Item, D.Item, E.Item, F.Item, SystemContext
            ) -> Void
    ) {
        self.init(name, Terms6<A, B, C, D, E, F>.self) { context, shape in
            Query<Terms6<A, B, C, D, E, F>>(shape).forEach { a, b, c, d, e, f in
                body(a, b, c, d, e, f, context)
            }
        }
    }

    /// Makes a system that calls a closure for each game object with any number of terms.
    ///
    /// The loop is that of a ``WideQuery``. The closure gets the context first, as a call cannot
    /// have an argument behind any number of others.
    @_disfavoredOverload
    @inlinable
    public convenience init<each T: QueryTerm>(
        _ name: String, _ terms: repeat (each T).Type,
        body: @escaping @Sendable (SystemContext, repeat (each T).Item) -> Void
    ) {
        self.init(name, declare: { WideQuery<repeat each T>.terms(in: $0) }) { context, shape in
            WideQuery<repeat each T>(shape).forEach(context, body)
        }
    }
}
