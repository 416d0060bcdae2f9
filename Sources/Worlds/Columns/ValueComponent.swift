// SPDX-License-Identifier: Apache-2.0

/// A plain value that game objects can have, such as a position.
///
/// ```swift
/// struct Position: ValueComponent {
///     var x, y, z: Float
/// }
///
/// let world = World()
/// let ship = world.spawn(Position(x: 0, y: 0, z: 0))
/// world[ship, Position.self]?.x += 1
/// ```
///
/// Values lie packed in columns, so a component is a structure of numbers, Boolean values, enums
/// without payloads, other such structures and ``GameObjectID``: what the language calls bitwise
/// copyable. A structure without fields is a *tag*, of which a column keeps the presence alone.
///
/// A value takes at most ``ChunkLayout/greatestStride`` bytes; a larger one traps when a world
/// first meets its type. Files keep columns by ``NamedComponent/componentName``.
public protocol ValueComponent: StoredComponent, WorldComponent
where __Stored == Self, __Place == ValuePlace<Self> {}

/// What a column keeps: a value, or the key of one.
///
/// A key is no component of a program: nobody could set one without the content that it stands
/// for.
@_documentation(visibility: internal)
public protocol StoredComponent: BitwiseCopyable, NamedComponent {
    /// What the rows of the type's column stand for.
    @_documentation(visibility: internal)
    static var __kind: ColumnKind { get }
    /// Whether a program sets values of the type itself.
    @_documentation(visibility: internal)
    static var __isSettable: Bool { get }
    /// How values are made of contents; nil for values that are what they are.
    @_documentation(visibility: internal)
    static var __coder: ContentCoder? { get }
}

extension StoredComponent {
    /// Game objects.
    @_documentation(visibility: internal)
    public static var __kind: ColumnKind { .component }
    /// True.
    @_documentation(visibility: internal)
    @inlinable public static var __isSettable: Bool { @inline(__always) get { true } }
    /// Nil.
    @_documentation(visibility: internal)
    public static var __coder: ContentCoder? { nil }
}
