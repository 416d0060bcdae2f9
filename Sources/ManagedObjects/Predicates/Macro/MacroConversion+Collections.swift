// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

extension PredicateExpressions.SequenceContains: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        let value = try conversion.value(element)
        if let bounds = try MacroBounds(sequence, &conversion) {
            return .predicate(bounds.predicate(value))
        }
        let list = try conversion.value(sequence)
        return .predicate(
            LHS.Output.self is any StringProtocol.Type
                ? .comparison(list, .contains, value) : .comparison(value, .in, list))
    }
}

extension PredicateExpressions.SequenceContainsWhere: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        let list = try conversion.value(sequence)
        let name = conversion.bindMember(variable.key)
        let condition = try conversion.predicate(test)
        if let any = condition.asAny(list, name) { return .predicate(any) }
        return .predicate(.count(list, name, condition, .notEqualTo))
    }
}

extension PredicateExpressions.SequenceAllSatisfy: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        let list = try conversion.value(sequence)
        let name = conversion.bindMember(variable.key)
        return .predicate(.count(list, name, .not(try conversion.predicate(test)), .equalTo))
    }
}

extension PredicateExpressions.Filter: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        let list = try conversion.value(sequence)
        let name = conversion.bindMember(variable.key)
        return .expression(
            .subquery(list, variable: name, try conversion.predicate(filter)))
    }
}

extension PredicateTree {
    /// Compares the number of members that satisfy a condition with zero.
    fileprivate static func count(
        _ list: Predicates.Expression, _ variable: String, _ condition: PredicateTree,
        _ operation: Operator
    ) -> PredicateTree {
        .comparison(
            .path(["@count"], of: .subquery(list, variable: variable, condition)), operation,
            .constant(.value(.integer64(0))))
    }

    /// The condition on a member as one with `ANY`, which is planned best; nil where it would say
    /// something else.
    fileprivate func asAny(_ list: Predicates.Expression, _ variable: String) -> PredicateTree? {
        guard case .comparison(let comparison) = self, comparison.modifier == .direct,
            case .keyPath(let path) = list, comparison.operator != .notEqualTo,
            case .member(of: .variable(variable), let keys) = comparison.left, keys.count == 1,
            case .constant(let operand) = comparison.right, operand != .value(.null),
            !keys.contains(where: { $0.hasPrefix("@") })
        else { return nil }
        return .comparison(
            Comparison(
                left: .keyPath(path + keys), operator: comparison.operator,
                right: comparison.right, modifier: .any, options: comparison.options))
    }
}
