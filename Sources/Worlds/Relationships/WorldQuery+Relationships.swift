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
/// world.query(Position.self).with(Likes.self, to: alice)       // those that like alice
/// world.query(Position.self).with(Likes.self, from: bob)       // those that bob likes
/// world.query(Position.self).without(ChildOf.self, to: .any)   // those without a parent
/// ```
extension WorldQuery {
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
        _ kind: Kind.Type, _ side: LinkFilter.Side, _ end: RelationshipEnd, isExcluded: Bool
    ) -> Self {
        var query = self
        let column = __shape.world.column(Link<Kind>.self)
        query.__shape.filters.links.append(
            LinkFilter(column: column, side: side, end: end, isExcluded: isExcluded))
        return query
    }
}

/// What a filter of relationships asks for.
struct LinkFilter {
    /// Which end of the link the filter names; the query is about the other one.
    enum Side { case sources, targets }

    let column: Column
    let side: Side
    let end: RelationshipEnd
    let isExcluded: Bool

    /// The rows that the filter means, at the time of a run.
    func rows(in world: World) -> RowSet {
        let table = column.linkTable
        let rows: [Int]
        switch (side, end) {
        case (.targets, .any): rows = table.sources(column)
        case (.sources, .any): rows = table.targets(column)
        case (.targets, .object(let object)):
            rows = object.entity == world.entity ? column.sources(of: object.row) : []
        case (.sources, .object(let object)):
            rows = object.entity == world.entity ? column.targets(of: object.row) : []
        }
        return RowSet(rows, isExcluded: isExcluded)
    }
}
