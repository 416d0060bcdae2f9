// SPDX-License-Identifier: Apache-2.0

extension Query {
    /// Calls a closure with the items of each game object that matches, in the order of a key.
    ///
    /// ```swift
    /// world.query(Sprite.self, Position.self).forEach(sortedBy: { _, position in position.z }) {
    ///     sprite, position in draw(sprite, at: position)
    /// }
    /// ```
    ///
    /// Game objects with equal keys come in the order of their IDs. All keys are made before the
    /// first call, so what the closure changes does not change the order.
    ///
    /// - Parameters:
    ///   - key: Makes the key of a game object.
    ///   - body: Gets an argument for each term.
    /// - Throws: What the closure throws; the loop ends there.
    /// - Complexity: O(n log n) for n matches, which are kept in an array.
    @inlinable
    public func forEach<Key: Comparable, E: Error>(
        sortedBy key: (Terms.Items) -> Key, _ body: (Terms.Items) throws(E) -> Void
    ) throws(E) {
        let run = QueryRun(__shape)
        defer { run.end() }
        try run.forEachSorted { places, row in
            key(Terms.__items(places, row))
        } body: { (places, row) throws(E) in
            try body(Terms.__items(places, row))
        }
    }
}

extension WideQuery {
    /// Calls a closure with the items of each game object that matches, in the order of a key, as
    /// ``Query/forEach(sortedBy:_:)`` does.
    ///
    /// - Parameters:
    ///   - key: Makes the key of a game object.
    ///   - body: Gets an argument for each term.
    /// - Throws: What the closure throws; the loop ends there.
    /// - Complexity: O(n log n) for n matches, which are kept in an array.
    @inlinable
    public func forEach<Key: Comparable, E: Error>(
        sortedBy key: (repeat (each T).Item) -> Key,
        _ body: (repeat (each T).Item) throws(E) -> Void
    ) throws(E) {
        let run = QueryRun(__shape)
        defer { run.end() }
        try run.forEachSorted { places, row in
            var places = places
            return key(repeat (each T).__item(next(&places), row))
        } body: { (places, row) throws(E) in
            var places = places
            try body(repeat (each T).__item(next(&places), row))
        }
    }
}

extension QueryRun {
    /// Calls a closure with the places of the terms and the row of each match, in the order of keys
    /// that another closure makes of the same.
    @inlinable @inline(__always)
    func forEachSorted<Key: Comparable, E: Error>(
        by key: (UnsafePointer<TermPlace>, Int) -> Key,
        body: (UnsafePointer<TermPlace>, Int) throws(E) -> Void
    ) throws(E) {
        var blocks: [TermPlace] = []
        var found: [(key: Key, block: Int, row: Int)] = []
        while nextBlock() {
            for word in 0..<words {
                var rest = masks[word]
                while rest != 0 {
                    let row = word &<< 6 | rest.trailingZeroBitCount
                    rest &= rest &- 1
                    found.append((key(places, row), blocks.count, row))
                }
            }
            blocks.append(contentsOf: placesOfBlock)
        }
        found.sort {
            if $0.key != $1.key { return $0.key < $1.key }
            return ($0.block, $0.row) < ($1.block, $1.row)
        }
        for match in found {
            // Items point to values in the columns, which stay where they are until the run ends.
            try blocks.withUnsafeBufferPointer { (places) throws(E) in
                guard let first = places.baseAddress else { return }
                try body(first + match.block, match.row)
            }
        }
    }
}
