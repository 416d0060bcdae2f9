// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// Where a field lies in the records of one entity.
struct FieldPlace: Sendable {
    let position: Int
    let offset: Int
    let type: AttributeType

    init(_ position: Int, _ table: EntityTable) {
        self.position = position
        offset = table.layout.fields[position].offset
        type = table.layout.fields[position].type
    }
}

/// Whether a field has no value.
final class NullNode: FilterNode {
    private let position: Int
    private let wantsNull: Bool

    init(_ place: FieldPlace, wantsNull: Bool) {
        position = place.position
        self.wantsNull = wantsNull
    }

    func matches(_ row: FilterRow) throws -> Bool { row.record.isNull(position) == wantsNull }
    var cost: FilterCost { .fixedWidth }
}

extension FieldPlace {
    /// The value of an integer or boolean field.
    @inline(__always)
    func integer(_ record: RecordView) -> Int64 {
        switch type {
        case .integer16: Int64(record.load(at: offset, as: Int16.self))
        case .integer32: Int64(record.load(at: offset, as: Int32.self))
        case .boolean: record.load(at: offset, as: UInt8.self) != 0 ? 1 : 0
        default: record.load(at: offset, as: Int64.self)
        }
    }

    /// The value of a floating point or date field.
    @inline(__always)
    func double(_ record: RecordView) -> Double {
        type == .float
            ? Double(Float(bitPattern: record.load(at: offset, as: UInt32.self)))
            : Double(bitPattern: record.load(at: offset, as: UInt64.self))
    }
}

/// Whether an integer or boolean field lies in an interval.
final class IntegerNode: FilterNode {
    private let place: FieldPlace
    private let interval: IntegerInterval
    private let isNegated: Bool
    private let nullResult: Bool

    init(_ place: FieldPlace, _ interval: IntegerInterval, isNegated: Bool, nullResult: Bool) {
        self.place = place
        self.interval = interval
        self.isNegated = isNegated
        self.nullResult = nullResult
    }

    func matches(_ row: FilterRow) throws -> Bool {
        if row.record.isNull(place.position) { return nullResult }
        let value = place.integer(row.record)
        return (value >= interval.lower && value <= interval.upper) != isNegated
    }

    var cost: FilterCost { .fixedWidth }
}

/// Whether an integer or boolean field is one of several numbers.
final class IntegerSetNode: FilterNode {
    private let place: FieldPlace
    private let members: ContiguousArray<Int64>
    private let nullResult: Bool

    init(_ place: FieldPlace, _ members: Set<Int64>, nullResult: Bool) {
        self.place = place
        self.members = ContiguousArray(members.sorted())
        self.nullResult = nullResult
    }

    func matches(_ row: FilterRow) throws -> Bool {
        if row.record.isNull(place.position) { return nullResult }
        return members.hasSorted(place.integer(row.record))
    }

    var cost: FilterCost { .fixedWidth }
}

/// Whether a floating point or date field lies in an interval.
final class DoubleNode: FilterNode {
    private let place: FieldPlace
    private let interval: DoubleInterval
    private let isNegated: Bool
    private let nullResult: Bool

    init(_ place: FieldPlace, _ interval: DoubleInterval, isNegated: Bool, nullResult: Bool) {
        self.place = place
        self.interval = interval
        self.isNegated = isNegated
        self.nullResult = nullResult
    }

    func matches(_ row: FilterRow) throws -> Bool {
        if row.record.isNull(place.position) { return nullResult }
        let value = place.double(row.record)
        return (value >= interval.lower && value <= interval.upper) != isNegated
    }

    var cost: FilterCost { .fixedWidth }
}

/// Whether a reference is to one of several objects.
final class KeyNode: FilterNode {
    private let place: FieldPlace
    private let members: KeySet
    private let isNegated: Bool
    private let nullResult: Bool

    init(_ place: FieldPlace, _ members: KeySet, isNegated: Bool, nullResult: Bool) {
        self.place = place
        self.members = members
        self.isNegated = isNegated
        self.nullResult = nullResult
    }

    func matches(_ row: FilterRow) throws -> Bool {
        if row.record.isNull(place.position) { return nullResult }
        let key = ObjectKey(rawValue: row.record.load(at: place.offset, as: UInt64.self))
        return members.contains(key) != isNegated
    }

    var cost: FilterCost { .fixedWidth }
}

/// Whether the object itself is one of several.
final class IdentityNode: FilterNode {
    private let members: KeySet
    private let isNegated: Bool

    init(_ members: KeySet, isNegated: Bool) {
        self.members = members
        self.isNegated = isNegated
    }

    func matches(_ row: FilterRow) throws -> Bool { members.contains(row.key) != isNegated }
    var cost: FilterCost { .none }
}

/// Whether the boxed value of a field satisfies a comparison: for rare types and operators.
final class ValueNode: FilterNode {
    private let position: Int
    private let table: EntityTable
    private let test: PreparedPredicate

    init(_ position: Int, _ table: EntityTable, _ test: PreparedPredicate) {
        self.position = position
        self.table = table
        self.test = test
    }

    func matches(_ row: FilterRow) throws -> Bool {
        let value = try row.record.fullValue(position, of: row.key, table, row.snapshot)
        return try test.evaluate(with: .value(value))
    }

    var cost: FilterCost { .value }
}

/// A few object keys.
struct KeySet: Sendable {
    private let members: ContiguousArray<UInt64>

    init(_ keys: some Sequence<ObjectKey>) {
        members = ContiguousArray(Set(keys.map(\.rawValue)).sorted())
    }

    /// The keys ascending.
    var keys: [ObjectKey] { members.map { ObjectKey(rawValue: $0) } }

    @inline(__always)
    func contains(_ key: ObjectKey) -> Bool {
        members.count == 1 ? members[0] == key.rawValue : members.hasSorted(key.rawValue)
    }
}
