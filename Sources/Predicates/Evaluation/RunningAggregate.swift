// SPDX-License-Identifier: Apache-2.0

import Schema

/// An aggregate function of values that come one after the other.
///
/// Only `median:`, `mode:` and `stddev:` keep what they were given, as plain numbers.
public struct RunningAggregate {
    private enum Function {
        case count
        case sum
        case average
        case extreme(Ordering)
        case numbers(([Double]) -> SubjectOperand)
    }

    private let function: Function
    private var sum = NumberSum()
    private var best = Value.null
    private var bestDecimal: DecimalValue?
    private var numbers: [Double] = []

    /// Begins with no values.
    ///
    /// - Parameter name: The selector, such as `sum:`.
    /// - Returns: nil for a function that is no aggregate.
    public init?(_ name: String) {
        switch name {
        case "count:": function = .count
        case "sum:": function = .sum
        case "average:": function = .average
        case "min:": function = .extreme(.ascending)
        case "max:": function = .extreme(.descending)
        case "median:": function = .numbers { .value(Statistics.median($0)) }
        case "mode:": function = .numbers(Statistics.mode)
        case "stddev:": function = .numbers { .value(Statistics.standardDeviation($0)) }
        default: return nil
        }
    }

    /// The aggregate of the values so far.
    public var value: SubjectOperand {
        switch function {
        case .count: .value(.integer64(Int64(sum.count)))
        case .sum: .value(sum.total.value)
        case .average: .value(.double(sum.mean))
        case .extreme: .value(bestDecimal.map { .decimal($0) } ?? best)
        case .numbers(let finish): finish(numbers)
        }
    }

    /// Adds a member; nil does not count.
    ///
    /// - Throws: ``PredicateEvaluationError`` with code `typeMismatch` for a member that the
    ///   function does not apply to.
    public mutating func add(_ member: SubjectOperand) throws {
        if member.isNull { return }
        switch function {
        case .count: sum.add(.integer(0))
        case .sum, .average: sum.add(try number(member))
        case .numbers: numbers.append(try number(member).doubleValue)
        case .extreme(let wanted):
            guard let value = member.scalar?.withPositiveZero else {
                throw mismatch("a value", member)
            }
            if let other = bestDecimal {
                best = .decimal(other)
                bestDecimal = nil
            }
            // Any number is better than NaN, which has no order.
            if best.isNull || best.isNaN || value.predicateCompare(best) == wanted { best = value }
        }
    }

    private func number(_ member: SubjectOperand) throws -> Number {
        guard let value = member.scalar, let number = Number(value) else {
            throw mismatch("a number", member)
        }
        return number
    }

    private func mismatch(
        _ wanted: String, _ member: SubjectOperand
    ) -> PredicateEvaluationError {
        PredicateEvaluationError(
            code: .typeMismatch, message: "\(wanted) is needed, not \(member.kind)")
    }
}

/// What would be boxed as a value.
extension RunningAggregate {
    /// Adds a decimal, where no values of other types are added.
    public mutating func add(_ decimal: DecimalValue) {
        switch function {
        case .count: sum.add(.integer(0))
        case .sum, .average: sum.add(.decimal(decimal))
        case .numbers: numbers.append(decimal.doubleValue)
        case .extreme(let wanted):
            if let bestDecimal, Ordering(decimal, bestDecimal) != wanted { return }
            bestDecimal = decimal
        }
    }

    /// Whether a text would be the extreme, so that it need not be made where it is not.
    public mutating func wants(utf8 bytes: UnsafeRawBufferPointer) -> Bool {
        guard case .extreme(let wanted) = function, var text = best.text else { return true }
        return text.withUTF8 { Ordering(bytes: bytes, UnsafeRawBufferPointer($0)) } == wanted
    }
}

extension Value {
    /// The value with zero in place of the negative zero, which is equal to it.
    fileprivate var withPositiveZero: Value {
        switch self {
        case .double(let number): .double(number + 0)
        case .date(let number): .date(number + 0)
        case .float(let number): .float(number + 0)
        default: self
        }
    }

    /// Whether this is a number, or a date, that has no order.
    fileprivate var isNaN: Bool {
        switch self {
        case .double(let number), .date(let number): number.isNaN
        case .float(let number): number.isNaN
        default: false
        }
    }
}
