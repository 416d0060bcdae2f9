// SPDX-License-Identifier: Apache-2.0

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
    let convert: (UnsafeRawPointer, World, GameObjectID) -> Void
    /// The old and the new type as those of a resource.
    let resources: (old: ComponentType, new: ComponentType)
    /// Reads the resource of the old layout, and sets that of the new one.
    let convertResource: (UnsafeRawPointer, World) -> Void

    /// A migration from one type to another, whose names may be the same or not.
    public init<Old: ValueComponent, New: ValueComponent>(
        from old: Old.Type, to new: New.Type, _ body: @escaping (Old) -> New
    ) {
        self.old = ComponentType(old)
        self.new = ComponentType(new)
        require(
            self.old.kind == .component && self.new.kind == .component,
            "a migration from \(old) to \(new); only components are migrated")
        resources = (ComponentType(Resource<Old>.self), ComponentType(Resource<New>.self))
        convertResource = { bytes, world in
            world[resource: new] = body(bytes.loadUnaligned(as: Old.self))
        }
        convert = { bytes, world, object in
            world.set(body(bytes.loadUnaligned(as: Old.self)), of: object)
        }
    }
}
