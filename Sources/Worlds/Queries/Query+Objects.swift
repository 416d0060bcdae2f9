// SPDX-License-Identifier: Apache-2.0

extension Query {
    /// Calls a closure with the items of those of some game objects that match.
    ///
    /// - Parameters:
    ///   - objects: The game objects, in the order in which they are visited; one that comes twice
    ///     is visited twice.
    ///   - body: Gets an argument for each term.
    /// - Throws: What the closure throws; the loop ends there.
    /// - Complexity: O(number of objects)
    @inlinable
    public func forEach<E: Error>(
        in objects: some Sequence<GameObjectID>, _ body: (Terms.Items) throws(E) -> Void
    ) throws(E) {
        let run = QueryRun(__shape)
        defer { run.end() }
        for object in objects {
            guard let row = run.seek(object) else { continue }
            try body(Terms.__items(run.places, row))
        }
    }
}

extension QueryRun {
    /// Goes to a game object.
    ///
    /// - Returns: Its row in the block; nil if it does not match.
    @usableFromInline
    func seek(_ object: GameObjectID) -> Int? {
        guard object.entity == world.entity else { return nil }
        block = object.row >> shift
        guard block < blocks, match() else { return nil }
        let row = object.row & ((1 << shift) - 1)
        let bit: UInt64 = 1 << UInt64(row & 63)
        guard masks[row >> 6] & bit != 0 else { return nil }
        // Only this one is visited, and so counts as changed.
        masks.update(repeating: 0, count: words)
        masks[row >> 6] = bit
        place()
        return row
    }
}
