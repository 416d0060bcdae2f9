// SPDX-License-Identifier: Apache-2.0

/// How a comparison treats a collection on its left side.
///
/// Raw values are those of `NSComparisonPredicate.Modifier`. `NONE` has no case: it is the
/// negation of ``any``.
public enum Modifier: UInt, Sendable, Hashable, CaseIterable {
    /// The left side is compared as a whole.
    case direct = 0
    /// Every member must satisfy the comparison; true for an empty collection.
    case all = 1
    /// At least one member must satisfy the comparison; false for an empty collection.
    case any = 2
}

extension Modifier {
    /// The modifier as predicate formats write it; nothing for ``direct``.
    public var text: String {
        switch self {
        case .direct: ""
        case .all: "ALL"
        case .any: "ANY"
        }
    }
}
