// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// What a filter looks at.
struct FilterRow {
    let key: ObjectKey
    let record: RecordView
    // unowned(unsafe): the caller of a node holds the snapshot for the whole call; counting a
    // reference for each row costs more than a comparison of numbers.
    unowned(unsafe) let snapshot: StoreSnapshot
}

/// One condition of a compiled filter, for records of one entity.
///
/// A class constraint keeps the existential at one word and a table, without a box.
protocol FilterNode: AnyObject, Sendable {
    /// Whether the record satisfies the condition.
    func matches(_ row: FilterRow) throws -> Bool

    /// How costly the condition is: cheap ones are asked first.
    var cost: FilterCost { get }
}

/// The classes of cost of a condition.
enum FilterCost: Int, Comparable {
    case none
    case fixedWidth
    case text
    case value
    case follow
    case general

    static func < (left: FilterCost, right: FilterCost) -> Bool { left.rawValue < right.rawValue }
}

/// Always true or always false.
final class ConstantNode: FilterNode {
    let value: Bool

    init(_ value: Bool) { self.value = value }

    func matches(_ row: FilterRow) throws -> Bool { value }
    var cost: FilterCost { .none }
}

/// True when the operand is false.
final class NotNode: FilterNode {
    private let operand: any FilterNode

    init(_ operand: any FilterNode) { self.operand = operand }

    func matches(_ row: FilterRow) throws -> Bool { try !operand.matches(row) }
    var cost: FilterCost { operand.cost }
}

/// All, or any, of several conditions; the cheap ones first.
final class CompoundNode: FilterNode {
    private let members: ContiguousArray<any FilterNode>
    /// What one member decides: false for "all", true for "any".
    private let deciding: Bool

    init(_ members: [any FilterNode], deciding: Bool) {
        // `sorted` is stable: members of the same cost keep their order.
        self.members = ContiguousArray(members.sorted { $0.cost < $1.cost })
        self.deciding = deciding
    }

    func matches(_ row: FilterRow) throws -> Bool {
        for index in members.indices where try members[index].matches(row) == deciding {
            return deciding
        }
        return !deciding
    }

    var cost: FilterCost { members.last?.cost ?? .none }
}

/// A condition without a node of its own, evaluated on values made from the record.
final class GeneralNode: FilterNode {
    private let predicate: PreparedPredicate

    init(_ predicate: Predicate) throws(PredicateEvaluationError) {
        self.predicate = try PreparedPredicate(predicate).limited()
    }

    func matches(_ row: FilterRow) throws -> Bool {
        try predicate.evaluate(with: RecordSubject(row.key, row.record, row.snapshot))
    }

    var cost: FilterCost { .general }
}
