// SPDX-License-Identifier: Apache-2.0

import Contents

/// What has a name in files.
@_documentation(visibility: internal)
public protocol NamedComponent: Sendable {
    /// The name of the type in files; the name of the Swift type unless a type says otherwise.
    ///
    /// Two types of one world must not share a name.
    static var componentName: String { get }
}

/// What game objects can have in a world: a ``ValueComponent`` or a ``CodableComponent``.
///
/// Programs conform to one of these two, and never to this protocol by itself.
public protocol WorldComponent: NamedComponent, QueryTerm where Item == Self {
    /// What a column keeps for each value.
    @_documentation(visibility: internal)
    associatedtype __Stored: StoredComponent
    /// Where a loop finds a value that it may change.
    @_documentation(visibility: internal)
    associatedtype __Place: ComponentPlace where __Place.Value == Self
    /// Whether columns keep keys of contents.
    @_documentation(visibility: internal)
    static var __isCoded: Bool { get }
    /// Makes what a column keeps.
    ///
    /// - Parameter keep: Gets the content that goes with it, if there is one.
    @_documentation(visibility: internal)
    static func __pack(_ value: Self, _ keep: (ContentKey, [UInt8]) -> Void) -> __Stored
    /// Makes what a column keeps of several values.
    @_documentation(visibility: internal)
    static func __packAll(_ values: [Self], _ keep: (ContentKey, [UInt8]) -> Void) -> [__Stored]
    /// The value of what a column keeps.
    @_documentation(visibility: internal)
    static func __unpack(_ stored: __Stored, _ contents: ContentPool?) -> Self
    /// The place of a row of a block.
    @_documentation(visibility: internal)
    static func __place(_ place: TermPlace, _ row: Int) -> __Place
    /// Gives a new game object a component.
    @_documentation(visibility: internal)
    static func __add(_ value: Self, _ object: GameObjectID, _ world: World)
    /// Gives a game object a component, or another value.
    @_documentation(visibility: internal)
    static func __set(_ value: Self, _ object: GameObjectID, _ world: World)
    /// Gives a game object a component at the sync point.
    @_documentation(visibility: internal)
    static func __set(_ value: Self, _ object: GameObjectID, _ commands: Commands)
}

/// Loops over packs of types come here: the compiler specialises these for each type, and not the
/// bodies of such loops.
extension WorldComponent {
    /// Gives a new game object a component.
    @_documentation(visibility: internal)
    @inlinable
    public static func __add(_ value: Self, _ object: GameObjectID, _ world: World) {
        world.insert(world.pack(value), object)
    }

    /// Gives a game object a component, or another value.
    @_documentation(visibility: internal)
    @inlinable
    public static func __set(_ value: Self, _ object: GameObjectID, _ world: World) {
        world.set(value, of: object)
    }

    /// Gives a game object a component at the sync point.
    @_documentation(visibility: internal)
    @inlinable
    public static func __set(_ value: Self, _ object: GameObjectID, _ commands: Commands) {
        commands.set(value, of: object)
    }
}

extension NamedComponent {
    /// The name of the Swift type, without its module.
    public static var componentName: String { "\(Self.self)" }
}

/// Where a value is that a loop may change.
@_documentation(visibility: internal)
public protocol ComponentPlace {
    /// The type of the value.
    associatedtype Value
    /// The value.
    var value: Value { get nonmutating set }
}

/// The place of a value in its column.
@_documentation(visibility: internal)
@frozen
public struct ValuePlace<Value>: ComponentPlace {
    @usableFromInline let pointer: UnsafeMutablePointer<Value>

    @inlinable @inline(__always)
    init(_ pointer: UnsafeMutablePointer<Value>) { self.pointer = pointer }

    /// The value in place.
    @inlinable public var value: Value {
        @inline(__always) get { pointer.pointee }
        @inline(__always) nonmutating _modify { yield &pointer.pointee }
    }
}

extension ValueComponent {
    /// False.
    @_documentation(visibility: internal)
    @inlinable public static var __isCoded: Bool { @inline(__always) get { false } }
    /// The value itself.
    @_documentation(visibility: internal)
    @inlinable @inline(__always)
    public static func __pack(_ value: Self, _ keep: (ContentKey, [UInt8]) -> Void) -> Self {
        value
    }
    /// The values themselves.
    @_documentation(visibility: internal)
    @inlinable @inline(__always)
    public static func __packAll(
        _ values: [Self], _ keep: (ContentKey, [UInt8]) -> Void
    ) -> [Self] { values }
    /// The value itself.
    @_documentation(visibility: internal)
    @inlinable @inline(__always)
    public static func __unpack(_ stored: Self, _ contents: ContentPool?) -> Self { stored }
    /// The place in the column.
    @_documentation(visibility: internal)
    @inlinable @inline(__always)
    public static func __place(_ place: TermPlace, _ row: Int) -> ValuePlace<Self> {
        ValuePlace(place.values(as: Self.self) + row)
    }
}
