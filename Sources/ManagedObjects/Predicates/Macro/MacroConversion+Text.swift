// SPDX-License-Identifier: Apache-2.0

import Foundation
import Predicates
import Schema

extension MacroConversion {
    /// A comparison of a text with a part of it; every text has the empty one, in Swift.
    fileprivate mutating func search(
        _ text: some PredicateExpression, _ operation: Operator, _ part: some PredicateExpression
    ) throws(MacroFailure) -> MacroPart {
        let (left, right) = (try value(text), try value(part))
        if case .constant(.value(.string(""))) = right { return .predicate(.constant(true)) }
        return .predicate(.comparison(left, operation, right))
    }
}

extension PredicateExpressions.CollectionContainsCollection: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        guard Base.Output.self is any StringProtocol.Type else {
            throw MacroFailure(message: "the expression \(self)")
        }
        return try conversion.search(base, .contains, other)
    }
}

extension PredicateExpressions.SequenceStartsWith: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        guard Base.Output.self is any StringProtocol.Type else {
            throw MacroFailure(message: "the expression \(self)")
        }
        return try conversion.search(base, .beginsWith, prefix)
    }
}

extension PredicateExpressions.StringLocalizedStandardContains: ConvertiblePredicateExpression {
    func convert(_ conversion: inout MacroConversion) throws(MacroFailure) -> MacroPart {
        // No text has the empty one here, in Foundation.
        let part = try conversion.value(other)
        let empty = Predicates.Expression.constant(.value(.string("")))
        if part == empty { return .predicate(.constant(false)) }
        let found = PredicateTree.comparison(
            try conversion.value(root), .contains, part,
            [.caseInsensitive, .diacriticInsensitive, .localeSensitive])
        if part.constantOperand != nil { return .predicate(found) }
        return .predicate(.conjunction(.comparison(part, .notEqualTo, empty), found))
    }
}
