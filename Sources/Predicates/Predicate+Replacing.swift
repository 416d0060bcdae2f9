// SPDX-License-Identifier: Apache-2.0

extension Predicate {
    /// The predicate with the expressions that a closure returns in place of its own.
    ///
    /// - Parameter replacement: Called with each expression before its parts; nil keeps the
    ///   expression and goes on with its parts.
    /// - Throws: What the closure throws.
    public func replacing(
        _ replacement: (Expression) throws -> Expression?
    ) rethrows -> Predicate {
        switch self {
        case .constant: return self
        case .not(let operand): return .not(try operand.replacing(replacement))
        case .and(let members): return .and(try members.map { try $0.replacing(replacement) })
        case .or(let members): return .or(try members.map { try $0.replacing(replacement) })
        case .comparison(var comparison):
            comparison.left = try comparison.left.replacing(replacement)
            comparison.right = try comparison.right.replacing(replacement)
            return .comparison(comparison)
        }
    }
}

extension Expression {
    /// The expression with parts that a closure replaces, see ``Predicate/replacing(_:)``.
    public func replacing(
        _ replacement: (Expression) throws -> Expression?
    ) rethrows -> Expression {
        if let other = try replacement(self) { return other }
        switch self {
        case .constant, .evaluatedObject, .keyPath, .variable: return self
        case .member(let base, let keys): return .path(keys, of: try base.replacing(replacement))
        case .aggregate(let members):
            let aggregate = Expression.aggregate(try members.map { try $0.replacing(replacement) })
            return aggregate.constantOperand.map { .constant($0) } ?? aggregate
        case .function(let name, let arguments):
            return .function(name, try arguments.map { try $0.replacing(replacement) })
        case .subquery(let collection, let variable, let predicate):
            return .subquery(
                try collection.replacing(replacement), variable: variable,
                try predicate.replacing(replacement))
        case .conditional(let predicate, let first, let second):
            return .conditional(
                try predicate.replacing(replacement), try first.replacing(replacement),
                try second.replacing(replacement))
        }
    }
}

extension Predicate {
    /// Hands each expression to a closure before its parts.
    public func forEachExpression(_ body: (Expression) -> Void) {
        switch self {
        case .constant: break
        case .not(let operand): operand.forEachExpression(body)
        case .and(let members), .or(let members):
            for member in members { member.forEachExpression(body) }
        case .comparison(let comparison):
            comparison.left.forEachExpression(body)
            comparison.right.forEachExpression(body)
        }
    }
}

extension Expression {
    /// Hands the expression and then its parts to a closure.
    public func forEachExpression(_ body: (Expression) -> Void) {
        body(self)
        switch self {
        case .constant, .evaluatedObject, .keyPath, .variable: break
        case .member(let base, _): base.forEachExpression(body)
        case .aggregate(let members), .function(_, let members):
            for member in members { member.forEachExpression(body) }
        case .subquery(let collection, _, let predicate):
            collection.forEachExpression(body)
            predicate.forEachExpression(body)
        case .conditional(let predicate, let first, let second):
            predicate.forEachExpression(body)
            first.forEachExpression(body)
            second.forEachExpression(body)
        }
    }
}
