// SPDX-License-Identifier: Apache-2.0

import Contents
import Traps

/// Game objects that are copies of others.
extension World {
    /// Makes game objects that are as those of a prefab were when it was made.
    ///
    /// - Returns: The new game objects, in the order in which the prefab's were named.
    /// - Complexity: O(values that are copied)
    @discardableResult
    public func spawn(_ prefab: Prefab) -> [GameObjectID] {
        let objects = Array(spawnAll(count: prefab.count))
        let isAtHome = prefab.origin === token
        let copies =
            prefab.parts.contains(where: \.hasReferences)
            ? Dictionary(uniqueKeysWithValues: zip(prefab.originals, objects)) : [:]
        let rows = objects.map(\.row)
        for part in prefab.parts {
            insert(part, rows: rows) { copies[$0] ?? (isAtHome ? $0 : GameObjectID(rawValue: 0)) }
        }
        for part in prefab.linkParts { insert(part, objects, isAtHome) }
        return objects
    }

    /// Makes a copy of a game object, with all of its components and of what it is related to.
    ///
    /// It has none of the relationships that lead to the original.
    @discardableResult
    public func clone(_ object: GameObjectID) -> GameObjectID {
        spawn(Prefab(of: object, in: self))[0]
    }

    /// Makes a copy of a game object and of everything below it.
    ///
    /// - Returns: The copy of the game object.
    @discardableResult
    public func clone<Kind: Relationship>(
        _ object: GameObjectID, with kind: Kind.Type
    ) -> GameObjectID {
        spawn(Prefab(of: object, with: kind, in: self))[0]
    }

    /// Makes copies of all game objects of another world, under new IDs.
    ///
    /// Components and relationships of the copies name the copies, and so do the resources, of
    /// which those come along that this world does not have. So the worlds of two files become one:
    ///
    /// ```swift
    /// let copies = world.merge(try World(context: other))
    /// try moc.save()
    /// ```
    ///
    /// Traps where both worlds have a component of one name with different fields, and as
    /// ``Prefab/init(of:in:)`` for IDs that cannot be followed.
    ///
    /// - Returns: The new ID of each game object of the other world.
    /// - Complexity: O(values of the other world)
    @discardableResult
    public func merge(_ other: World) -> [GameObjectID: GameObjectID] {
        require(other !== self, "a world is merged into itself")
        let prefab = Prefab(of: other.query(GameObjectID.self).objects, in: other, for: self)
        let resources = resources(missingFrom: other)
        let copies = Dictionary(uniqueKeysWithValues: zip(prefab.originals, spawn(prefab)))
        for part in resources {
            insert(part, rows: [0]) { copies[$0] ?? GameObjectID(rawValue: 0) }
        }
        return copies
    }

    /// The resources that another world has and this one has not.
    private func resources(missingFrom other: World) -> [Prefab.Part] {
        other.columns.compactMap { column in
            guard column.type.kind == .resource, let value = column.place(of: 0),
                names[column.type.name]?.has(0) != true
            else { return nil }
            var part = Prefab.Part(type: column.type)
            part.add(value, 0)
            part.contents = column.contents(ofValues: part.values)
            let obstacle = HiddenReferences.obstacle(
                in: part.values, part.type, other.swiftType(of: column) ?? swiftType(of: column)
            ) { _ in "the other world" }
            if let obstacle { trap(obstacle) }
            return part
        }
    }

    /// The column of a type of another world.
    private func column(of type: ComponentType) -> Column {
        let column = column(describedBy: type)
        require(
            column.type.isStored(as: type),
            "the world has \(column.type), and the copy \(type); give one of them another "
                + "componentName")
        return column
    }

    /// Gives rows the values of a part, by their places.
    private func insert(
        _ part: Prefab.Part, rows: [Int], _ rename: (GameObjectID) -> GameObjectID
    ) {
        let column = column(of: part.type)
        if let contents = column.contents { return insert(part, column, contents, rows, rename) }
        let stride = column.layout.stride
        let references = part.type.references
        part.values.withUnsafeBytes { values in
            for (index, place) in part.places.enumerated() {
                let room = column.insert(rows[place], now)
                guard stride > 0, let start = values.baseAddress else { continue }
                room.copyMemory(from: start + index * stride, byteCount: stride)
                for reference in references {
                    reference.replace(in: room, rename)
                }
            }
        }
    }

    private func insert(
        _ part: Prefab.Part, _ column: Column, _ contents: ContentPool, _ rows: [Int],
        _ rename: (GameObjectID) -> GameObjectID
    ) {
        for (place, key) in zip(part.places, CodedValues.keys(part.values)) {
            guard let bytes = part.contents[key] else { continue }
            let new = contents.keep(key, bytes, part.type.name, replacing: rename)
            column.insert(rows[place], now).storeBytes(of: new, as: ContentKey.self)
        }
    }

    private func insert(_ part: Prefab.LinkPart, _ objects: [GameObjectID], _ isAtHome: Bool) {
        let column = column(of: part.type)
        for link in part.links {
            switch link.target {
            case .copied(let place): column.addLink(objects[link.source], objects[place], self)
            case .other(let target):
                guard isAtHome, isAlive(target) else { continue }
                column.addLink(objects[link.source], target, self)
            }
        }
    }
}
