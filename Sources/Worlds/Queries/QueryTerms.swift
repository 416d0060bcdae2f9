// SPDX-License-Identifier: Apache-2.0

/// The terms of a query together; see ``World/query(_:)``.
///
/// There is a conformance for each number of terms up to six, which the compiler turns into
/// straight loops; see ``WideQuery`` for more of them.
public protocol QueryTerms {
    /// What a loop gets for each game object.
    associatedtype Items

    /// The columns of the terms in a world.
    @_documentation(visibility: internal)
    static func __columns(_ world: World) -> [TermColumn]

    /// The items of a row of the block at hand.
    @_documentation(visibility: internal)
    static func __items(_ places: UnsafePointer<TermPlace>, _ row: Int) -> Items
}

/// One term of a query.
@frozen
public enum Terms1<A: QueryTerm>: QueryTerms {
    /// What a loop gets for each game object.
    public typealias Items = A.Item

    /// The columns of the terms in a world.
    @_documentation(visibility: internal)
    public static func __columns(_ world: World) -> [TermColumn] {
        [A.__column(world)]
    }

    /// The items of a row of the block at hand.
    @_documentation(visibility: internal)
    @inlinable @inline(__always)
    public static func __items(_ places: UnsafePointer<TermPlace>, _ row: Int) -> Items {
        A.__item(places[0], row)
    }
}

/// Two terms of a query.
@frozen
public enum Terms2<A: QueryTerm, B: QueryTerm>: QueryTerms {
    /// What a loop gets for each game object.
    public typealias Items = (A.Item, B.Item)

    /// The columns of the terms in a world.
    @_documentation(visibility: internal)
    public static func __columns(_ world: World) -> [TermColumn] {
        [A.__column(world), B.__column(world)]
    }

    /// The items of a row of the block at hand.
    @_documentation(visibility: internal)
    @inlinable @inline(__always)
    public static func __items(_ places: UnsafePointer<TermPlace>, _ row: Int) -> Items {
        (A.__item(places[0], row), B.__item(places[1], row))
    }
}

/// Three terms of a query.
@frozen
public enum Terms3<A: QueryTerm, B: QueryTerm, C: QueryTerm>: QueryTerms {
    /// What a loop gets for each game object.
    public typealias Items = (A.Item, B.Item, C.Item)

    /// The columns of the terms in a world.
    @_documentation(visibility: internal)
    public static func __columns(_ world: World) -> [TermColumn] {
        [A.__column(world), B.__column(world), C.__column(world)]
    }

    /// The items of a row of the block at hand.
    @_documentation(visibility: internal)
    @inlinable @inline(__always)
    public static func __items(_ places: UnsafePointer<TermPlace>, _ row: Int) -> Items {
        (A.__item(places[0], row), B.__item(places[1], row), C.__item(places[2], row))
    }
}

/// Four terms of a query.
@frozen
public enum Terms4<A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm>: QueryTerms {
    /// What a loop gets for each game object.
    public typealias Items = (A.Item, B.Item, C.Item, D.Item)

    /// The columns of the terms in a world.
    @_documentation(visibility: internal)
    public static func __columns(_ world: World) -> [TermColumn] {
        [A.__column(world), B.__column(world), C.__column(world), D.__column(world)]
    }

    /// The items of a row of the block at hand.
    @_documentation(visibility: internal)
    @inlinable @inline(__always)
    public static func __items(_ places: UnsafePointer<TermPlace>, _ row: Int) -> Items {
        (
            A.__item(places[0], row), B.__item(places[1], row),
            C.__item(places[2], row), D.__item(places[3], row)
        )
    }
}

/// Five terms of a query.
@frozen
public enum Terms5<A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm>: QueryTerms
{
    /// What a loop gets for each game object.
    public typealias Items = (A.Item, B.Item, C.Item, D.Item, E.Item)

    /// The columns of the terms in a world.
    @_documentation(visibility: internal)
    public static func __columns(_ world: World) -> [TermColumn] {
        [
            A.__column(world), B.__column(world), C.__column(world),
            D.__column(world), E.__column(world),
        ]
    }

    /// The items of a row of the block at hand.
    @_documentation(visibility: internal)
    @inlinable @inline(__always)
    public static func __items(_ places: UnsafePointer<TermPlace>, _ row: Int) -> Items {
        (
            A.__item(places[0], row), B.__item(places[1], row),
            C.__item(places[2], row), D.__item(places[3], row),
            E.__item(places[4], row)
        )
    }
}

/// Six terms of a query.
@frozen
public enum Terms6<
    A: QueryTerm, B: QueryTerm, C: QueryTerm, D: QueryTerm, E: QueryTerm, F: QueryTerm
>: QueryTerms {
    /// What a loop gets for each game object.
    public typealias Items = (A.Item, B.Item, C.Item, D.Item, E.Item, F.Item)

    /// The columns of the terms in a world.
    @_documentation(visibility: internal)
    public static func __columns(_ world: World) -> [TermColumn] {
        [
            A.__column(world), B.__column(world), C.__column(world),
            D.__column(world), E.__column(world), F.__column(world),
        ]
    }

    /// The items of a row of the block at hand.
    @_documentation(visibility: internal)
    @inlinable @inline(__always)
    public static func __items(_ places: UnsafePointer<TermPlace>, _ row: Int) -> Items {
        (
            A.__item(places[0], row), B.__item(places[1], row),
            C.__item(places[2], row), D.__item(places[3], row),
            E.__item(places[4], row), F.__item(places[5], row)
        )
    }
}
