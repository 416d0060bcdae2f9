// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema
import Store

extension PlanChooser {
    /// The criteria of an order without those that the condition fixes to one value.
    ///
    /// All matches are equal in these, and an index needs only the others. One is left at least.
    ///
    /// Rows that are equal in all criteria still come by the direction of the last one that the
    /// fetch states.
    static func deciding(
        _ paths: [SortPath], _ members: [Predicate], _ planner: SourcePlanner
    ) -> [SortPath] {
        if paths.count < 2 || members.isEmpty { return paths }
        let reader = RestrictionReader(schema: planner.store.schema, entity: planner.entity)
        let fixed = Set(members.compactMap { reader.fixedProperty($0) })
        if fixed.isEmpty { return paths }
        let deciding = paths.filter { $0.names.count != 1 || !fixed.contains($0.names[0]) }
        return deciding.isEmpty ? [paths[paths.count - 1]] : deciding
    }
}

extension RestrictionReader {
    /// The property that a condition fixes to one value, which has no two forms; nil if there is
    /// none.
    fileprivate func fixedProperty(_ member: Predicate) -> String? {
        guard case .comparison(let comparison) = member, comparison.operator == .equalTo,
            let found = restriction(comparison, member: 0), found.isExact,
            case .values(let values) = found.kind, values.count == 1
        else { return nil }
        switch values[0] {
        case .double(let number) where number == 0 || number.isNaN: return nil
        case .date(let time) where time == 0 || time.isNaN: return nil
        case .decimal: return nil
        default: return found.property
        }
    }
}
