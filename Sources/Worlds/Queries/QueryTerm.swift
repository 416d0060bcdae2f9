// SPDX-License-Identifier: Apache-2.0

import Traps

/// What a query gives a loop for each game object: a value, a value to change, an ID.
///
/// | term | gives | game objects |
/// |---|---|---|
/// | `Position.self` | the value | with a position |
/// | `Mut<Position>.self` | the value, to be changed in place | with a position |
/// | `Position?.self`, `Mut<Position>?.self` | the same, or nil | all |
/// | `GameObjectID.self` | the ID | all |
/// | `Has<Position>.self` | whether it has a position | all |
///
/// These are all terms that there are; a program declares components and does not conform to this
/// protocol by hand.
public protocol QueryTerm {
    /// What the loop gets.
    associatedtype Item

    /// The column that the term is about, in a world; nil for an ID.
    @_documentation(visibility: internal)
    static func __column(_ world: World) -> TermColumn

    /// The item of a row.
    ///
    /// - Parameters:
    ///   - place: Where the term's values are, for the block of rows at hand.
    ///   - row: The row in the block.
    @_documentation(visibility: internal)
    static func __item(_ place: TermPlace, _ row: Int) -> Item
}

/// The part of a query that one term is.
@_documentation(visibility: internal)
public struct TermColumn {
    /// The column; nil for none.
    let column: Column?
    /// Whether only rows with a value match.
    var isRequired: Bool
    /// Whether the values are changed.
    let isWritten: Bool
}

/// Where a term's values are, for the block of rows at hand.
@_documentation(visibility: internal)
@frozen
public struct TermPlace {
    /// The value of the block's first row; nil where the column has no chunk.
    @usableFromInline var values: UnsafeMutableRawPointer?
    /// The presence bits of the block.
    @usableFromInline var presence: UnsafePointer<UInt64>?
    /// The ID of the block's first row.
    @usableFromInline var first: UInt64
    // SAFETY: the world keeps its columns, and these their contents.
    /// What keys stand for; nil for plain values.
    @usableFromInline var contents: Unmanaged<ContentPool>?

    @usableFromInline
    init(
        _ values: UnsafeMutableRawPointer?, _ presence: UnsafePointer<UInt64>?, _ first: UInt64,
        _ contents: ContentPool? = nil
    ) {
        self.values = values
        self.presence = presence
        self.first = first
        // SAFETY: as above.
        self.contents = contents.map(Unmanaged.passUnretained)
    }

    /// Whether a row of the block has a value.
    @inlinable @inline(__always)
    func has(_ row: Int) -> Bool {
        guard let presence else { return false }
        return presence[row &>> 6] &>> UInt64(row & 63) & 1 == 1
    }

    /// The values as a type; only of a block that has the column.
    @inlinable @inline(__always)
    func values<C>(as type: C.Type) -> UnsafeMutablePointer<C> {
        // SAFETY: the query takes the column from the term's own type, and visits only blocks in
        // which every required column has a chunk; other terms ask `has` first. A tag has no bytes.
        unsafe values.unsafelyUnwrapped.assumingMemoryBound(to: C.self)
    }
}

extension ValueComponent {
    /// The column of the term in a world.
    @_documentation(visibility: internal)
    public static func __column(_ world: World) -> TermColumn {
        TermColumn(column: world.column(Self.self), isRequired: true, isWritten: false)
    }

    /// The item of a row of the block at hand.
    @_documentation(visibility: internal)
    @inlinable @inline(__always)
    public static func __item(_ place: TermPlace, _ row: Int) -> Self {
        place.values(as: Self.self)[row]
    }
}

/// A value in its column, which a loop may change.
///
/// ```swift
/// world.query(Mut<Position>.self, Velocity.self).forEach { position, velocity in
///     position.x += velocity.x
/// }
/// ```
///
/// Fields are properties of this type as well; ``component`` is the whole. Every game object that
/// such a loop visits counts as changed. Do not keep a `Mut` beyond the call of the closure that
/// got it.
@frozen
@dynamicMemberLookup
public struct Mut<Component: WorldComponent>: QueryTerm {
    @usableFromInline let place: Component.__Place

    @inlinable @inline(__always)
    init(_ place: Component.__Place) { self.place = place }

    /// The whole value.
    @inlinable public var component: Component {
        @inline(__always) get { place.value }
        @inline(__always) nonmutating _modify { yield &place.value }
    }

    /// A field of the value.
    @inlinable
    public subscript<Field>(
        dynamicMember field: WritableKeyPath<Component, Field>
    ) -> Field {
        @inline(__always) get { place.value[keyPath: field] }
        @inline(__always) nonmutating _modify { yield &place.value[keyPath: field] }
    }

    /// A computed property of the value.
    @inlinable public subscript<Field>(dynamicMember field: KeyPath<Component, Field>) -> Field {
        @inline(__always) get { place.value[keyPath: field] }
    }

    /// The column of the term in a world.
    @_documentation(visibility: internal)
    public static func __column(_ world: World) -> TermColumn {
        require(
            Component.__Stored.__kind.rules == nil,
            "\(Component.self) is not changed in place; relate and unrelate change relationships")
        return TermColumn(column: world.column(Component.self), isRequired: true, isWritten: true)
    }

    /// The item of a row of the block at hand.
    @_documentation(visibility: internal)
    @inlinable @inline(__always)
    public static func __item(_ place: TermPlace, _ row: Int) -> Mut {
        Mut(Component.__place(place, row))
    }
}

/// Whether a game object has a component, without reading it.
@frozen
public struct Has<Component: WorldComponent>: QueryTerm {
    /// The column of the term in a world.
    @_documentation(visibility: internal)
    public static func __column(_ world: World) -> TermColumn {
        TermColumn(column: world.column(Component.self), isRequired: false, isWritten: false)
    }

    /// The item of a row of the block at hand.
    @_documentation(visibility: internal)
    @inlinable @inline(__always)
    public static func __item(_ place: TermPlace, _ row: Int) -> Bool { place.has(row) }
}

extension GameObjectID: QueryTerm {
    /// The column of the term in a world.
    @_documentation(visibility: internal)
    public static func __column(_ world: World) -> TermColumn {
        TermColumn(column: nil, isRequired: false, isWritten: false)
    }

    /// The item of a row of the block at hand.
    @_documentation(visibility: internal)
    @inlinable @inline(__always)
    public static func __item(_ place: TermPlace, _ row: Int) -> GameObjectID {
        GameObjectID(rawValue: place.first &+ UInt64(truncatingIfNeeded: row))
    }
}

extension Optional: QueryTerm where Wrapped: QueryTerm {
    /// The column of the term in a world.
    @_documentation(visibility: internal)
    public static func __column(_ world: World) -> TermColumn {
        var column = Wrapped.__column(world)
        column.isRequired = false
        return column
    }

    /// The item of a row of the block at hand.
    @_documentation(visibility: internal)
    @inlinable @inline(__always)
    public static func __item(_ place: TermPlace, _ row: Int) -> Wrapped.Item? {
        place.has(row) ? Wrapped.__item(place, row) : nil
    }
}
