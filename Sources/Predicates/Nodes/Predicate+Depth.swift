// SPDX-License-Identifier: Apache-2.0

extension Predicate {
    /// Whether comparisons and expressions lie in each other by more than some levels.
    ///
    /// What walks a tree calls itself for each level; this one stops at the bound.
    public func isDeeper(than levels: Int) -> Bool {
        if levels <= 0 { return true }
        return switch self {
        case .constant: false
        case .not(let operand): operand.isDeeper(than: levels - 1)
        case .and(let members), .or(let members):
            members.contains { $0.isDeeper(than: levels - 1) }
        case .comparison(let comparison):
            comparison.left.isDeeper(than: levels - 1)
                || comparison.right.isDeeper(than: levels - 1)
        }
    }
}

extension Expression {
    /// Whether expressions lie in each other by more than some levels, see
    /// ``Predicate/isDeeper(than:)``.
    public func isDeeper(than levels: Int) -> Bool {
        if levels <= 0 { return true }
        return switch self {
        case .constant, .evaluatedObject, .variable, .keyPath: false
        case .member(let base, _): base.isDeeper(than: levels - 1)
        case .aggregate(let members), .function(_, let members):
            members.contains { $0.isDeeper(than: levels - 1) }
        case .subquery(let collection, _, let predicate):
            collection.isDeeper(than: levels - 1) || predicate.isDeeper(than: levels - 1)
        case .conditional(let predicate, let first, let second):
            predicate.isDeeper(than: levels - 1) || first.isDeeper(than: levels - 1)
                || second.isDeeper(than: levels - 1)
        }
    }
}
