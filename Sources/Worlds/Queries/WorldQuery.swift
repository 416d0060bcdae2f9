// SPDX-License-Identifier: Apache-2.0

/// What all queries can do: filter, count, and name the game objects that match.
///
/// Programs do not conform to it; see ``Query``.
public protocol WorldQuery {
    /// The world, terms and filters.
    @_documentation(visibility: internal)
    var __shape: QueryShape { get set }
}

/// Filters.
extension WorldQuery {
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

/// Answers without a loop.
extension WorldQuery {
    /// The number of game objects that match.
    ///
    /// - Complexity: O(game objects / 64)
    public var count: Int {
        var count = 0
        visitMasks {
            count += $0.nonzeroBitCount; return true
        }
        return count
    }

    /// Whether no game object matches.
    public var isEmpty: Bool {
        var isEmpty = true
        visitMasks {
            isEmpty = $0 == 0; return isEmpty
        }
        return isEmpty
    }

    /// The IDs of the game objects that match, ascending.
    public var objects: [GameObjectID] {
        var result: [GameObjectID] = []
        visitMasks { mask, first in
            for bit in Bits(mask) {
                result.append(GameObjectID(rawValue: first + UInt64(bit)))
            }
            return true
        }
        return result
    }

    /// The first game object that matches; nil for none.
    public var first: GameObjectID? {
        var found: GameObjectID?
        visitMasks { mask, first in
            guard mask != 0 else { return true }
            found = GameObjectID(rawValue: first + UInt64(mask.trailingZeroBitCount))
            return false
        }
        return found
    }

    /// The one game object that matches; nil for none and for several.
    public var single: GameObjectID? { count == 1 ? first : nil }

    private func visitMasks(_ body: (UInt64) -> Bool) { visitMasks { mask, _ in body(mask) } }

    /// Calls a body with each word of matches and the ID of its first row, without marking changes.
    private func visitMasks(_ body: (UInt64, UInt64) -> Bool) {
        let run = QueryRun(__shape, marksChanges: false)
        defer { run.end() }
        while run.nextBlock() {
            for word in 0..<run.words where run.masks[word] != 0 {
                guard body(run.masks[word], run.firstID + UInt64(word << 6)) else { return }
            }
        }
    }
}
