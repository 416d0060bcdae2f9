// SPDX-License-Identifier: Apache-2.0

import Predicates
import RecordFormat
import Schema
import Store

/// One operation on the bits of a number, with a constant.
struct BitStep: Sendable {
    let operation: BitOperation
    let constant: Int64
}

/// A key path whose value goes through operations on its bits: `flags & 6`, `~(a.flags >> 2)`.
struct MaskedPath {
    let keys: [String]
    let steps: ContiguousArray<BitStep>

    /// - Returns: `nil` for an expression of another form.
    init?(_ expression: Expression) {
        var steps: ContiguousArray<BitStep> = []
        var rest = expression
        while case .function(let name, let arguments) = rest {
            guard let (step, operand) = BitStep.outermost(name, arguments) else { return nil }
            steps.append(step)
            rest = operand
        }
        guard !steps.isEmpty, case .keyPath(let keys) = rest else { return nil }
        self.keys = keys
        self.steps = ContiguousArray(steps.reversed())
    }
}

extension BitStep {
    /// The step that a function does last, and what it is done with.
    fileprivate static func outermost(
        _ name: String, _ arguments: [Expression]
    ) -> (BitStep, Expression)? {
        if name == FunctionName.complement, arguments.count == 1 {
            return (BitStep(operation: .exclusiveOr, constant: -1), arguments[0])
        }
        guard let operation = BitOperation(function: name), arguments.count == 2 else {
            return nil
        }
        if let constant = arguments[1].integerConstant {
            return (BitStep(operation: operation, constant: constant), arguments[0])
        }
        guard operation.isCommutative, let constant = arguments[0].integerConstant else {
            return nil
        }
        return (BitStep(operation: operation, constant: constant), arguments[1])
    }
}

extension Expression {
    fileprivate var integerConstant: Int64? {
        guard case .value(let value)? = constantOperand else { return nil }
        switch value {
        case .integer16(let value): return Int64(value)
        case .integer32(let value): return Int64(value)
        case .integer64(let value): return value
        case .boolean(let value): return value ? 1 : 0
        default: return nil
        }
    }
}

/// Whether bits of an integer or boolean field make a number that lies in an interval.
final class BitsNode: FilterNode {
    private let place: FieldPlace
    private let steps: ContiguousArray<BitStep>
    private let interval: IntegerInterval
    private let isNegated: Bool
    private let nullResult: Bool

    init(
        _ place: FieldPlace, _ steps: ContiguousArray<BitStep>, _ interval: IntegerInterval,
        isNegated: Bool, nullResult: Bool
    ) {
        self.place = place
        self.steps = steps
        self.interval = interval
        self.isNegated = isNegated
        self.nullResult = nullResult
    }

    func matches(_ row: FilterRow) throws -> Bool {
        if row.record.isNull(place.position) { return nullResult }
        var value = place.integer(row.record)
        for step in steps { value = step.operation(value, step.constant) }
        return (value >= interval.lower && value <= interval.upper) != isNegated
    }

    var cost: FilterCost { .fixedWidth }
}
