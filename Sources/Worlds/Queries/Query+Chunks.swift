// SPDX-License-Identifier: Apache-2.0

/// Loops over runs of adjacent game objects, whose values lie side by side in memory.
///
/// They exist for up to three components, of which the leading ones may be ``Mut``. A plain loop
/// over spans is what the compiler turns into vector instructions.
///
/// ```swift
/// world.query(Mut<Position>.self, Velocity.self).forEachChunk { positions, velocities in
///     for row in positions.indices { positions[row].x += velocities[row].x }
/// }
/// ```

extension Query {
    /// Calls a closure with the values of each run of adjacent game objects that match.
    ///
    /// - Parameter body: Gets the values to change, in the order of the game objects' IDs.
    /// - Throws: What the closure throws; the loop ends there.
    @inlinable
    public func forEachChunk<A: ValueComponent, E: Error>(
        _ body: (inout MutableSpan<A>) throws(E) -> Void
    ) throws(E) where Terms == Terms1<Mut<A>> {
        try forEachRun { (run, rows) throws(E) in
            let aRows = run.places[0].buffer(A.self, rows)
            var a = aRows.mutableSpan
            try body(&a)
        }
    }

    /// The same loop, whose closure gets the ID of the first game object of the run as well.
    ///
    /// The IDs of the others follow it one by one.
    @inlinable
    public func forEachChunk<A: ValueComponent, E: Error>(
        _ body: (GameObjectID, inout MutableSpan<A>) throws(E) -> Void
    ) throws(E) where Terms == Terms1<Mut<A>> {
        try forEachRun { (run, rows) throws(E) in
            let aRows = run.places[0].buffer(A.self, rows)
            var a = aRows.mutableSpan
            try body(run.firstID(rows), &a)
        }
    }

    /// Calls a closure with values to read.
    @inlinable
    public func forEachChunk<A: ValueComponent, E: Error>(
        _ body: (Span<A>) throws(E) -> Void
    ) throws(E) where Terms == Terms1<A> {
        try forEachRun { (run, rows) throws(E) in
            let a = run.places[0].buffer(A.self, rows)
            try body(a.span)
        }
    }

    /// Calls a closure with values to read and the first ID.
    @inlinable
    public func forEachChunk<A: ValueComponent, E: Error>(
        _ body: (GameObjectID, Span<A>) throws(E) -> Void
    ) throws(E) where Terms == Terms1<A> {
        try forEachRun { (run, rows) throws(E) in
            let a = run.places[0].buffer(A.self, rows)
            try body(run.firstID(rows), a.span)
        }
    }
}

extension Query {
    /// Calls a closure with values to change.
    @inlinable
    public func forEachChunk<A: ValueComponent, B: ValueComponent, E: Error>(
        _ body: (inout MutableSpan<A>, inout MutableSpan<B>) throws(E) -> Void
    ) throws(E) where Terms == Terms2<Mut<A>, Mut<B>> {
        try forEachRun { (run, rows) throws(E) in
            let aRows = run.places[0].buffer(A.self, rows)
            var a = aRows.mutableSpan
            let bRows = run.places[1].buffer(B.self, rows)
            var b = bRows.mutableSpan
            try body(&a, &b)
        }
    }

    /// Calls a closure with values to change and the first ID.
    @inlinable
    public func forEachChunk<A: ValueComponent, B: ValueComponent, E: Error>(
        _ body: (GameObjectID, inout MutableSpan<A>, inout MutableSpan<B>) throws(E) -> Void
    ) throws(E) where Terms == Terms2<Mut<A>, Mut<B>> {
        try forEachRun { (run, rows) throws(E) in
            let aRows = run.places[0].buffer(A.self, rows)
            var a = aRows.mutableSpan
            let bRows = run.places[1].buffer(B.self, rows)
            var b = bRows.mutableSpan
            try body(run.firstID(rows), &a, &b)
        }
    }

    /// Calls a closure with values to change and values to read.
    @inlinable
    public func forEachChunk<A: ValueComponent, B: ValueComponent, E: Error>(
        _ body: (inout MutableSpan<A>, Span<B>) throws(E) -> Void
    ) throws(E) where Terms == Terms2<Mut<A>, B> {
        try forEachRun { (run, rows) throws(E) in
            let aRows = run.places[0].buffer(A.self, rows)
            var a = aRows.mutableSpan
            let b = run.places[1].buffer(B.self, rows)
            try body(&a, b.span)
        }
    }

    /// Calls a closure with the first ID, values to change and values to read.
    @inlinable
    public func forEachChunk<A: ValueComponent, B: ValueComponent, E: Error>(
        _ body: (GameObjectID, inout MutableSpan<A>, Span<B>) throws(E) -> Void
    ) throws(E) where Terms == Terms2<Mut<A>, B> {
        try forEachRun { (run, rows) throws(E) in
            let aRows = run.places[0].buffer(A.self, rows)
            var a = aRows.mutableSpan
            let b = run.places[1].buffer(B.self, rows)
            try body(run.firstID(rows), &a, b.span)
        }
    }

    /// Calls a closure with values to read.
    @inlinable
    public func forEachChunk<A: ValueComponent, B: ValueComponent, E: Error>(
        _ body: (Span<A>, Span<B>) throws(E) -> Void
    ) throws(E) where Terms == Terms2<A, B> {
        try forEachRun { (run, rows) throws(E) in
            let a = run.places[0].buffer(A.self, rows)
            let b = run.places[1].buffer(B.self, rows)
            try body(a.span, b.span)
        }
    }

    /// Calls a closure with values to read and the first ID.
    @inlinable
    public func forEachChunk<A: ValueComponent, B: ValueComponent, E: Error>(
        _ body: (GameObjectID, Span<A>, Span<B>) throws(E) -> Void
    ) throws(E) where Terms == Terms2<A, B> {
        try forEachRun { (run, rows) throws(E) in
            let a = run.places[0].buffer(A.self, rows)
            let b = run.places[1].buffer(B.self, rows)
            try body(run.firstID(rows), a.span, b.span)
        }
    }
}

extension Query {
    /// Calls a closure with values to change.
    @inlinable
    public func forEachChunk<A: ValueComponent, B: ValueComponent, C: ValueComponent, E: Error>(
        _ body: (inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>) throws(E) -> Void
    ) throws(E) where Terms == Terms3<Mut<A>, Mut<B>, Mut<C>> {
        try forEachRun { (run, rows) throws(E) in
            let aRows = run.places[0].buffer(A.self, rows)
            var a = aRows.mutableSpan
            let bRows = run.places[1].buffer(B.self, rows)
            var b = bRows.mutableSpan
            let cRows = run.places[2].buffer(C.self, rows)
            var c = cRows.mutableSpan
            try body(&a, &b, &c)
        }
    }

    /// Calls a closure with values to change and the first ID.
    @inlinable
    public func forEachChunk<A: ValueComponent, B: ValueComponent, C: ValueComponent, E: Error>(
        _ body: (GameObjectID, inout MutableSpan<A>, inout MutableSpan<B>, inout MutableSpan<C>)
            throws(E) -> Void
    ) throws(E) where Terms == Terms3<Mut<A>, Mut<B>, Mut<C>> {
        try forEachRun { (run, rows) throws(E) in
            let aRows = run.places[0].buffer(A.self, rows)
            var a = aRows.mutableSpan
            let bRows = run.places[1].buffer(B.self, rows)
            var b = bRows.mutableSpan
            let cRows = run.places[2].buffer(C.self, rows)
            var c = cRows.mutableSpan
            try body(run.firstID(rows), &a, &b, &c)
        }
    }

    /// Calls a closure with values to change and values to read.
    @inlinable
    public func forEachChunk<A: ValueComponent, B: ValueComponent, C: ValueComponent, E: Error>(
        _ body: (inout MutableSpan<A>, inout MutableSpan<B>, Span<C>) throws(E) -> Void
    ) throws(E) where Terms == Terms3<Mut<A>, Mut<B>, C> {
        try forEachRun { (run, rows) throws(E) in
            let aRows = run.places[0].buffer(A.self, rows)
            var a = aRows.mutableSpan
            let bRows = run.places[1].buffer(B.self, rows)
            var b = bRows.mutableSpan
            let c = run.places[2].buffer(C.self, rows)
            try body(&a, &b, c.span)
        }
    }

    /// Calls a closure with the first ID, values to change and values to read.
    @inlinable
    public func forEachChunk<A: ValueComponent, B: ValueComponent, C: ValueComponent, E: Error>(
        _ body: (GameObjectID, inout MutableSpan<A>, inout MutableSpan<B>, Span<C>) throws(E) ->
            Void
    ) throws(E) where Terms == Terms3<Mut<A>, Mut<B>, C> {
        try forEachRun { (run, rows) throws(E) in
            let aRows = run.places[0].buffer(A.self, rows)
            var a = aRows.mutableSpan
            let bRows = run.places[1].buffer(B.self, rows)
            var b = bRows.mutableSpan
            let c = run.places[2].buffer(C.self, rows)
            try body(run.firstID(rows), &a, &b, c.span)
        }
    }

    /// Calls a closure with values to change and values to read.
    @inlinable
    public func forEachChunk<A: ValueComponent, B: ValueComponent, C: ValueComponent, E: Error>(
        _ body: (inout MutableSpan<A>, Span<B>, Span<C>) throws(E) -> Void
    ) throws(E) where Terms == Terms3<Mut<A>, B, C> {
        try forEachRun { (run, rows) throws(E) in
            let aRows = run.places[0].buffer(A.self, rows)
            var a = aRows.mutableSpan
            let b = run.places[1].buffer(B.self, rows)
            let c = run.places[2].buffer(C.self, rows)
            try body(&a, b.span, c.span)
        }
    }

    /// Calls a closure with the first ID, values to change and values to read.
    @inlinable
    public func forEachChunk<A: ValueComponent, B: ValueComponent, C: ValueComponent, E: Error>(
        _ body: (GameObjectID, inout MutableSpan<A>, Span<B>, Span<C>) throws(E) -> Void
    ) throws(E) where Terms == Terms3<Mut<A>, B, C> {
        try forEachRun { (run, rows) throws(E) in
            let aRows = run.places[0].buffer(A.self, rows)
            var a = aRows.mutableSpan
            let b = run.places[1].buffer(B.self, rows)
            let c = run.places[2].buffer(C.self, rows)
            try body(run.firstID(rows), &a, b.span, c.span)
        }
    }

    /// Calls a closure with values to read.
    @inlinable
    public func forEachChunk<A: ValueComponent, B: ValueComponent, C: ValueComponent, E: Error>(
        _ body: (Span<A>, Span<B>, Span<C>) throws(E) -> Void
    ) throws(E) where Terms == Terms3<A, B, C> {
        try forEachRun { (run, rows) throws(E) in
            let a = run.places[0].buffer(A.self, rows)
            let b = run.places[1].buffer(B.self, rows)
            let c = run.places[2].buffer(C.self, rows)
            try body(a.span, b.span, c.span)
        }
    }

    /// Calls a closure with values to read and the first ID.
    @inlinable
    public func forEachChunk<A: ValueComponent, B: ValueComponent, C: ValueComponent, E: Error>(
        _ body: (GameObjectID, Span<A>, Span<B>, Span<C>) throws(E) -> Void
    ) throws(E) where Terms == Terms3<A, B, C> {
        try forEachRun { (run, rows) throws(E) in
            let a = run.places[0].buffer(A.self, rows)
            let b = run.places[1].buffer(B.self, rows)
            let c = run.places[2].buffer(C.self, rows)
            try body(run.firstID(rows), a.span, b.span, c.span)
        }
    }
}
