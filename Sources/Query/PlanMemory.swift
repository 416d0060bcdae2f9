// SPDX-License-Identifier: Apache-2.0

import Store

/// The plans that a program made lately, to make others of the same shape from.
///
/// Programs ask the same few questions with other constants. What a plan has found for one of them
/// holds for the next one: that all keys exist, that constants of these types fit, and which source
/// is the cheapest as long as it yields few objects. What depends on the constants is made anew.
///
/// For one thread at a time, and for one store, which it keeps open.
public final class PlanMemory {
    private var shapes: ContiguousArray<PlanShape> = []
    /// The indexes that the plans have chosen among.
    private var catalog: CatalogState?
    /// How many plans were made from others.
    public private(set) var reuseCount = 0
    /// The shape that is forgotten next.
    private var oldest = 0

    /// Few, so that a list is searched faster than a table.
    private static var greatestCount: Int { 16 }

    /// Makes an empty memory.
    public init() {}

    /// Lets go of the plans, and of the store that they are of.
    public func forgetAll() {
        shapes = []
        catalog = nil
        oldest = 0
    }

    /// The plan of a fetch by one of the same shape; `nil` where it has to be weighed.
    func plan(_ fetch: FetchDescription, _ store: Store, _ catalog: CatalogState) -> FetchPlan? {
        guard self.catalog === catalog, let conditions = PlainCondition.list(of: fetch.predicate)
        else { return nil }
        for shape in shapes where shape.fits(fetch, conditions) {
            let plan = shape.plan(fetch, conditions, store, catalog)
            if plan != nil { reuseCount += 1 }
            return plan
        }
        return nil
    }

    /// Keeps what was found for a fetch.
    func note(
        _ fetch: FetchDescription, _ plan: FetchPlan, _ choice: PlanChooser.Choice,
        _ table: EntityTable
    ) {
        guard let conditions = PlainCondition.list(of: fetch.predicate),
            let shape = PlanShape(fetch, conditions, plan, choice, table)
        else { return }
        if catalog !== plan.catalog {
            shapes.removeAll(keepingCapacity: true)
            catalog = plan.catalog
        }
        // One that fits was not good enough for the constants of this fetch.
        if let known = shapes.firstIndex(where: { $0.fits(fetch, conditions) }) {
            shapes[known] = shape
        } else if shapes.count < PlanMemory.greatestCount {
            shapes.append(shape)
        } else {
            shapes[oldest] = shape
            oldest = (oldest + 1) % PlanMemory.greatestCount
        }
    }
}
