// SPDX-License-Identifier: Apache-2.0

extension Expression {
    /// Whether this computes something of one object at a time: an operation or a condition that
    /// reads the object, and in which nothing takes a whole collection.
    public var isComputedOfMembers: Bool {
        switch self {
        case .conditional, .function:
            !contains(where: \.takesCollection) && contains(where: \.readsObject)
        default: false
        }
    }

    /// Whether this, without its parts, takes a collection as a whole: a function such as `count:`,
    /// or an operator such as `@count`.
    private var takesCollection: Bool {
        switch self {
        case .keyPath(let keys), .member(_, let keys): keys.contains { $0.hasPrefix("@") }
        case .function(let name, _): FunctionName.ofCollections.contains(name)
        case .subquery: true
        default: false
        }
    }

    /// Whether this, without its parts, reads the object that it is evaluated with.
    private var readsObject: Bool {
        switch self {
        case .evaluatedObject, .keyPath: true
        default: false
        }
    }

    /// Whether this or a part of it is such an expression.
    private func contains(where condition: (Expression) -> Bool) -> Bool {
        if condition(self) { return true }
        return switch self {
        case .constant, .evaluatedObject, .variable, .keyPath: false
        case .member(let base, _): base.contains(where: condition)
        case .aggregate(let members), .function(_, let members):
            members.contains { $0.contains(where: condition) }
        case .subquery(let collection, _, let predicate):
            collection.contains(where: condition)
                || predicate.containsSide { $0.contains(where: condition) }
        case .conditional(let predicate, let first, let second):
            first.contains(where: condition) || second.contains(where: condition)
                || predicate.containsSide { $0.contains(where: condition) }
        }
    }
}

extension Predicate {
    /// Whether a side of a comparison is such an expression.
    fileprivate func containsSide(where condition: (Expression) -> Bool) -> Bool {
        switch self {
        case .constant: false
        case .not(let operand): operand.containsSide(where: condition)
        case .and(let members), .or(let members):
            members.contains { $0.containsSide(where: condition) }
        case .comparison(let comparison):
            condition(comparison.left) || condition(comparison.right)
        }
    }
}
