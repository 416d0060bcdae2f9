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
/// old type's name and fields, when the world opens; the next save writes the new layout.
public struct ColumnMigration {
    let old: ComponentType
    let new: ComponentType
    /// Reads the values of a column of the old layout and gives them to one of the new layout.
    let convert: (UnsafeRawPointer, World, GameObjectID, Contents) throws -> Void
    /// The old and the new type as those of a resource.
    let resources: (old: ComponentType, new: ComponentType)
    /// Reads the resource of the old layout, and sets that of the new one.
    let convertResource: (UnsafeRawPointer, World, Contents) throws -> Void
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
