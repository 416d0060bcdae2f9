// SPDX-License-Identifier: Apache-2.0

/// Filters by relationships, as ``WorldQuery`` has them; the kind is declared as read.
///
/// ```swift
/// schedule.add("mourn", Mut<Mood>.self) { mood, _ in mood.joy = 0 }
///     .with(Likes.self, to: .any).without(ChildOf.self, to: .any)
/// ```
extension QuerySystem {
    /// Visits only game objects that are related to a target, or to any.
    @discardableResult
    public func with<Kind: Relationship>(_ kind: Kind.Type, to target: RelationshipEnd) -> Self {
        adding(kind, .targets, target, isExcluded: false)
    }

    /// Visits only game objects that a source is related to, or that any is.
    @discardableResult
    public func with<Kind: Relationship>(_ kind: Kind.Type, from source: RelationshipEnd) -> Self {
        adding(kind, .sources, source, isExcluded: false)
    }

    /// Visits only game objects that are not related to a target, or to none.
    @discardableResult
    public func without<Kind: Relationship>(_ kind: Kind.Type, to target: RelationshipEnd) -> Self {
        adding(kind, .targets, target, isExcluded: true)
    }

    /// Visits only game objects that a source is not related to, or that none is.
    @discardableResult
    public func without<Kind: Relationship>(
        _ kind: Kind.Type, from source: RelationshipEnd
    ) -> Self { adding(kind, .sources, source, isExcluded: true) }

    private func adding<Kind: Relationship>(
        _ kind: Kind.Type, _ side: LinkSide, _ end: RelationshipEnd, isExcluded: Bool
    ) -> Self {
        adding { world, filters in
            filters.rows.append(
                .links(world.column(Link<Kind>.self), side, end, isExcluded: isExcluded))
        }
    }
}

/// Filters by an index, whose component is declared as read.
///
/// The index takes in what has changed before the system's turn. A system with a step of its own,
/// see ``System/every(_:atMost:)``, that changes the component itself traps in the second step of a
/// run: its stage may have the step instead.
extension QuerySystem {
    /// Visits only game objects that an index has under a key.
    ///
    /// Traps when it runs in another world than the index's.
    @inlinable
    @discardableResult
    public func with<Component, Key>(
        _ index: ComponentIndex<Component, Key>, _ key: Key
    ) -> Self { with(index, KeyBounds(key)) }

    /// Visits only game objects that an index has in a range of keys.
    @inlinable
    @discardableResult
    public func with<Component, Key>(
        _ index: ComponentIndex<Component, Key>, in range: some KeyRange<Key>
    ) -> Self { with(index, range.__bounds) }

    @inlinable
    func with<Component, Key>(
        _ index: ComponentIndex<Component, Key>, _ bounds: KeyBounds<Key>
    ) -> Self {
        narrowed(
            by: { $0.column(Component.self) }, index.finder(bounds), index.refreshIfOutdated)
    }

    @usableFromInline
    func narrowed(
        by column: @escaping (World) -> Column, _ find: @escaping (World) -> [Int],
        _ refresh: @escaping () -> Void
    ) -> Self {
        adding { world, filters in filters.rows.append(.found(column(world), find)) }
            .refreshing(refresh)
    }
}
