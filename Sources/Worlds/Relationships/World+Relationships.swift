// SPDX-License-Identifier: Apache-2.0

import Traps

/// Relationships between game objects.
extension World {
    /// Relates a game object to another one.
    ///
    /// In an exclusive relationship the new target takes the place of the former one.
    ///
    /// Traps for game objects that the world does not have, in a loop, and where an acyclic
    /// relationship would lead from the source back to itself.
    ///
    /// - Returns: Whether they were not related before.
    /// - Complexity: O(links of the end that has fewer); in an acyclic relationship also the links
    ///   on the way from the target on, unless the source is no target.
    @inlinable
    @discardableResult
    public func relate<Kind: Relationship>(
        _ source: GameObjectID, _ kind: Kind.Type, to target: GameObjectID
    ) -> Bool {
        relate(source, target, column(Link<Kind>.self))
    }

    @usableFromInline
    func relate(_ source: GameObjectID, _ target: GameObjectID, _ column: Column) -> Bool {
        checkNoLoop("relating \(source) to \(target) by \(column.type.name)")
        checkAlive(source, "relating it by \(column.type.name)")
        checkAlive(target, "relating to it by \(column.type.name)")
        guard column.link(source.row, target.row) == nil else { return false }
        if column.type.kind.rules?.isAcyclic == true {
            let mayClose = column.linkTable.byTarget.first(of: source.row) != 0
            require(
                source != target && !(mayClose && column.leads(from: target.row, to: source.row)),
                "\(column.type.name) is acyclic, and \(target) leads to \(source) already")
        }
        column.addLink(source, target, self)
        return true
    }

    /// Takes care that links can be made without a commit that takes rows for them.
    ///
    /// - Throws: What reserving rows in a file throws.
    package func reserveLinks<Kind: Relationship>(_ count: Int, _ kind: Kind.Type) throws {
        try reserveLinks(count, column(Link<Kind>.self))
    }

    func reserveLinks(_ count: Int, _ column: Column) throws {
        guard let backing, let links = column.links, !links.isExclusive, links.freeCount < count
        else { return }
        links.use(try backing.takeRows(count))
    }

    /// Gives links other rows, which no link ever had.
    ///
    /// - Throws: What reserving rows in a file throws.
    package func moveLinks(_ rows: [Int], of column: Column) throws {
        guard let backing, let links = column.links, !rows.isEmpty else { return }
        links.use(try backing.takeRows(rows.count))
        for row in rows {
            let ends = column.ends(of: row)
            column.remove(row, now)
            column.addLink(id(ofRow: ends.source), id(ofRow: ends.target), self)
            if let new = column.link(ends.source, ends.target) {
                links.noteMove(of: ends, from: row, to: new)
            }
        }
    }

    /// Ends the relationship of a game object to another one.
    ///
    /// - Returns: Whether they were related.
    @inlinable
    @discardableResult
    public func unrelate<Kind: Relationship>(
        _ source: GameObjectID, _ kind: Kind.Type, from target: GameObjectID
    ) -> Bool {
        unrelate(source, target, column(Link<Kind>.self))
    }

    @usableFromInline
    func unrelate(_ source: GameObjectID, _ target: GameObjectID, _ column: Column) -> Bool {
        checkNoLoop("ending \(column.type.name) from \(source) to \(target)")
        guard source.entity == entity, target.entity == entity else { return false }
        var found = false
        // Files of earlier versions may have a pair twice, see `endDoubleLinks`.
        while let link = column.link(source.row, target.row) {
            column.remove(link, now)
            found = true
        }
        return found
    }

    /// Ends all relationships of a kind that lead from a game object.
    @inlinable
    public func unrelate<Kind: Relationship>(_ source: GameObjectID, _ kind: Kind.Type) {
        unrelate(source, column(Link<Kind>.self))
    }

    @usableFromInline
    func unrelate(_ source: GameObjectID, _ column: Column) {
        checkNoLoop("ending \(column.type.name) of \(source)")
        guard source.entity == entity else { return }
        for link in column.links(from: source.row) { column.remove(link, now) }
    }

    /// Whether a game object is related to another one.
    ///
    /// - Complexity: O(links of the end that has fewer)
    @inlinable
    public func isRelated<Kind: Relationship>(
        _ source: GameObjectID, _ kind: Kind.Type, to target: GameObjectID
    ) -> Bool {
        guard source.entity == entity, target.entity == entity else { return false }
        return column(Link<Kind>.self).link(source.row, target.row) != nil
    }

    /// The game objects that a relationship leads to from a game object, in the order of their IDs.
    ///
    /// - Complexity: O(n log n) for n targets
    @inlinable
    public func targets<Kind: Relationship>(
        of source: GameObjectID, _ kind: Kind.Type
    ) -> [GameObjectID] { targets(of: source, column(Link<Kind>.self)) }

    @usableFromInline
    func targets(of source: GameObjectID, _ column: Column) -> [GameObjectID] {
        source.entity == entity ? column.targets(of: source.row).map(id(ofRow:)) : []
    }

    /// The game objects from which a relationship leads to a game object, in the order of their
    /// IDs.
    ///
    /// - Complexity: O(n log n) for n sources
    @inlinable
    public func sources<Kind: Relationship>(
        of target: GameObjectID, _ kind: Kind.Type
    ) -> [GameObjectID] { sources(of: target, column(Link<Kind>.self)) }

    @usableFromInline
    func sources(of target: GameObjectID, _ column: Column) -> [GameObjectID] {
        target.entity == entity ? column.sources(of: target.row).map(id(ofRow:)) : []
    }

    /// The game object that a relationship leads to; nil for none.
    ///
    /// Of several it is the one with the lowest ID; an exclusive relationship has at most one.
    ///
    /// - Complexity: O(1) in an exclusive relationship
    @inlinable
    public func target<Kind: Relationship>(
        of source: GameObjectID, _ kind: Kind.Type
    ) -> GameObjectID? {
        guard source.entity == entity else { return nil }
        if Kind.isExclusive { return place(Link<Kind>.self, source.row)?.pointee.target }
        return targets(of: source, kind).first
    }

    /// The relationships of all kinds that lead from a game object, by kind and target.
    public func links(from source: GameObjectID) -> [AnyLink] {
        anyLinks(source) { $0.links(from: $1) }
    }

    /// The relationships of all kinds that lead to a game object, by kind and source.
    public func links(to target: GameObjectID) -> [AnyLink] {
        anyLinks(target) { $0.links(to: $1) }
    }

    private func anyLinks(
        _ object: GameObjectID, _ links: (Column, Int) -> [Int]
    ) -> [AnyLink] {
        guard object.entity == entity else { return [] }
        var result: Set<AnyLink> = []
        for column in linkColumns {
            for link in links(column, object.row) {
                let ends = column.ends(of: link)
                result.insert(
                    AnyLink(
                        kind: column.type.name, source: id(ofRow: ends.source),
                        target: id(ofRow: ends.target)))
            }
        }
        return result.sorted()
    }
}

/// That one game object is related to another one, by a kind that is known by its name alone.
public struct AnyLink: Hashable, Comparable, Sendable {
    /// The ``Relationship/relationshipName`` of the kind.
    public let kind: String
    /// The game object that the relationship leads from.
    public let source: GameObjectID
    /// The game object that the relationship leads to.
    public let target: GameObjectID

    /// Orders links by kind, source and target.
    public static func < (left: AnyLink, right: AnyLink) -> Bool {
        (left.kind, left.source, left.target) < (right.kind, right.source, right.target)
    }
}
