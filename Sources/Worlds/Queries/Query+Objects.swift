// SPDX-License-Identifier: Apache-2.0

extension Query {
    /// The same question without its filters, for game objects that are known to match.
    package var withoutFilters: Self {
        var query = self
        query.__shape.filters = QueryFilters()
        return query
    }

    /// Calls a closure with the items of those of some game objects that match.
    ///
    /// - Parameters:
    ///   - objects: The game objects, in the order in which they are visited; one that comes twice
    ///     is visited twice.
    ///   - body: Gets an argument for each term.
    /// - Throws: What the closure throws; the loop ends there.
    /// - Complexity: O(number of objects); IDs in ascending order take the least time.
    @inlinable
    public func forEach<E: Error>(
        in objects: some Sequence<GameObjectID>, _ body: (Terms.Items) throws(E) -> Void
    ) throws(E) {
        try forEachRow(in: objects) { (places, row) throws(E) in
            try body(Terms.__items(places, row))
        }
    }
}

extension WideQuery {
    /// Calls a closure with the items of those of some game objects that match, as
    /// ``Query/forEach(in:_:)`` does.
    ///
    /// - Parameters:
    ///   - objects: The game objects, in the order in which they are visited; one that comes twice
    ///     is visited twice.
    ///   - body: Gets an argument for each term.
    /// - Throws: What the closure throws; the loop ends there.
    /// - Complexity: O(number of objects); IDs in ascending order take the least time.
    @inlinable
    public func forEach<E: Error>(
        in objects: some Sequence<GameObjectID>, _ body: (repeat (each T).Item) throws(E) -> Void
    ) throws(E) {
        try forEachRow(in: objects) { (places, row) throws(E) in
            var places = places
            try body(repeat (each T).__item(next(&places), row))
        }
    }
}

extension WorldQuery {
    /// Calls a closure with the places of the terms and the row of those of some game objects that
    /// match.
    @inlinable @inline(__always)
    func forEachRow<E: Error>(
        in objects: some Sequence<GameObjectID>,
        _ body: (UnsafePointer<TermPlace>, Int) throws(E) -> Void
    ) throws(E) {
        let run = QueryRun(__shape)
        defer { run.end() }
        var cursor = RowCursor(run)
        for object in objects {
            guard let row = cursor.seek(object) else { continue }
            try body(run.places, row)
        }
    }
}
