// SPDX-License-Identifier: Apache-2.0

/// Who a filter of relationships means at the other end.
public enum RelationshipEnd: Sendable, Hashable {
    /// Any game object.
    case any
    /// One game object.
    case object(GameObjectID)
}

/// Filters by relationships.
///
/// ```swift
/// let admirers = world.query(Position.self).with(Likes.self, to: alice)
/// let liked = world.query(Position.self).with(Likes.self, from: bob)
/// let orphans = world.query(Position.self).without(ChildOf.self, to: .any)
/// ```
extension FilteredQuery {
    /// The same question, of game objects that are related to a target.
    ///
    /// - Complexity: O(sources of the target) for a run that finds nothing else to narrow it.
    public func with<Kind: Relationship>(_ kind: Kind.Type, to target: GameObjectID) -> Self {
        adding(kind, .targets, .object(target), isExcluded: false)
    }

    /// The same question, of game objects that are related to a target, or to any.
    public func with<Kind: Relationship>(_ kind: Kind.Type, to target: RelationshipEnd) -> Self {
        adding(kind, .targets, target, isExcluded: false)
    }

    /// The same question, of game objects that a source is related to.
    public func with<Kind: Relationship>(_ kind: Kind.Type, from source: GameObjectID) -> Self {
        adding(kind, .sources, .object(source), isExcluded: false)
    }

    /// The same question, of game objects that a source is related to, or that any is.
    public func with<Kind: Relationship>(_ kind: Kind.Type, from source: RelationshipEnd) -> Self {
        adding(kind, .sources, source, isExcluded: false)
    }

    /// The same question, of game objects that are not related to a target.
    public func without<Kind: Relationship>(_ kind: Kind.Type, to target: GameObjectID) -> Self {
        adding(kind, .targets, .object(target), isExcluded: true)
    }

    /// The same question, of game objects that are not related to a target, or to none.
    public func without<Kind: Relationship>(_ kind: Kind.Type, to target: RelationshipEnd) -> Self {
        adding(kind, .targets, target, isExcluded: true)
    }

    /// The same question, of game objects that a source is not related to.
    public func without<Kind: Relationship>(_ kind: Kind.Type, from source: GameObjectID) -> Self {
        adding(kind, .sources, .object(source), isExcluded: true)
    }

    /// The same question, of game objects that a source is not related to, or that none is.
    public func without<Kind: Relationship>(
        _ kind: Kind.Type, from source: RelationshipEnd
    ) -> Self {
        adding(kind, .sources, source, isExcluded: true)
    }

    private func adding<Kind: Relationship>(
        _ kind: Kind.Type, _ side: LinkSide, _ end: RelationshipEnd, isExcluded: Bool
    ) -> Self {
        var query = self
        query.__shape.filters.rows.append(
            RowFilter.links(
                __shape.world.column(Link<Kind>.self), side, end, isExcluded: isExcluded))
        return query
    }
}

/// Which end of a link a filter names; the query is about the other one.
enum LinkSide { case sources, targets }

extension RowFilter {
    /// Names the game objects that have links whose other end is a stated one.
    static func links(
        _ column: Column, _ side: LinkSide, _ end: RelationshipEnd, isExcluded: Bool
    ) -> RowFilter {
        RowFilter(column: column, isExcluded: isExcluded) { world, _ in
            switch (side, end) {
            case (.targets, .any): column.linkTable.sources(column)
            case (.sources, .any): column.linkTable.targets(column)
            case (_, .object(let object)) where object.entity != world.entity: []
            case (.targets, .object(let object)): column.sources(of: object.row)
            case (.sources, .object(let object)): column.targets(of: object.row)
            }
        }
    }
}
