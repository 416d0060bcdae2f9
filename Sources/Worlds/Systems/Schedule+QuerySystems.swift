// SPDX-License-Identifier: Apache-2.0

/// Systems that are one loop over a query.
extension Schedule {
    /// Adds a system that calls a closure for each game object with one term.
    ///
    /// - Parameters:
    ///   - name: The name, by which others state their order.
    ///   - a: The term; a ``Mut`` is declared as written, all others as read.
    ///   - body: Gets the item of the term, and the context.
    /// - Returns: The system, to state order, filters and conditions.
    @inlinable
    @discardableResult
    public func add<A: QueryTerm>(
        _ name: String, _ a: A.Type,
        _ body: @escaping @Sendable (A.Item, SystemContext) -> Void
    ) -> QuerySystem {
        add(QuerySystem(name, a, body))
    }

    /// Adds a system that calls a closure for each game object with two terms.
    @inlinable
    @discardableResult
    public func add<A: QueryTerm, B: QueryTerm>(
        _ name: String, _ a: A.Type, _ b: B.Type,
        _ body: @escaping @Sendable (A.Item, B.Item, SystemContext) -> Void
    ) -> QuerySystem {
        add(QuerySystem(name, a, b, body))
    }

    /// Adds a system that calls a closure for each game object with three terms.
    @inlinable
    @discardableResult
    public func add<A: QueryTerm, B: QueryTerm, C: QueryTerm>(
        _ name: String, _ a: A.Type, _ b: B.Type, _ c: C.Type,
        _ body: @escaping @Sendable (A.Item, B.Item, C.Item, SystemContext) -> Void
    ) -> QuerySystem {
        add(QuerySystem(name, a, b, c, body))
    }

    /// Adds a system that calls a closure for each game object with four terms.
    @inlinable
    @discardableResult
    public func add<A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm>(
        _ name: String, _ a: A.Type, _ b: B.Type, _ c: C.Type, _ d: D.Type,
        _ body: @escaping @Sendable (A.Item, B.Item, C.Item, D.Item, SystemContext) -> Void
    ) -> QuerySystem {
        add(QuerySystem(name, a, b, c, d, body))
    }

    /// Adds a system that calls a closure for each game object with five terms.
    @inlinable
    @discardableResult
    public func add<A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm>(
        _ name: String, _ a: A.Type, _ b: B.Type, _ c: C.Type, _ d: D.Type,
        _ e: E.Type,
        _ body: @escaping @Sendable (A.Item, B.Item, C.Item, D.Item, E.Item, SystemContext) -> Void
    ) -> QuerySystem {
        add(QuerySystem(name, a, b, c, d, e, body))
    }

    /// Adds a system that calls a closure for each game object with six terms.
    @inlinable
    @discardableResult
    public func add<
        A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm, F: QueryTerm
    >(
        _ name: String, _ a: A.Type, _ b: B.Type, _ c: C.Type, _ d: D.Type,
        _ e: E.Type, _ f: F.Type,
        _ body:
            @escaping @Sendable (
                A.Item, B.Item, C.Item, D.Item, E.Item, F.Item, SystemContext
            ) -> Void
    ) -> QuerySystem {
        add(QuerySystem(name, a, b, c, d, e, f, body))
    }

    /// Adds a system that calls a closure for each game object with any number of terms.
    ///
    /// The loop is that of a ``WideQuery``. The closure gets the context first, as a call cannot
    /// have an argument behind any number of others.
    @_disfavoredOverload
    @inlinable
    @discardableResult
    public func add<each T: QueryTerm>(
        _ name: String, _ terms: repeat (each T).Type,
        body: @escaping @Sendable (SystemContext, repeat (each T).Item) -> Void
    ) -> QuerySystem {
        add(QuerySystem(name, repeat each terms, body: body))
    }
}
