// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

extension PredicateExpressions.NilLiteral: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        .expression(.constant(.value(.null)))
    }
}

extension PredicateExpressions.ForcedUnwrap: ConvertiblePredicateExpression {
    // As in a format: what leads through nil is nil.
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        try conversion.part(inner)
    }
}

extension PredicateExpressions.NilCoalesce: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        let part = try conversion.part(lhs)
        if case .optional(let values, let tree) = part {
            let otherwise = try conversion.predicate(rhs)
            let found = PredicateTree.present(values, tree)
            if otherwise == .constant(false) { return .predicate(found) }
            return .predicate(.or([found, .and([.absent(values), otherwise])]))
        }
        let value = part.expression
        return .expression(
            .conditional(.isNotNull(value), value, try conversion.value(rhs)))
    }
}

extension PredicateExpressions.OptionalFlatMap: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        let value = try conversion.value(wrapped)
        conversion.bind(variable.key, to: value)
        switch try conversion.part(transform) {
        case .predicate(let tree):
            return .optional([value], tree)
        case .optional(let inner, let tree):
            return .optional([value] + inner, tree)
        case .expression(let result):
            // A path through nil is nil anyway.
            if result.isPath(from: value) { return .expression(result) }
            return .expression(
                .conditional(.isNotNull(value), result, .constant(.value(.null))))
        }
    }
}

extension Predicates.Expression {
    /// Whether this leads on from an expression by keys alone, without operators on collections.
    func isPath(from base: Predicates.Expression) -> Bool {
        switch (self, base) {
        case (base, _): true
        case (.keyPath(let keys), .keyPath(let start)):
            keys.starts(with: start) && !keys.contains { $0.hasPrefix("@") }
        case (.keyPath(let keys), .evaluatedObject):
            !keys.contains { $0.hasPrefix("@") }
        case (.member(let root, let keys), .member(let other, let start)):
            root == other && keys.starts(with: start) && !keys.contains { $0.hasPrefix("@") }
        case (.member(let root, let keys), _):
            root == base && !keys.contains { $0.hasPrefix("@") }
        default: false
        }
    }
}
