// SPDX-License-Identifier: Apache-2.0

extension Predicate {
    /// The predicate with other comparisons in place of its own; those inside of subqueries and
    /// conditions come first.
    public func mappingComparisons(
        _ transform: (Comparison) throws -> Comparison
    ) rethrows -> Predicate {
        switch self {
        case .constant: return self
        case .not(let operand): return .not(try operand.mappingComparisons(transform))
        case .and(let members):
            return .and(try members.map { try $0.mappingComparisons(transform) })
        case .or(let members):
            return .or(try members.map { try $0.mappingComparisons(transform) })
        case .comparison(var comparison):
            comparison.left = try comparison.left.mappingComparisons(transform)
            comparison.right = try comparison.right.mappingComparisons(transform)
            return .comparison(try transform(comparison))
        }
    }
}

extension Expression {
    fileprivate func mappingComparisons(
        _ transform: (Comparison) throws -> Comparison
    ) rethrows -> Expression {
        try replacing { expression in
            switch expression {
            case .subquery(let collection, let variable, let predicate):
                return .subquery(
                    try collection.mappingComparisons(transform), variable: variable,
                    try predicate.mappingComparisons(transform))
            case .conditional(let predicate, let first, let second):
                return .conditional(
                    try predicate.mappingComparisons(transform),
                    try first.mappingComparisons(transform),
                    try second.mappingComparisons(transform))
            default: return nil
            }
        }
    }
}
