// SPDX-License-Identifier: Apache-2.0

extension Expression {
    /// Whether this computes something of one object at a time: an operation or a condition that
    /// reads the object, and in which nothing takes a whole collection.
    var isComputedOfMembers: Bool {
        switch self {
        case .conditional, .function: !takesCollections && readsObject
        default: false
        }
    }

    /// Whether a part takes a collection as a whole: a function such as `count:`, or an operator
    /// such as `@count`.
    private var takesCollections: Bool {
        switch self {
        case .constant, .evaluatedObject, .variable: false
        case .keyPath(let keys): keys.hasOperator
        case .member(let base, let keys): keys.hasOperator || base.takesCollections
        case .aggregate(let members): members.contains(where: \.takesCollections)
        case .function(let name, let arguments):
            FunctionName.ofCollections.contains(name)
                || arguments.contains(where: \.takesCollections)
        case .subquery: true
        case .conditional(let predicate, let first, let second):
            first.takesCollections || second.takesCollections
                || predicate.containsSide(where: \.takesCollections)
        }
    }

    /// Whether a part reads the object that the expression is evaluated with.
    private var readsObject: Bool {
        switch self {
        case .evaluatedObject, .keyPath: true
        case .constant, .variable: false
        case .member(let base, _): base.readsObject
        case .aggregate(let members): members.contains(where: \.readsObject)
        case .function(_, let arguments): arguments.contains(where: \.readsObject)
        case .subquery(let collection, _, _): collection.readsObject
        case .conditional(let predicate, let first, let second):
            first.readsObject || second.readsObject || predicate.containsSide(where: \.readsObject)
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

extension [String] {
    fileprivate var hasOperator: Bool { contains { $0.hasPrefix("@") } }
}
