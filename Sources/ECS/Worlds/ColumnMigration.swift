// SPDX-License-Identifier: Apache-2.0

import Contents
import Traps
import Worlds

/// How the values of a column that a file has become those of another layout.
///
/// ```swift
/// struct OldPosition: ValueComponent {
///     static let componentName = "Position"
///     var x, y: Float
/// }
/// let migration = ColumnMigration(from: OldPosition.self, to: Position.self) { old in
///     Position(x: old.x, y: old.y, z: 0)
/// }
/// let world = try World(context: moc, migrations: [migration])
/// ```
///
/// It is also how a resource of the type is converted. It is used if the file has a column of the
/// old type's name and fields, when the world opens; the next save writes the new layout. Where its
/// new type is the old one of another migration that the world gets, that follows: a program names
/// each step once, and opens files of all of its earlier versions.
public struct ColumnMigration {
    let old: ComponentType
    let new: ComponentType
    /// Reads the values of a column of the old layout and gives them to one of the new layout.
    let convert: (UnsafeRawPointer, World, GameObjectID, Contents) throws -> Void
    /// The old and the new type as those of a resource.
    let resources: (old: ComponentType, new: ComponentType)
    /// Reads the resource of the old layout, and sets that of the new one.
    let convertResource: (UnsafeRawPointer, World, Contents) throws -> Void
    /// What it does, in steps, to be put together with other migrations.
    private let steps: Steps
    /// Reads what the keys of codable components stand for.
    typealias Contents = (ContentKey) throws -> [UInt8]?

    /// A migration from one type to another, whose names may be the same or not.
    public init<Old: WorldComponent, New: WorldComponent>(
        from old: Old.Type, to new: New.Type, _ body: @escaping (Old) -> New
    ) {
        self.old = ComponentType(Old.__Stored.self)
        self.new = ComponentType(New.__Stored.self)
        require(
            self.old.kind == .component && self.new.kind == .component,
            "a migration from \(old) to \(new); only components are migrated")
        resources = (
            ComponentType(Resource<Old.__Stored>.self), ComponentType(Resource<New.__Stored>.self)
        )
        require(
            !self.old.isStored(as: self.new) || !Old.__isCoded,
            "a migration from \(old) to \(new), codable components of one name, whose contents "
                + "cannot be told apart; let init(from:) read both, or name one differently")
        steps = Steps(old, new, body)
        convertResource = { bytes, world, contents in
            let stored = bytes.loadUnaligned(as: Old.__Stored.self)
            world[resource: new] = body(try world.value(old, stored, contents))
        }
        convert = { bytes, world, object, contents in
            let stored = bytes.loadUnaligned(as: Old.__Stored.self)
            world.set(body(try world.value(old, stored, contents)), of: object)
        }
    }
}

extension ColumnMigration {
    /// The steps of a migration without its types, each with a value of any type.
    private struct Steps {
        let oldType: any WorldComponent.Type
        let newType: any WorldComponent.Type
        let read: (UnsafeRawPointer, World, Contents) throws -> any WorldComponent
        let convert: (any WorldComponent) -> (any WorldComponent)?
        let set: (any WorldComponent, World, GameObjectID) -> Void
        let setResource: (any WorldComponent, World) -> Void

        init<Old: WorldComponent, New: WorldComponent>(
            _ old: Old.Type, _ new: New.Type, _ body: @escaping (Old) -> New
        ) {
            (oldType, newType) = (old, new)
            read = { bytes, world, contents in
                let stored = bytes.loadUnaligned(as: Old.__Stored.self)
                return try world.value(old, stored, contents)
            }
            convert = { ($0 as? Old).map(body) }
            set = { value, world, object in
                if let value = value as? New { world.set(value, of: object) }
            }
            setResource = { value, world in
                if let value = value as? New { world[resource: new] = value }
            }
        }
    }

    /// The migration that a file's type needs, with those that follow it, and their number.
    static func chain(
        from migrations: [ColumnMigration], where isFirst: (ColumnMigration) -> Bool
    ) -> (migration: ColumnMigration, length: Int)? {
        guard let first = migrations.first(where: isFirst) else { return nil }
        var chain = [first]
        while let last = chain.last,
            let next = migrations.first(where: { $0.steps.oldType == last.steps.newType }),
            // Back to a type that it was is no way on.
            !chain.contains(where: { $0.old.isStored(as: next.new) })
        { chain.append(next) }
        return (chain.count == 1 ? first : ColumnMigration(chain), chain.count)
    }

    /// Makes one migration of several, each of which begins with what the one before it gives.
    private init(_ chain: [ColumnMigration]) {
        let (first, last) = (chain[0], chain[chain.count - 1])
        (old, new) = (first.old, last.new)
        resources = (first.resources.old, last.resources.new)
        steps = first.steps
        let value: (UnsafeRawPointer, World, Contents) throws -> (any WorldComponent)? = {
            let read = try first.steps.read($0, $1, $2)
            return chain.reduce(read) { value, migration in
                value.flatMap { migration.steps.convert($0) }
            }
        }
        convert = { bytes, world, object, contents in
            try value(bytes, world, contents).map { last.steps.set($0, world, object) }
        }
        convertResource = { bytes, world, contents in
            try value(bytes, world, contents).map { last.steps.setResource($0, world) }
        }
    }
}
