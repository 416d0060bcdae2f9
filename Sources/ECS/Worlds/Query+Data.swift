// SPDX-License-Identifier: Apache-2.0

import ManagedObjects
import Worlds

extension Query {
    /// Calls a closure for each game object that matches and has managed objects of a type as data,
    /// once for each of these; see ``DataQuery``.
    ///
    /// - Parameters:
    ///   - type: The class of the data.
    ///   - body: Gets the data and the items of the query.
    /// - Throws: As ``DataQuery`` does, and what the closure throws.
    /// - Complexity: O(game objects that match the terms), a prefix scan over those with such data,
    ///   and a look-up for each that matches.
    public func forEach<Data: NSManagedObject>(
        with type: Data.Type, _ body: (Data, Terms.Items) throws -> Void
    ) throws {
        try DataQuery<Terms, Data>(self).forEachDatum(body)
    }
}
