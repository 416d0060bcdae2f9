// SPDX-License-Identifier: Apache-2.0

extension World {
    /// The game objects that match terms, with what the terms give.
    ///
    /// ```swift
    /// let moving = world.query(Mut<Position>.self, Velocity.self).without(Frozen.self)
    /// moving.forEach { position, velocity in position.x += velocity.x }
    /// ```
    ///
    /// A query holds no results: it may be kept, and finds what matches whenever it runs. Matching
    /// compares 64 game objects at a time. See ``QueryTerm`` for the terms and ``Query`` for
    /// filters.
    ///
    /// - Complexity: O(1); the first mention of a component type makes its column.
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
