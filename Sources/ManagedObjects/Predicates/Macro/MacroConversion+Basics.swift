// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

typealias MacroFailure = MacroConversion.Failure
typealias MacroPart = MacroConversion.Part

extension PredicateExpressions.Variable: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        .expression(try conversion.expression(of: key))
    }
}

extension PredicateExpressions.Value: ConvertiblePredicateExpression {
    // Constants that predicates hold are found before.
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        throw MacroFailure(message: "the constant \(value) of type \(Output.self)")
    }
}

extension PredicateExpressions.KeyPath: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        let base = try conversion.value(root)
        switch kind {
        case .collectionCount?:
            return .expression(
                Root.Output.self is any StringProtocol.Type
                    ? .function("length:", [base]) : .path(["@count"], of: base))
        case .collectionIsEmpty?:
            if Root.Output.self is any StringProtocol.Type {
                return .predicate(.comparison(base, .equalTo, .constant(.value(.string("")))))
            }
            return .predicate(
                .comparison(
                    .path(["@count"], of: base), .equalTo, .constant(.value(.integer64(0)))))
        case .collectionFirst?, .bidirectionalCollectionLast?:
            throw MacroFailure(message: "the first or last member of a collection")
        default:
            break
        }
        if let cases = Root.Output.self as? any RawRepresentable.Type, cases.isRawValue(keyPath) {
            return .expression(base)
        }
        if let key = MacroConversion.dateKey(of: keyPath) {
            return .expression(.path([key], of: base))
        }
        do {
            return .expression(.path(try ManagedKeyPath.names(of: keyPath), of: base))
        } catch {
            throw MacroFailure(message: error.message + ", which")
        }
    }
}

extension PredicateExpressions.Conjunction: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        .predicate(
            .conjunction(try conversion.predicate(lhs), try conversion.predicate(rhs)))
    }
}

extension PredicateExpressions.Disjunction: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        .predicate(
            .disjunction(try conversion.predicate(lhs), try conversion.predicate(rhs)))
    }
}

extension PredicateExpressions.Negation: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        .predicate(.not(try conversion.predicate(wrapped)))
    }
}

extension PredicateExpressions.Equal: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        if let compared = try conversion.ordering(lhs, rhs) { return .predicate(compared) }
        let (left, right) = (try conversion.part(lhs), try conversion.part(rhs))
        // `name?.contains("x") == true`
        if case .optional(let values, let tree) = left,
            case .constant(.value(.boolean(true))) = right.expression
        {
            return .predicate(.present(values, tree))
        }
        return .predicate(.relation(left.expression, .equalTo, right.expression))
    }
}

extension PredicateExpressions.NotEqual: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        if let compared = try conversion.ordering(lhs, rhs) {
            return .predicate(.not(compared))
        }
        return .predicate(
            .relation(try conversion.value(lhs), .notEqualTo, try conversion.value(rhs)))
    }
}

extension PredicateExpressions.Comparison: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        let operation: Operator =
            switch op {
            case .lessThan: .lessThan
            case .lessThanOrEqual: .lessThanOrEqualTo
            case .greaterThan: .greaterThan
            case .greaterThanOrEqual: .greaterThanOrEqualTo
            @unknown default: throw MacroFailure(message: "the comparison \(op)")
            }
        return .predicate(
            .relation(try conversion.value(lhs), operation, try conversion.value(rhs)))
    }
}

extension PredicateExpressions.Conditional: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        let condition = try conversion.predicate(test)
        if If.Output.self is Bool.Type {
            let branches = (try conversion.part(trueBranch), try conversion.part(falseBranch))
            if case (.predicate(let yes), .predicate(let no)) = branches {
                return .predicate(
                    .or([.and([condition, yes]), .and([.not(condition), no])]))
            }
        }
        return .expression(
            .conditional(
                condition, try conversion.value(trueBranch), try conversion.value(falseBranch)))
    }
}
