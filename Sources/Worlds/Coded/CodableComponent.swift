// SPDX-License-Identifier: Apache-2.0

import Contents
import Traps

/// A value of any `Codable` type that game objects can have, such as a name with its tags.
///
/// ```swift
/// struct Name: CodableComponent {
///     var text: String
///     var tags: [String]
/// }
///
/// world[ship, Name.self] = Name(text: "Argo", tags: ["old"])
/// world[ship, Name.self]?.tags.append("fast")
/// world.query(Position.self, Name.self).forEach { position, name in
///     print(name.text, position)
/// }
/// ```
///
/// It is used as a ``ValueComponent`` is, but for loops over spans and indexes, which need values
/// that lie packed. Setting one codes it, which takes some microseconds: use value components for
/// what changes in each tick.
///
/// Values with the same coded bytes are kept once, and setting the bytes that a game object has is
/// no change for a save. That is not a type's `==`: texts that are equal but differ in their
/// Unicode scalars (`é` as one or as two) give other bytes, and so do 0 and -0, and what an `==` of
/// the type leaves out. A NaN has the bytes of any other one of the same bits. Sets and
/// dictionaries have no order; a type that codes their elements one by one should sort them.
///
/// A world gives back what decoding gives, also before a save: a property that is not coded is not
/// kept. A value that cannot be coded, that its own type cannot read back, in which values lie more
/// than 128 deep within each other, or that takes more than 16 MiB traps when it is set, with the
/// name of the type; what was saved stays. `WorldJSON` throws for such values. Files keep the
/// columns by ``NamedComponent/componentName``; what has become of the fields is a matter of
/// `init(from:)`, as everywhere with `Codable`. Values of a file that the type cannot read are an
/// error of `World(context:components:)` for types named there, and trap at the type's first use
/// otherwise.
///
/// Copies of game objects follow each ``GameObjectID`` that is coded as such.
public protocol CodableComponent: WorldComponent, CodedContent
where __Stored == Coded<Self>, __Place == CodedPlace<Self> {}

/// A type whose values are coded; programs conform to ``CodableComponent``.
@_documentation(visibility: internal)
public protocol CodedContent: NamedComponent, Codable {}

/// What a column keeps of a codable component: the key of its content.
///
/// It names a ``CodableComponent`` in `Resource<Coded<Calendar>>.self`. It is no component itself:
/// a key that a program set, of another world for instance, would stand without its content.
@frozen
public struct Coded<Component: CodedContent>: StoredComponent {
    @usableFromInline let key: ContentKey

    @usableFromInline
    init(_ key: ContentKey) { self.key = key }

    init(coding value: Component, _ keep: (ContentKey, [UInt8]) -> Void) {
        do {
            let bytes = try ContentEncoder.encode(value)
            key = ContentKey(of: bytes)
            keep(key, bytes)
        } catch {
            trap(
                "the component \(Component.componentName) cannot be coded: "
                    + ContentDecoder.text(of: error))
        }
    }

    func value(_ contents: ContentPool?) -> Component {
        guard let contents else { trap("\(Component.componentName) has no contents") }
        return contents.value(key, Component.self)
    }

    /// The name of the component.
    public static var componentName: String { Component.componentName }
    /// How values are made of bytes.
    @_documentation(visibility: internal)
    public static var __coder: ContentCoder? { ContentCoder(Component.self) }
}

extension CodableComponent {
    /// True.
    @_documentation(visibility: internal)
    @inlinable public static var __isCoded: Bool { @inline(__always) get { true } }

    /// Codes a value.
    @_documentation(visibility: internal)
    public static func __pack(
        _ value: Self, _ keep: (ContentKey, [UInt8]) -> Void
    ) -> Coded<Self> { Coded(coding: value, keep) }

    /// Codes several values.
    @_documentation(visibility: internal)
    public static func __packAll(
        _ values: [Self], _ keep: (ContentKey, [UInt8]) -> Void
    ) -> [Coded<Self>] { values.map { Coded(coding: $0, keep) } }

    /// The value of a key.
    @_documentation(visibility: internal)
    public static func __unpack(_ stored: Coded<Self>, _ contents: ContentPool?) -> Self {
        stored.value(contents)
    }

    /// The place of a key.
    @_documentation(visibility: internal)
    @inlinable
    public static func __place(_ place: TermPlace, _ row: Int) -> CodedPlace<Self> {
        CodedPlace(place.values(as: Coded<Self>.self) + row, place.contents)
    }

    /// The column of the term in a world.
    @_documentation(visibility: internal)
    public static func __column(_ world: World) -> TermColumn {
        TermColumn(column: world.column(Self.self), isRequired: true, isWritten: false)
    }

    /// The item of a row of the block at hand.
    @_documentation(visibility: internal)
    @inlinable
    public static func __item(_ place: TermPlace, _ row: Int) -> Self {
        __place(place, row).value
    }
}

/// The place of a key in its column, with what it stands for.
@_documentation(visibility: internal)
@frozen
public struct CodedPlace<Component: CodedContent>: ComponentPlace {
    private let key: UnsafeMutablePointer<Coded<Component>>
    // SAFETY: the world keeps its columns, these keep their pools, and places live within a loop.
    private let contents: Unmanaged<ContentPool>?

    @usableFromInline
    init(_ key: UnsafeMutablePointer<Coded<Component>>, _ contents: Unmanaged<ContentPool>?) {
        self.key = key
        self.contents = contents
    }

    /// The value; each change codes it.
    public var value: Component {
        get { key.pointee.value(contents?.takeUnretainedValue()) }
        nonmutating _modify {
            var value = self.value
            defer { set(value) }
            yield &value
        }
    }

    private func set(_ value: Component) {
        guard let contents else { trap("\(Component.componentName) has no contents") }
        key.pointee = Coded(coding: value) { key, bytes in
            contents.takeUnretainedValue().keep(key, bytes, Component.componentName)
        }
    }
}
