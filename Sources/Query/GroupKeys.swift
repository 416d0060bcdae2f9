// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// What the members of a group have in common: one value.
enum GroupField {
    /// A field of the record, whose bytes are in it.
    case plain(FieldPlace)
    /// A value behind to-one relationships, by its place among those.
    case path(Int)
    /// A value of another kind, by its place among those.
    case computed(Int)
}

/// Numbers the values that a path has, and knows that of each object which it begins with.
///
/// So a destination is read once, and not for each row that leads to it.
struct PathNumbers {
    let path: SortPath
    private var destinations = GroupTable()
    /// By the number of the destination; 0 for no value.
    private var numbers: ContiguousArray<UInt64> = []
    private var values = GroupTable()

    init(_ path: SortPath) { self.path = path }

    /// - Parameter ordinal: That of the row's entity.
    mutating func number(
        of row: ResultRow, _ ordinal: Int, _ snapshot: StoreSnapshot
    ) throws -> UInt64 {
        guard let place = path.steps[0][ordinal], !row.record.isNull(place.position) else {
            return 0
        }
        destinations.startKey()
        destinations.appendWord(row.record.load(at: place.offset, as: UInt64.self))
        let (destination, isNew) = destinations.number()
        if isNew { numbers.append(try value(row, snapshot)) }
        return numbers[destination]
    }

    private mutating func value(_ row: ResultRow, _ snapshot: StoreSnapshot) throws -> UInt64 {
        guard let (found, place) = try path.locate(row, snapshot) else { return 0 }
        values.startKey()
        values.appendKey(place, found.record)
        return UInt64(values.number().number) + 1
    }
}

/// Numbers the values that an expression has.
struct ComputedNumbers {
    private let expression: RecordExpression
    private var numbers: [Value: UInt64] = [:]
    /// The value at hand.
    private(set) var last = SubjectOperand.value(.null)

    init(_ expression: Expression) { self.expression = RecordExpression(expression) }

    mutating func number(of row: ResultRow, _ snapshot: StoreSnapshot) throws -> UInt64 {
        last = try expression.value(row.key, row.record, snapshot)
        let next = UInt64(numbers.count)
        let key = last.groupKey
        if let known = numbers[key] { return known }
        numbers[key] = next
        return next
    }
}

extension SubjectOperand {
    /// What groups and distinct rows are compared by; NaN equals NaN here.
    public var groupKey: Value {
        guard let value = scalar else { return .null }
        if let key = value.membershipKey([]) { return key }
        if case .decimal = value { return value }
        return .string("NaN")
    }
}
