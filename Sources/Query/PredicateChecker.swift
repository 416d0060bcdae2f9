// SPDX-License-Identifier: Apache-2.0

import Predicates
import Schema

/// Checks that every key path of a predicate exists, before a record is read.
struct PredicateChecker {
    let resolver: KeyPathResolver
    let entity: String
    private var variables: [String: KeyPathTarget] = [:]

    init(_ resolver: KeyPathResolver, entity: String) {
        self.resolver = resolver
        self.entity = entity
    }

    /// Checks a predicate.
    ///
    /// - Throws: ``QueryError`` with `unknownKeyPath` or `unsupported`.
    func check(_ predicate: Predicate) throws(QueryError) {
        switch predicate {
        case .constant: break
        case .not(let operand): try check(operand)
        case .and(let members), .or(let members):
            for member in members { try check(member) }
        case .comparison(let comparison):
            _ = try target(of: comparison.left)
            _ = try target(of: comparison.right)
        }
    }

    private func target(of expression: Expression) throws(QueryError) -> KeyPathTarget {
        switch expression {
        case .constant: return .unknown
        case .evaluatedObject: return .object(entity)
        case .variable(let name):
            guard let target = variables[name] else {
                throw QueryError(
                    .unsupported,
                    "the variable $\(name) has no value; substitute a constant before fetching")
            }
            return target
        case .keyPath(let keys): return try resolver.target(keys, of: .object(entity))
        case .member(let base, let keys):
            return try resolver.target(keys, of: try target(of: base))
        case .aggregate(let members), .function(_, let members):
            for member in members { _ = try target(of: member) }
            return .unknown
        case .subquery(let collection, let variable, let predicate):
            let members = try target(of: collection)
            var inner = self
            inner.variables[variable] = members.entity.map { .object($0) } ?? .unknown
            try inner.check(predicate)
            return members
        case .conditional(let predicate, let first, let second):
            try check(predicate)
            _ = try target(of: first)
            _ = try target(of: second)
            return .unknown
        }
    }
}
