// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

extension Predicate {
    /// An equal predicate in the form that compiling and planning look for: nested `and`s and
    /// `or`s in one, constant expressions evaluated, the constant of a comparison on the right.
    func normalized() -> Predicate {
        switch self {
        case .constant: return self
        case .not(let operand):
            switch operand.normalized() {
            case .constant(let value): return .constant(!value)
            case .not(let inner): return inner
            case let inner: return .not(inner)
            }
        case .and(let members): return .joined(members, isAnd: true)
        case .or(let members): return .joined(members, isAnd: false)
        case .comparison(let comparison): return .comparison(comparison.normalized())
        }
    }

    /// Members in one conjunction or disjunction, without constants.
    static func joined(_ members: [Predicate], isAnd: Bool) -> Predicate {
        var flat: [Predicate] = []
        for member in members {
            switch member.normalized() {
            case .and(let inner) where isAnd: flat += inner
            case .or(let inner) where !isAnd: flat += inner
            case .constant(isAnd): break
            case .constant(!isAnd): return .constant(!isAnd)
            case let other: flat.append(other)
            }
        }
        if flat.isEmpty { return .constant(isAnd) }
        if flat.count == 1 { return flat[0] }
        return isAnd ? .and(flat) : .or(flat)
    }
}

extension Comparison {
    fileprivate func normalized() -> Comparison {
        var result = self
        result.left = left.evaluated()
        result.right = right.evaluated()
        guard modifier == .direct, result.left.constantOperand != nil,
            result.right.constantOperand == nil, let mirrored = `operator`.mirrored
        else { return result }
        (result.left, result.right) = (result.right, result.left)
        result.operator = mirrored
        return result
    }
}

extension Operator {
    /// The operator for exchanged sides; `nil` where there is none.
    fileprivate var mirrored: Operator? {
        switch self {
        case .equalTo, .notEqualTo: self
        case .lessThan: .greaterThan
        case .lessThanOrEqualTo: .greaterThanOrEqualTo
        case .greaterThan: .lessThan
        case .greaterThanOrEqualTo: .lessThanOrEqualTo
        default: nil
        }
    }
}

extension Expression {
    /// The expression with parts that no record changes as constants.
    fileprivate func evaluated() -> Expression {
        switch self {
        case .constant, .evaluatedObject, .variable, .keyPath: return self
        default: break
        }
        guard isConstant, let result = try? value(with: .value(.null)), let operand = result.operand
        else { return self }
        return .constant(operand)
    }

    private var isConstant: Bool {
        switch self {
        case .constant: true
        case .aggregate(let members): members.allSatisfy(\.isConstant)
        case .function(let name, let arguments):
            !["now", "random", "randomn:", FunctionName.call].contains(name)
                && arguments.allSatisfy(\.isConstant)
        default: false
        }
    }
}

extension SubjectOperand {
    /// The operand as a constant; `nil` for one with an object in it.
    fileprivate var operand: Operand? {
        switch self {
        case .value(let value): return .value(value)
        case .subject: return nil
        case .collection(let members):
            let operands = members.compactMap(\.operand)
            return operands.count == members.count ? .list(operands) : nil
        }
    }
}
