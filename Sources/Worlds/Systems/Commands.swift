// SPDX-License-Identifier: Apache-2.0

import Contents
import Traps

/// Changes of a world that are kept for later, as game objects must not come and go in a loop.
///
/// ```swift
/// let commands = Commands(world)
/// world.query(Health.self, GameObjectID.self).forEach { health, object in
///     if health.points <= 0 { commands.despawn(object) }
/// }
/// commands.apply()
/// ```
///
/// A system has commands of its own, ``SystemContext/commands``. The schedule applies them at its
/// next *sync point*, where no system runs: system by system in the order of the schedule, and
/// those of one system in the order of the calls. Commands that a program makes itself are applied
/// by ``apply()``.
///
/// Between call and sync point another command may take the game object away. Despawning it again
/// and removing a component from it then do nothing. Setting a component traps, since a value that
/// is lost is mostly a mistake; ``set(_:ifAlive:)`` says that it is none. In the same way
/// despawning traps where a relationship denies it, and ``despawn(ifAllowed:)`` leaves the game
/// object.
///
/// Changes of a copy of the world may bring a game object under an ID that ``spawn(_:)`` has given
/// out. It is taken for the same one, as ``World/apply(_:)`` says: it gets the components, and is
/// not made again if it has gone by then. One that another program has brought into the file is
/// taken for another one: it gets nothing, and the next save throws, as for one that was spawned at
/// once.
///
/// - Note: One thread uses an instance at a time: that of its system, or that of its world.
public final class Commands {
    @usableFromInline let world: World
    /// Who gave the commands, for messages.
    let source: String
    // SAFETY: one thread at a time uses an instance, and no access calls code of the program.
    @exclusivity(unchecked) @usableFromInline var entries: ContiguousArray<Entry> = []
    /// The values of the entries.
    @exclusivity(unchecked) @usableFromInline var values: [UInt8] = []
    /// What the keys among the values stand for.
    @exclusivity(unchecked) @usableFromInline var contents: [KeptContent] = []
    var closures: [@Sendable (World) -> Void] = []
    var rows = SpawnRows()
    /// Whether the world tells of game objects of others, which may have taken those rows.
    private var isKnown = false
    /// The entries that are being applied.
    var applied: ContiguousArray<Entry> = []
    /// How many of these have been.
    var appliedCount = 0
    /// The rows of game objects to come that others have brought meanwhile.
    var arrived: Set<Int> = []
    /// The rows of game objects to come that another program has used for others.
    var shared: Set<Int> = []
    /// Lets the system take rows in its turn; nil where systems run one after the other.
    var turn: (gate: TurnGate, place: Int)?

    /// Makes an empty list of changes of a world.
    public convenience init(_ world: World) { self.init(world, source: "commands") }

    init(_ world: World, source: String) {
        self.world = world
        self.source = source
    }

    /// A change.
    @frozen
    @usableFromInline
    struct Entry {
        @usableFromInline let kind: Kind
        @usableFromInline let object: GameObjectID
        /// The component that is set or removed.
        @usableFromInline let type: (any StoredComponent.Type)?
        /// Where the value or the closure is.
        @usableFromInline let place: Int

        @usableFromInline
        init(
            _ kind: Kind, _ object: GameObjectID, _ type: (any StoredComponent.Type)?, _ place: Int
        ) {
            self.kind = kind
            self.object = object
            self.type = type
            self.place = place
        }
    }

    /// The content of a codable component that is to be set.
    @usableFromInline
    struct KeptContent {
        let type: any StoredComponent.Type
        let key: ContentKey
        let bytes: [UInt8]

        @usableFromInline
        init(type: any StoredComponent.Type, key: ContentKey, bytes: [UInt8]) {
            self.type = type
            self.key = key
            self.bytes = bytes
        }
    }

    @frozen
    @usableFromInline
    enum Kind: UInt8 { case spawn, despawn, despawnIfAllowed, set, setIfAlive, remove, run }

    /// Whether there is nothing to do.
    public var isEmpty: Bool { entries.isEmpty }
}

/// What can be kept for later.
extension Commands {
    /// Makes a game object with components at the sync point.
    ///
    /// - Returns: The ID, which may be stored and named in commands at once. Until the sync point
    ///   ``World/isAlive(_:)`` is false for it. It is the same on one thread as on several.
    /// - Complexity: O(number of components)
    @inlinable
    @discardableResult
    public func spawn<each C: WorldComponent>(_ components: repeat each C) -> GameObjectID {
        let object = takeID()
        entries.append(Entry(.spawn, object, nil, 0))
        for (type, value) in repeat ((each C).self, each components) {
            type.__set(value, object, self)
        }
        return object
    }

    /// Makes a game object without components at the sync point, as ``spawn(_:)``.
    @discardableResult
    public func spawn() -> GameObjectID {
        // Not left to an empty pack: optimised calls of that crash the compiler (Swift 6.3).
        let object = takeID()
        entries.append(Entry(.spawn, object, nil, 0))
        return object
    }

    /// Takes a game object out of the world at the sync point; does nothing if it is gone by then.
    ///
    /// Traps at the sync point if a relationship denies it then, see
    /// ``World/denials(ofDespawning:)``.
    public func despawn(_ object: GameObjectID) { entries.append(Entry(.despawn, object, nil, 0)) }

    /// Takes a game object out of the world at the sync point, unless a relationship denies it.
    public func despawn(ifAllowed object: GameObjectID) {
        entries.append(Entry(.despawnIfAllowed, object, nil, 0))
    }

    /// Gives a game object a component, or the one that it has another value.
    ///
    /// Traps at the sync point if the world does not have the game object then.
    @inlinable
    public func set<C: WorldComponent>(_ value: C, of object: GameObjectID) {
        keep(value, object, .set)
    }

    /// Gives a game object a component, unless it is gone by the sync point.
    @inlinable
    public func set<C: WorldComponent>(_ value: C, ifAlive object: GameObjectID) {
        keep(value, object, .setIfAlive)
    }

    /// Gives a game object components that it may have already, as ``set(_:of:)`` each.
    @inlinable
    public func add<each C: WorldComponent>(_ values: repeat each C, to object: GameObjectID) {
        for (type, value) in repeat ((each C).self, each values) {
            type.__set(value, object, self)
        }
    }

    /// Takes a component from a game object; does nothing if it has none by then, or is gone.
    @inlinable
    public func remove<C: WorldComponent>(_ type: C.Type, from object: GameObjectID) {
        entries.append(Entry(.remove, object, C.__Stored.self, 0))
    }

    /// Calls a closure with the world at the sync point, where it may do anything.
    ///
    /// - Parameter body: Called on the thread that runs the schedule.
    public func run(_ body: @escaping @Sendable (World) -> Void) {
        entries.append(Entry(.run, GameObjectID(rawValue: 0), nil, closures.count))
        closures.append(body)
    }

    @inlinable @inline(__always)
    func keep<C: WorldComponent>(_ value: C, _ object: GameObjectID, _ kind: Kind) {
        world.checkSettable(C.__Stored.self)
        let stored = C.__pack(value) {
            contents.append(KeptContent(type: C.__Stored.self, key: $0, bytes: $1))
        }
        entries.append(Entry(kind, object, C.__Stored.self, values.count))
        // A tag has no bytes, nor has its place in memory an address in optimised code.
        guard MemoryLayout<C.__Stored>.size > 0 else { return }
        withUnsafeBytes(of: stored) { values.append(contentsOf: $0) }
    }

    @usableFromInline
    func takeID() -> GameObjectID {
        let row = rows.next(world) {
            if let turn { turn.gate.wait(for: turn.place) }
            if !isKnown { world.tell(self) }
            isKnown = true
        }
        return GameObjectID(entity: world.entity, row: row)
    }
}
