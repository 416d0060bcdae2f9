// SPDX-License-Identifier: Apache-2.0

import Predicates

/// A fetch in terms of names: the input of ``Planner``.
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
    ///
    /// A negative number, and one that no store reaches, is no bound and becomes 0.
    public var limit: Int {
        get { boundLimit }
        set { boundLimit = FetchDescription.bound(newValue) }
    }
    /// The number of results that are left out at the start; a negative one becomes 0.
    public var offset: Int {
        get { boundOffset }
        set { boundOffset = max(0, newValue) }
    }
    /// How many results a page has of which the limit is wider; 0 where the limit is the page's.
    ///
    /// Without an order the pages of a result have to come from one plan. A limit that was raised
    /// to make up for rows which do not count differs from page to page.
    public var pageSize = 0
    private var boundLimit: Int
    private var boundOffset: Int
    /// The most objects that may be scanned for fewer results; 0 for no bound.
    ///
    /// A scan reads all objects of the entities, as no index has the matches, or the order.
    public var scanLimit = 0
    /// The properties that are read of each result; `nil` for any, and none where the results are
    /// only counted.
    ///
    /// An index with all of them may serve ``FetchPlan/forEachReading(in:_:)`` without records.
    public var readProperties: Set<String>?
    /// Whether objects that are alike in the read properties may come together, with their number.
    ///
    /// An index with these properties is read with a step for each of its keys then.
    public var countsKeys = false
    /// A watch that follows the fetch while it runs.
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
        boundLimit = FetchDescription.bound(limit)
        boundOffset = max(0, offset)
    }

    /// How many rows, from the first, have all results among them; 0 for no bound.
    public var reach: Int {
        guard limit > 0 else { return 0 }
        let (sum, overflows) = limit.addingReportingOverflow(offset)
        return overflows ? 0 : FetchDescription.bound(sum)
    }

    /// A limit small enough that sums of limits cannot overflow.
    private static func bound(_ limit: Int) -> Int {
        limit > 0 && limit <= FetchDescription.mostRows ? limit : 0
    }

    /// No store of 64-bit rows in a 48-bit address space holds more.
    private static let mostRows = 1 << 56
}
