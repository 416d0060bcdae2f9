// SPDX-License-Identifier: Apache-2.0

/// Relationships as hierarchies: a source is below its target, as a child is below its parent.
extension World {
    /// All game objects of a relationship, level by level: those without a target first, then their
    /// sources, then the sources of these.
    ///
    /// So a loop that hands values down visits a parent before its children:
    ///
    /// ```swift
    /// for object in world.breadthFirst(ChildOf.self) {
    ///     guard let parent = world.target(of: object, ChildOf.self) else { continue }
    ///     world[object, Place.self] = place(object, in: parent)
    /// }
    /// ```
    ///
    /// Each comes once, behind all of its targets, and the sources of one target in the order of
    /// their IDs. Game objects without any relationship of the kind are not among them, nor those
    /// that only lead in a circle; behind a circle there is no order.
    ///
    /// - Complexity: O(n log n) for n links; O(n) while no link is made or removed.
    public func breadthFirst<Kind: Relationship>(_ kind: Kind.Type) -> [GameObjectID] {
        let column = column(Link<Kind>.self)
        return column.linkTable.breadthFirst(column).map(id(ofRow:))
    }

    /// Everything below a game object, level by level; the game object itself is not in it.
    ///
    /// - Complexity: O(n log n) for n links on the way
    public func descendants<Kind: Relationship>(
        of object: GameObjectID, _ kind: Kind.Type
    ) -> [GameObjectID] {
        guard object.entity == entity else { return [] }
        return column(Link<Kind>.self).breadthFirst(from: [object.row]).dropFirst().map(id(ofRow:))
    }

    /// Everything above a game object, the nearest first; the game object itself is not in it.
    ///
    /// Of game objects with several targets all ways are followed, level by level.
    ///
    /// - Complexity: O(n log n) for n links on the way
    public func ancestors<Kind: Relationship>(
        of object: GameObjectID, _ kind: Kind.Type
    ) -> [GameObjectID] {
        guard object.entity == entity else { return [] }
        let column = column(Link<Kind>.self)
        var result = [object.row]
        var known: Set<Int> = [object.row]
        var next = 0
        while next < result.count {
            for target in column.targets(of: result[next]) where known.insert(target).inserted {
                result.append(target)
            }
            next += 1
        }
        return result.dropFirst().map(id(ofRow:))
    }
}
