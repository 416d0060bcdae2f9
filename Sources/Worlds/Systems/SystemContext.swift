// SPDX-License-Identifier: Apache-2.0

/// What a system works with: the part of a world that it has declared.
///
/// Queries, reads and writes go through it instead of through the world, as other systems may run
/// at the same time. Using a component that the system has not declared traps, and names both. What
/// makes game objects and components come and go is kept by ``commands`` until the sync point.
///
/// - Note: It belongs to the running body: do not keep it, nor hand it to another thread.
public final class SystemContext {
    @usableFromInline let world: World
    /// What the system may use; nil for an exclusive one, which may use everything.
    @usableFromInline let access: SystemAccess?
    /// The name of the system.
    public let name: String
    /// Changes that are made at the next sync point.
    public let commands: Commands
    /// The time that the run is about, in seconds: what ``Schedule/run(_:delta:)`` got, or the
    /// length of a fixed step.
    public internal(set) var delta = 0.0
    /// The tick of the system's last run; 0 before the first one.
    ///
    /// ``WorldQuery/added(_:since:)`` and ``WorldQuery/changed(_:since:)`` without a tick of their
    /// own mean what came later. What the system changed itself in that run does not count.
    ///
    /// Ticks are no part of a world that is saved: in one that was opened again, everything is new
    /// to the first run.
    public internal(set) var lastRun: UInt64 = 0

    init(_ name: String, _ world: World, _ access: SystemAccess?) {
        self.name = name
        self.world = world
        self.access = access
        commands = Commands(world, source: "system \(name)")
    }
}

/// Values of single game objects.
extension SystemContext {
    /// A game object's value of a component that the system reads or writes; nil if it has none.
    ///
    /// Setting it needs a component that the system writes and the game object has; ``commands``
    /// add and remove components.
    ///
    /// - Complexity: O(1)
    @inlinable
    public subscript<C: WorldComponent>(_ object: GameObjectID, _ type: C.Type) -> C? {
        get {
            access?.checkRead(world.column(type))
            return world[object, type]
        }
        set {
            access?.checkWrite(world.column(type))
            world[object, type] = newValue
        }
    }

    /// Gives a component that a game object has, and that the system writes, another value.
    ///
    /// Traps for a game object without the component.
    @inlinable
    public func set<C: WorldComponent>(_ value: C, of object: GameObjectID) {
        access?.checkWrite(world.column(C.self))
        world.set(value, of: object)
    }

    /// Whether a game object has a component that the system reads or writes.
    @inlinable
    public func has<C: WorldComponent>(_ type: C.Type, _ object: GameObjectID) -> Bool {
        access?.checkRead(world.column(type))
        return world.has(type, object)
    }

    /// Whether the world has a game object; those of ``commands`` come at the sync point.
    public func isAlive(_ object: GameObjectID) -> Bool { world.isAlive(object) }

    /// The values of a component that were removed since the system's last run, oldest first.
    ///
    /// A world forgets what was removed before its last but one ``World/advance()``, so a system
    /// that skips runs of its schedule may miss some.
    public func removals<C: WorldComponent>(
        of type: C.Type
    ) -> [(object: GameObjectID, value: C)] {
        access?.checkRead(world.column(type))
        return world.removals(of: type, since: lastRun)
    }
}
