// SPDX-License-Identifier: Apache-2.0

extension Predicate {
    /// The predicate with constants in place of variables.
    ///
    /// Variables without a constant stay; ``variables`` names them, and evaluating them is an
    /// error unless they are supplied then. The variable of a subquery is its own and stays.
    public func substituting(_ constants: [String: Operand]) -> Predicate {
        substituting(constants.mapValues { .constant($0) })
    }

    /// The predicate with expressions in place of variables, see ``substituting(_:)``.
    public func substituting(_ constants: [String: Expression]) -> Predicate {
        switch self {
        case .constant: return self
        case .not(let operand): return .not(operand.substituting(constants))
        case .and(let members): return .and(members.map { $0.substituting(constants) })
        case .or(let members): return .or(members.map { $0.substituting(constants) })
        case .comparison(var comparison):
            comparison.left = comparison.left.substituting(constants)
            comparison.right = comparison.right.substituting(constants)
            return .comparison(comparison)
        }
    }

    /// The names of the variables that need a value; those of subqueries are not among them.
    public var variables: Set<String> {
        var walk = TreeWalk()
        walk.visit(self)
        return walk.variables
    }

    /// The key paths that are read of the evaluated object.
    ///
    /// Keys of a subquery's members are left out; the subquery's collection is included.
    public var keyPaths: Set<[String]> {
        var walk = TreeWalk()
        walk.visit(self)
        return walk.keyPaths
    }
}

extension Expression {
    /// The expression with constants in place of variables, see
    /// ``Predicate/substituting(_:)``.
    public func substituting(_ constants: [String: Operand]) -> Expression {
        substituting(constants.mapValues { .constant($0) })
    }

    /// The expression with others in place of variables, see ``Predicate/substituting(_:)``.
    public func substituting(_ constants: [String: Expression]) -> Expression {
        switch self {
        case .constant, .evaluatedObject, .keyPath: return self
        case .variable(let name): return constants[name] ?? self
        case .member(let base, let keys):
            return .path(keys, of: base.substituting(constants))
        case .aggregate(let members):
            let aggregate = Expression.aggregate(members.map { $0.substituting(constants) })
            return aggregate.constantOperand.map { .constant($0) } ?? aggregate
        case .function(let name, let arguments):
            return .function(name, arguments.map { $0.substituting(constants) })
        case .subquery(let collection, let variable, let predicate):
            var outer = constants
            outer[variable] = nil
            return .subquery(
                collection.substituting(constants), variable: variable,
                predicate.substituting(outer))
        case .conditional(let predicate, let first, let second):
            return .conditional(
                predicate.substituting(constants), first.substituting(constants),
                second.substituting(constants))
        }
    }

    /// The names of the variables that need a value.
    public var variables: Set<String> {
        var walk = TreeWalk()
        walk.visit(self)
        return walk.variables
    }

    /// The key paths that are read of the evaluated object.
    public var keyPaths: Set<[String]> {
        var walk = TreeWalk()
        walk.visit(self)
        return walk.keyPaths
    }
}

/// Collects what a tree reads.
private struct TreeWalk {
    var variables: Set<String> = []
    var keyPaths: Set<[String]> = []
    private var bound: [String] = []

    mutating func visit(_ predicate: Predicate) {
        switch predicate {
        case .constant: break
        case .not(let operand): visit(operand)
        case .and(let members), .or(let members): for member in members { visit(member) }
        case .comparison(let comparison):
            visit(comparison.left)
            visit(comparison.right)
        }
    }

    mutating func visit(_ expression: Expression) {
        switch expression {
        case .constant, .evaluatedObject: break
        case .variable(let name): if !bound.contains(name) { variables.insert(name) }
        case .keyPath(let keys): keyPaths.insert(keys)
        case .member(let base, _): visit(base)
        case .aggregate(let members), .function(_, let members):
            for member in members { visit(member) }
        case .subquery(let collection, let variable, let predicate):
            visit(collection)
            bound.append(variable)
            visit(predicate)
            bound.removeLast()
        case .conditional(let predicate, let first, let second):
            visit(predicate)
            visit(first)
            visit(second)
        }
    }
}
