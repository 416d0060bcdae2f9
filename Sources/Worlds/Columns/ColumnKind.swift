// SPDX-License-Identifier: Apache-2.0

/// What the rows of a column stand for.
@_documentation(visibility: internal)
public enum ColumnKind: Sendable, Hashable {
    /// Game objects, each with its own value.
    case component
    /// Pairs of game objects.
    case relationship(RelationshipRules)
    /// Nothing: the column has one value, that of the world.
    case resource
}

extension ColumnKind {
    /// The number in files.
    package var code: UInt16 {
        switch self {
        case .component: 0
        case .relationship(let rules):
            1 | (rules.isExclusive ? 4 : 0) | (rules.isAcyclic ? 8 : 0)
                | rules.whenTargetDespawns.rawValue << 4
        case .resource: 2
        }
    }

    /// The kind of a number in a file; nil for one that is none.
    package init?(code: UInt16) {
        switch code & 3 {
        case 0 where code == 0: self = .component
        case 1 where code >> 6 == 0:
            guard let rule = RelationshipDeleteRule(rawValue: code >> 4) else { return nil }
            self = .relationship(
                RelationshipRules(
                    isExclusive: code & 4 != 0, isAcyclic: code & 8 != 0, whenTargetDespawns: rule))
        case 2 where code == 2: self = .resource
        default: return nil
        }
    }

    /// The rules of a relationship; nil for another kind.
    var rules: RelationshipRules? {
        if case .relationship(let rules) = self { rules } else { nil }
    }

    /// Whether each row with a value is one of a game object.
    @usableFromInline package var hasRowsOfObjects: Bool {
        switch self {
        case .component: true
        case .relationship(let rules): rules.isExclusive
        case .resource: false
        }
    }

    /// Whether values of both kinds are kept in the same way, whatever their rules say.
    func isStored(as other: ColumnKind) -> Bool {
        switch (self, other) {
        case (.component, .component), (.resource, .resource): true
        case (.relationship(let mine), .relationship(let theirs)):
            mine.isExclusive == theirs.isExclusive
        default: false
        }
    }
}

/// The rules of a ``Relationship`` without its type.
@_documentation(visibility: internal)
public struct RelationshipRules: Sendable, Hashable {
    let isExclusive: Bool
    let isAcyclic: Bool
    let whenTargetDespawns: RelationshipDeleteRule

    init(isExclusive: Bool, isAcyclic: Bool, whenTargetDespawns: RelationshipDeleteRule) {
        self.isExclusive = isExclusive
        self.isAcyclic = isAcyclic
        self.whenTargetDespawns = whenTargetDespawns
    }

    init<Kind: Relationship>(_ kind: Kind.Type) {
        self.init(
            isExclusive: kind.isExclusive, isAcyclic: kind.isAcyclic,
            whenTargetDespawns: kind.whenTargetDespawns)
    }
}
