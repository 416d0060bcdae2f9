// SPDX-License-Identifier: Apache-2.0

import Predicates

/// The text of a condition on groups in terms of their columns.
///
/// A column of a path, as in a fetch grouped by `shelf.name`, is named by the whole path. Read key
/// by key the path would be that of the members instead, which gives the values of all of them.
extension Predicates.Predicate {
    /// The condition with one key for each path that is the name of a column.
    ///
    /// Paths of members stay: those in aggregates and subqueries, and what `ANY` and `ALL` compare.
    ///
    /// - Parameter names: The names of the columns and groups.
    func readingColumns(_ names: Set<String>) -> Predicates.Predicate {
        guard names.contains(where: { $0.contains(".") }) else { return self }
        return reading { $0.readingColumns(names) }
    }

    private func reading(
        _ read: (Predicates.Expression) -> Predicates.Expression
    ) -> Predicates.Predicate {
        switch self {
        case .constant: return self
        case .not(let operand): return .not(operand.reading(read))
        case .and(let members): return .and(members.map { $0.reading(read) })
        case .or(let members): return .or(members.map { $0.reading(read) })
        case .comparison(var comparison):
            if comparison.modifier == .direct { comparison.left = read(comparison.left) }
            comparison.right = read(comparison.right)
            return .comparison(comparison)
        }
    }
}

extension Predicates.Expression {
    fileprivate func readingColumns(_ names: Set<String>) -> Predicates.Expression {
        replacing { part in
            switch part {
            case .keyPath(let keys) where keys.count > 1:
                let name = keys.joined(separator: ".")
                return names.contains(name) ? .keyPath([name]) : part
            case .function(let name, _) where FunctionName.aggregates.contains(name): return part
            case .subquery: return part
            case .conditional(let test, let first, let second):
                return .conditional(
                    test.readingColumns(names), first.readingColumns(names),
                    second.readingColumns(names))
            default: return nil
            }
        }
    }
}
