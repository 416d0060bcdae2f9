// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

extension MacroConversion {
    fileprivate mutating func call(
        _ name: String, _ left: some PredicateExpression, _ right: some PredicateExpression
    ) throws(MacroFailure) -> MacroPart {
        .expression(.function(name, [try value(left), try value(right)]))
    }
}

extension PredicateExpressions.Arithmetic: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        let name =
            switch op {
            case .add: FunctionName.add
            case .subtract: FunctionName.subtract
            case .multiply: FunctionName.multiply
            @unknown default: throw MacroFailure(message: "the operation \(op)")
            }
        return try conversion.call(name, lhs, rhs)
    }
}

extension PredicateExpressions.UnaryMinus: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        .expression(
            .function(
                FunctionName.subtract,
                [.constant(.value(.integer64(0))), try conversion.value(wrapped)]))
    }
}

extension PredicateExpressions.IntDivision: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        try conversion.call(FunctionName.divide, lhs, rhs)
    }
}

extension PredicateExpressions.IntRemainder: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        try conversion.call("modulus:by:", lhs, rhs)
    }
}

extension PredicateExpressions.FloatDivision: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        try conversion.call(FunctionName.divide, lhs, rhs)
    }
}
