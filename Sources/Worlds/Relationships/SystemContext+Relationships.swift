// SPDX-License-Identifier: Apache-2.0

/// Relationships, of kinds whose ``Link`` the system has declared as read.
///
/// ```swift
/// System("follow", reading: Link<ChildOf>.self, writing: Place.self) { context in
///     for object in context.breadthFirst(ChildOf.self) {
///         guard let parent = context.target(of: object, ChildOf.self) else { continue }
///         context[object, Place.self] = context[parent, Place.self]
///     }
/// }
/// ```
extension SystemContext {
    /// As ``World/isRelated(_:_:to:)``.
    public func isRelated<Kind: Relationship>(
        _ source: GameObjectID, _ kind: Kind.Type, to target: GameObjectID
    ) -> Bool { declared(kind).isRelated(source, kind, to: target) }

    /// As ``World/targets(of:_:)``.
    public func targets<Kind: Relationship>(
        of source: GameObjectID, _ kind: Kind.Type
    ) -> [GameObjectID] { declared(kind).targets(of: source, kind) }

    /// As ``World/sources(of:_:)``.
    public func sources<Kind: Relationship>(
        of target: GameObjectID, _ kind: Kind.Type
    ) -> [GameObjectID] { declared(kind).sources(of: target, kind) }

    /// As ``World/target(of:_:)``.
    public func target<Kind: Relationship>(
        of source: GameObjectID, _ kind: Kind.Type
    ) -> GameObjectID? { declared(kind).target(of: source, kind) }

    /// As ``World/breadthFirst(_:)``.
    public func breadthFirst<Kind: Relationship>(_ kind: Kind.Type) -> [GameObjectID] {
        declared(kind).breadthFirst(kind)
    }

    private func declared<Kind: Relationship>(_ kind: Kind.Type) -> World {
        access?.checkRead(world.column(Link<Kind>.self))
        return world
    }
}

/// Relationships that are kept for later.
extension Commands {
    /// Relates a game object to another one at the sync point.
    ///
    /// Traps there if the world does not have one of them then, and where an acyclic relationship
    /// would lead from the source back to itself.
    public func relate<Kind: Relationship>(
        _ source: GameObjectID, _ kind: Kind.Type, to target: GameObjectID
    ) {
        run { $0.relate(source, kind, to: target) }
    }

    /// Ends a relationship at the sync point, if there is one then.
    public func unrelate<Kind: Relationship>(
        _ source: GameObjectID, _ kind: Kind.Type, from target: GameObjectID
    ) {
        run { $0.unrelate(source, kind, from: target) }
    }
}
