// SPDX-License-Identifier: Apache-2.0

extension Expression {
    /// Whether this computes something of one object at a time, so that an aggregate of it sums up
    /// what it is for each object of a group: an operation, a condition or an aggregate that reads
    /// the object, as `price * 2`, `count:(books)` and `books.@count` do.
    ///
    /// It is not where a part takes the group itself as a collection, as `count:(SELF)` does. What
    /// plain keys yield is the same for one object after the other as for all at once.
    public var isComputedOfMembers: Bool {
        switch self {
        case .constant, .evaluatedObject, .variable: false
        case .keyPath(let keys): keys.contains(where: \.isOperator) && !takesGroup
        case .member, .aggregate, .function, .subquery, .conditional:
            contains(where: \.readsObject) && !contains(where: \.takesGroup)
        }
    }

    /// Whether this, without its parts, takes the evaluated object as a collection: a function such
    /// as `count:`, an operator such as `@count`, or a subquery.
    private var takesGroup: Bool {
        switch self {
        case .keyPath(let keys): keys.first?.isOperator == true
        case .member(.evaluatedObject, let keys): keys.first?.isOperator == true
        case .function(let name, let arguments):
            FunctionName.ofCollections.contains(name) && arguments.contains(.evaluatedObject)
        case .subquery(let collection, _, _): collection == .evaluatedObject
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

extension String {
    /// Whether a key is a collection operator such as `@count`.
    fileprivate var isOperator: Bool { utf8.first == 0x40 }
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
