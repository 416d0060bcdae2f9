// SPDX-License-Identifier: Apache-2.0

extension Query {
    /// The question of a system, which may name only what the system has declared.
    init(_ context: SystemContext) {
        self.init(context.world)
        __shape.access = context.access
        __shape.filters.since = context.lastRun
    }

    /// A question that was put before.
    @usableFromInline
    init(_ shape: QueryShape) { __shape = shape }
}

extension WideQuery {
    init(_ context: SystemContext) {
        self.init(context.world)
        __shape.access = context.access
        __shape.filters.since = context.lastRun
    }

    /// A question that was put before.
    @usableFromInline
    init(_ shape: QueryShape) { __shape = shape }
}

/// Queries.
extension SystemContext {
    /// The game objects that match terms, as ``World/query(_:)`` finds them.
    ///
    /// The system must have declared every component that the query names: as written what it has
    /// as ``Mut``, and as read or written what is in other terms and in filters. The check is made
    /// when the query runs.
    public func query<A: QueryTerm>(
        _ a: A.Type
    ) -> Query<Terms1<A>> { Query(self) }

    /// The game objects that match two terms.
    public func query<A: QueryTerm, B: QueryTerm>(
        _ a: A.Type, _ b: B.Type
    ) -> Query<Terms2<A, B>> { Query(self) }

    /// The game objects that match three terms.
    public func query<A: QueryTerm, B: QueryTerm, C: QueryTerm>(
        _ a: A.Type, _ b: B.Type, _ c: C.Type
    ) -> Query<Terms3<A, B, C>> { Query(self) }

    /// The game objects that match four terms.
    public func query<A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm>(
        _ a: A.Type, _ b: B.Type, _ c: C.Type, _ d: D.Type
    ) -> Query<Terms4<A, B, C, D>> { Query(self) }

    /// The game objects that match five terms.
    public func query<A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm>(
        _ a: A.Type, _ b: B.Type, _ c: C.Type, _ d: D.Type, _ e: E.Type
    ) -> Query<Terms5<A, B, C, D, E>> { Query(self) }

    /// The game objects that match six terms.
    public func query<
        A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm, F: QueryTerm
    >(
        _ a: A.Type, _ b: B.Type, _ c: C.Type, _ d: D.Type, _ e: E.Type, _ f: F.Type
    ) -> Query<Terms6<A, B, C, D, E, F>> { Query(self) }

    /// The game objects that match any number of terms.
    @_disfavoredOverload
    public func query<each T: QueryTerm>(
        _ terms: repeat (each T).Type
    ) -> WideQuery<repeat each T> { WideQuery(self) }
}
