// SPDX-License-Identifier: Apache-2.0

/// What can be narrowed by filters: each gives the same question with a condition more.
///
/// Programs do not conform to it; see ``Query``.
public protocol FilteredQuery {
    /// The world, terms and filters.
    @_documentation(visibility: internal)
    var __shape: QueryShape { get set }
}

extension FilteredQuery {
    /// The same question, of game objects that have a component as well.
    public func with<C: WorldComponent>(_ type: C.Type) -> Self {
        adding { $0.with.append(world.column(type)) }
    }

    /// The same question, of game objects that do not have a component.
    public func without<C: WorldComponent>(_ type: C.Type) -> Self {
        adding { $0.without.append(world.column(type)) }
    }

    /// The same question, of game objects that have at least one of some components.
    public func withAny<each C: WorldComponent>(_ types: repeat (each C).Type) -> Self {
        adding { filters in
            var group: [Column] = []
            for type in repeat each types { group.append(world.column(type)) }
            filters.groups.append(group)
        }
    }

    /// The same question, of game objects that got a component since a tick.
    ///
    /// - Parameters:
    ///   - type: The component.
    ///   - tick: A ``World/tick``; without one the last ``World/advance()``, and in a system its
    ///     last run.
    public func added<C: WorldComponent>(_ type: C.Type, since tick: UInt64? = nil) -> Self {
        adding { $0.added.append((world.column(type), tick)) }
    }

    /// The same question, of game objects of which a component was added or changed since a tick.
    ///
    /// A value counts as changed when it was set, or visited as ``Mut``.
    ///
    /// - Parameters:
    ///   - type: The component.
    ///   - tick: A ``World/tick``; without one the last ``World/advance()``, and in a system its
    ///     last run.
    public func changed<C: WorldComponent>(_ type: C.Type, since tick: UInt64? = nil) -> Self {
        adding { $0.changed.append((world.column(type), tick)) }
    }

    /// The same question, of game objects that have lost a component since a tick, whether or not
    /// they have got it again; add ``without(_:)`` for those that lack it still.
    ///
    /// Despawned ones are no game objects any more: ``World/removals(of:since:)`` has the values
    /// of all.
    ///
    /// - Parameters:
    ///   - type: The component.
    ///   - tick: A ``World/tick``; without one the last ``World/advance()``, and in a system its
    ///     last run. Removals of before the last but one advance are forgotten.
    public func removed<C: WorldComponent>(_ type: C.Type, since tick: UInt64? = nil) -> Self {
        adding { $0.rows.append(.removed(world.column(type), since: tick)) }
    }

    private func adding(_ change: (inout QueryFilters) -> Void) -> Self {
        var query = self
        change(&query.__shape.filters)
        return query
    }

    private var world: World { __shape.world }
}
