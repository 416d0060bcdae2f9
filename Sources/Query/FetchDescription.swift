// SPDX-License-Identifier: Apache-2.0

import Predicates

/// What a fetch asks for, by names: the input of ``Planner``.
public struct FetchDescription: Sendable {
    /// The name of the entity.
    public var entity: String
    /// Whether objects of entities that inherit from the entity are found too.
    public var includesSubentities = true
    /// The condition on the objects; `nil` for all.
    public var predicate: Predicate?
    /// The order of the result, most significant first; empty for any order.
    public var sortOrders: [SortOrder]
    /// The greatest number of results; 0 for no bound.
    public var limit: Int
    /// The number of results that are left out at the start.
    public var offset: Int
    /// Who follows the fetch while it runs.
    public var watch: FetchWatch?

    /// Makes a description.
    public init(
        entity: String, includesSubentities: Bool = true, predicate: Predicate? = nil,
        sortOrders: [SortOrder] = [], limit: Int = 0, offset: Int = 0
    ) {
        self.entity = entity
        self.includesSubentities = includesSubentities
        self.predicate = predicate
        self.sortOrders = sortOrders
        self.limit = limit
        self.offset = offset
    }
}

extension FetchDescription {
    /// How many results a sort has to keep; 0 for all.
    ///
    /// All, too, where a limit like `Int.max` is none in effect: sums with it would overflow.
    var sortBound: Int {
        let greatest = 1 << 40
        guard limit > 0, limit < greatest, offset < greatest else { return 0 }
        return limit + max(0, offset)
    }
}
