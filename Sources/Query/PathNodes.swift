// SPDX-License-Identifier: Apache-2.0

import RecordFormat
import Schema
import Store

/// A condition on the object that a to-one relationship leads to.
final class ToOneNode: FilterNode {
    private let place: FieldPlace
    private let destination: DestinationTest

    init(_ place: FieldPlace, _ targets: ContiguousArray<(any FilterNode)?>, nullResult: Bool) {
        self.place = place
        destination = DestinationTest(targets, nullResult: nullResult)
    }

    func matches(_ row: FilterRow) throws -> Bool {
        if row.record.isNull(place.position) { return destination.nullResult }
        let key = ObjectKey(rawValue: row.record.load(at: place.offset, as: UInt64.self))
        return try destination.holds(for: key, row.snapshot)
    }

    var cost: FilterCost { .follow }
}

/// A condition that any, or every, destination of a to-many relationship must satisfy.
final class ToManyNode: FilterNode {
    private let relationship: RelationshipTable
    private let targets: ContiguousArray<(any FilterNode)?>
    /// What one destination decides: true for "any", false for "all".
    private let deciding: Bool
    private let nullResult: Bool

    init(
        _ relationship: RelationshipTable, _ targets: ContiguousArray<(any FilterNode)?>,
        deciding: Bool, nullResult: Bool
    ) {
        self.relationship = relationship
        self.targets = targets
        self.deciding = deciding
        self.nullResult = nullResult
    }

    func matches(_ row: FilterRow) throws -> Bool {
        for key in try row.snapshot.destinations(of: row.key, relationship) {
            let result: Bool
            if let ordinal = row.snapshot.store.ordinal(of: key.entity),
                let target = targets[ordinal], let record = try row.snapshot.record(for: key)
            {
                result = try target.matches(
                    FilterRow(key: key, record: record, snapshot: row.snapshot))
            } else {
                result = nullResult
            }
            if result == deciding { return deciding }
        }
        return !deciding
    }

    var cost: FilterCost { .follow }
}

/// Whether any, or every, destination of a to-many relationship is one of several objects.
final class DestinationNode: FilterNode {
    private let relationship: RelationshipTable
    private let members: KeySet
    private let isNegated: Bool
    private let deciding: Bool

    init(
        _ relationship: RelationshipTable, _ members: KeySet, isNegated: Bool, deciding: Bool
    ) {
        self.relationship = relationship
        self.members = members
        self.isNegated = isNegated
        self.deciding = deciding
    }

    func matches(_ row: FilterRow) throws -> Bool {
        for key in try row.snapshot.destinations(of: row.key, relationship)
        where (members.contains(key) != isNegated) == deciding {
            return deciding
        }
        return !deciding
    }

    var cost: FilterCost { .follow }
}

/// Whether the count of a to-many relationship's destinations lies in an interval.
final class CountNode: FilterNode {
    private let relationship: RelationshipTable
    private let interval: IntegerInterval
    private let isNegated: Bool

    init(_ relationship: RelationshipTable, _ interval: IntegerInterval, isNegated: Bool) {
        self.relationship = relationship
        self.interval = interval
        self.isNegated = isNegated
    }

    func matches(_ row: FilterRow) throws -> Bool {
        let count = Int64(try row.snapshot.destinationCount(of: row.key, relationship))
        return (count >= interval.lower && count <= interval.upper) != isNegated
    }

    var cost: FilterCost { .follow }
}
