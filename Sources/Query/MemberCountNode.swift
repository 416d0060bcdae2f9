// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// Whether so many destinations of a to-many relationship satisfy a condition.
final class MemberCountNode: FilterNode {
    private let relationship: RelationshipTable
    private let members: MemberCount
    private let destinations: DestinationTest

    init(
        _ relationship: RelationshipTable, _ members: MemberCount,
        _ targets: ContiguousArray<(any FilterNode)?>
    ) {
        self.relationship = relationship
        self.members = members
        destinations = DestinationTest(targets, nullResult: false)
    }

    func matches(_ row: FilterRow) throws -> Bool {
        var count: Int64 = 0
        for key in try row.snapshot.destinations(of: row.key, relationship)
        where try destinations.holds(for: key, row.snapshot) {
            count += 1
            // As for most questions, which are whether there is one.
            if members.isSettledByOne { return true }
        }
        return members.holds(count)
    }

    var cost: FilterCost { .follow }
}

extension FilterCompiler {
    /// The node for a count of members; `nil` when the general evaluator must decide.
    func node(
        _ members: MemberCount, _ table: EntityTable
    ) throws(QueryError) -> (any FilterNode)? {
        try node(members, members.keys[...], table)
    }

    private func node(
        _ members: MemberCount, _ keys: ArraySlice<String>, _ table: EntityTable
    ) throws(QueryError) -> (any FilterNode)? {
        guard let key = keys.first, let relationship = table.relationship(named: key) else {
            return nil
        }
        let rest = keys.dropFirst()
        let isToMany = relationship.relationship.isToMany
        guard isToMany == rest.isEmpty else { return nil }
        let found = try store.targets(of: relationship.relationship) {
            target throws(QueryError) in
            isToMany ? try node(members.condition, target) : try node(members, rest, target)
        }
        guard let targets = found else { return nil }
        if isToMany { return MemberCountNode(relationship, members, targets) }
        return table.field(named: key).map {
            ToOneNode(FieldPlace($0, table), targets, nullResult: members.holdsForNone)
        }
    }
}
