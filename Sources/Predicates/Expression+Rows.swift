// SPDX-License-Identifier: Apache-2.0

extension Expression {
    /// The aggregate function that a path such as `@sum.price` or `@count` stands for where an
    /// expression is asked of many rows at once; nil for another expression.
    public var functionOfRows: Expression? {
        guard case .keyPath(let keys) = self, let first = keys.first else { return nil }
        if keys == ["@count"] { return .function("count:", [.evaluatedObject]) }
        guard keys.count > 1, let name = FunctionName.function(ofOperator: first) else {
            return nil
        }
        return .function(name, [.keyPath(Array(keys.dropFirst()))])
    }

    /// The expression with aggregate functions in the place of paths that begin with an operator.
    ///
    /// What aggregates and subqueries have inside is asked of single members, and stays.
    public var askedOfRows: Expression {
        replacing { part in
            switch part {
            case .keyPath: return part.functionOfRows
            case .function(let name, _) where FunctionName.aggregates.contains(name): return part
            case .subquery: return part
            default: return nil
            }
        }
    }
}
