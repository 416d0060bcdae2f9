// SPDX-License-Identifier: Apache-2.0

import Contents
import Traps

/// A copy of game objects with their components and relationships, from which new ones are spawned.
///
/// ```swift
/// let goblin = Prefab(of: goblin, with: ChildOf.self, in: world)  // with sword and purse
/// for _ in 0..<100 { world.spawn(goblin) }
/// ```
///
/// It is a value: what happens to the originals later does not change it, and it can be spawned in
/// other worlds too. Where a component names a game object that was copied as well, by a field of
/// the type ``GameObjectID`` or an optional one, the new component names the new game object; the
/// same holds for relationships. What leads to a game object that was not copied stays as it is in
/// the world that the copy is from; in another one such relationships are left out, and such fields
/// become the ID 0, which no game object has. Managed objects and resources are not copied.
public struct Prefab: Sendable {
    /// The components of one type.
    struct Part: Sendable {
        let type: ComponentType
        /// The copied game objects that have one, by their places.
        var places: [Int] = []
        /// The values, each ``ComponentType/stride`` bytes from the next.
        var values: [UInt8] = []
        /// What the keys among them stand for.
        var contents: [ContentKey: [UInt8]] = [:]

        /// Whether values may name game objects.
        var hasReferences: Bool { !type.references.isEmpty || !contents.isEmpty }

        mutating func add(_ value: UnsafeRawPointer, _ place: Int) {
            places.append(place)
            values.append(contentsOf: UnsafeRawBufferPointer(start: value, count: type.stride))
        }
    }

    /// One end of a relationship.
    enum End: Sendable, Hashable {
        case copied(Int)
        case other(GameObjectID)
    }

    /// The relationships of one kind.
    struct LinkPart: Sendable {
        let type: ComponentType
        var links: [(source: Int, target: End)] = []
    }

    /// The game objects that were copied.
    let originals: [GameObjectID]
    /// The world of the originals.
    let origin: WorldToken
    private(set) var parts: [Part] = []
    private(set) var linkParts: [LinkPart] = []

    /// Copies game objects.
    ///
    /// Traps for one that the world does not have, and for a component with an ID where it cannot
    /// be followed, such as in the payload of an enum. A type with such payloads has to be known to
    /// the world, as its values are looked at: a world of a file knows one that was used, or named
    /// in `World(context:components:)`.
    ///
    /// - Complexity: O(values that are copied)
    public init(of objects: some Sequence<GameObjectID>, in world: World) {
        self.init(of: objects, in: world, for: nil)
    }

    /// Copies game objects.
    ///
    /// - Parameter receiver: A world that knows further component types.
    init(of objects: some Sequence<GameObjectID>, in world: World, for receiver: World?) {
        var originals: [GameObjectID] = []
        var places: [Int: Int] = [:]
        for object in objects {
            world.checkAlive(object, "copying it")
            guard places[object.row] == nil else { continue }
            places[object.row] = originals.count
            originals.append(object)
        }
        self.originals = originals
        origin = world.token
        for column in world.columns.dropFirst() {
            switch column.type.kind {
            case .component:
                copy(column) { world.swiftType(of: column) ?? receiver?.swiftType(of: column) }
            case .relationship: copyLinks(column, places, world)
            case .resource: break
            }
        }
    }

    /// Copies one game object.
    public init(of object: GameObjectID, in world: World) {
        self.init(of: CollectionOfOne(object), in: world)
    }

    /// Copies a game object and everything below it.
    public init<Kind: Relationship>(
        of object: GameObjectID, with kind: Kind.Type, in world: World
    ) {
        self.init(of: [object] + world.descendants(of: object, kind), in: world)
    }

    /// The number of game objects that are spawned at a time.
    public var count: Int { originals.count }

    private mutating func copy(
        _ column: Column, _ swiftType: () -> (any StoredComponent.Type)?
    ) {
        guard originals.contains(where: { column.has($0.row) }) else { return }
        var part = Part(type: column.type)
        for (place, object) in originals.enumerated() {
            guard let value = column.place(of: object.row) else { continue }
            part.add(value, place)
        }
        part.contents = column.contents(ofValues: part.values)
        let obstacle = HiddenReferences.obstacle(in: part.values, part.type, swiftType()) {
            "\(originals[part.places[$0]])"
        }
        if let obstacle { trap(obstacle) }
        parts.append(part)
    }

    private mutating func copyLinks(_ column: Column, _ places: [Int: Int], _ world: World) {
        var part = LinkPart(type: column.type)
        for (place, object) in originals.enumerated() {
            for target in column.targets(of: object.row) {
                let end = places[target].map(End.copied) ?? .other(world.id(ofRow: target))
                part.links.append((place, end))
            }
        }
        if !part.links.isEmpty { linkParts.append(part) }
    }
}
