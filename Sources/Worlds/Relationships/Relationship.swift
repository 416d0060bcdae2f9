// SPDX-License-Identifier: Apache-2.0

/// A kind of relationship between game objects, such as "likes" or "is a child of".
///
/// A kind is a type that only gives a name and rules, so an enum without cases serves:
///
/// ```swift
/// enum Likes: Relationship {}
/// enum ChildOf: Relationship {
///     static let isExclusive = true
///     static let isAcyclic = true
///     static let whenTargetDespawns = RelationshipDeleteRule.cascade
/// }
/// world.relate(bob, Likes.self, to: alice)
/// world.relate(wheel, ChildOf.self, to: car)
/// let admirers = world.sources(of: alice, Likes.self)
/// ```
///
/// A relationship leads from a *source* to a *target*, and both directions can be asked for. Each
/// pair that is related is a ``Link``, which queries, observers and systems see as a component.
public protocol Relationship: Sendable {
    /// The name of the kind in files; the name of the Swift type unless a type says otherwise.
    ///
    /// Kinds and component types share one list of names.
    static var relationshipName: String { get }
    /// Whether a source has one target at a time, so that a second one takes the first one's place.
    ///
    /// The default is false: a source has as many targets as it is given.
    static var isExclusive: Bool { get }
    /// Whether no game object may come to itself by following targets, as in a hierarchy.
    ///
    /// The default is false.
    static var isAcyclic: Bool { get }
    /// What becomes of the sources when a target is despawned, or deleted as a managed object.
    ///
    /// The default is ``RelationshipDeleteRule/nullify``.
    static var whenTargetDespawns: RelationshipDeleteRule { get }
}

extension Relationship {
    /// The name of the Swift type, without its module.
    public static var relationshipName: String { "\(Self.self)" }
    /// False.
    public static var isExclusive: Bool { false }
    /// False.
    public static var isAcyclic: Bool { false }
    /// ``RelationshipDeleteRule/nullify``.
    public static var whenTargetDespawns: RelationshipDeleteRule { .nullify }
}

/// What becomes of the sources of a relationship when its target is despawned.
public enum RelationshipDeleteRule: UInt16, Sendable, Hashable {
    /// They are no longer related; nothing else happens.
    case nullify = 0
    /// They are despawned as well.
    case cascade = 1
    /// The target stays, together with everything that was to go with it, as long as it has a
    /// source that stays.
    case deny = 2
}

/// That one game object is related to another one.
///
/// Links are made and removed by ``World/relate(_:_:to:)`` and ``World/unrelate(_:_:from:)``, and
/// read like any component: ``World/observe(_:_:)`` tells of them, a ``System`` declares that it
/// reads them. The links of an exclusive kind belong to their sources, so a query can combine them
/// with the sources' components:
///
/// ```swift
/// world.query(Position.self, Link<ChildOf>.self).forEach { position, link in
///     print(position, world[link.target, Position.self] as Any)
/// }
/// ```
///
/// Those of other kinds have IDs of their own, under which there is no game object; a loop over
/// `query(Link<Likes>.self)` visits all of them.
@frozen
public struct Link<Kind: Relationship>: ValueComponent, Hashable {
    /// The game object that the relationship leads from.
    public let source: GameObjectID
    /// The game object that the relationship leads to.
    public let target: GameObjectID

    @usableFromInline
    init(_ source: GameObjectID, _ target: GameObjectID) {
        self.source = source
        self.target = target
    }

    /// The name of the kind.
    public static var componentName: String { Kind.relationshipName }

    /// The rules of the kind.
    @_documentation(visibility: internal)
    public static var __kind: ColumnKind { .relationship(RelationshipRules(Kind.self)) }
    /// False: the other direction of a link is kept as well.
    @_documentation(visibility: internal)
    @inlinable public static var __isSettable: Bool { @inline(__always) get { false } }
}

extension Link: CustomStringConvertible {
    /// Source, kind and target.
    public var description: String { "\(source) \(Kind.relationshipName) \(target)" }
}
