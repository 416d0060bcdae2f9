// SPDX-License-Identifier: Apache-2.0

/// A value that a world has once, such as its gravity or the number of the turn.
///
/// Resources are read and set by ``World/subscript(resource:)``. This type stands for them where a
/// component type is asked for: a ``System`` declares `reading: Resource<Gravity>.self`, and
/// `world.observe(Resource<Gravity>.self)` tells of changes.
@frozen
public struct Resource<Value: StoredComponent>: ValueComponent {
    /// The value.
    public let value: Value

    @usableFromInline
    init(_ value: Value) { self.value = value }

    /// The name of the value's type behind `resource/`, so that a type can be a component as well.
    public static var componentName: String { World.resourcePrefix + Value.componentName }
    /// The row of the value, which no game object has.
    @usableFromInline static var row: Int { 0 }

    /// A value of the world.
    @_documentation(visibility: internal)
    public static var __kind: ColumnKind { .resource }
    /// False: there is no game object to set it of.
    @_documentation(visibility: internal)
    @inlinable public static var __isSettable: Bool { @inline(__always) get { false } }
    /// That of the value's type.
    @_documentation(visibility: internal)
    public static var __coder: ContentCoder? { Value.__coder }
}

extension World {
    /// What the names of resources in files begin with.
    package static var resourcePrefix: String { "resource/" }

    /// The world's value of a type; nil if it has none.
    ///
    /// ```swift
    /// world[resource: Gravity.self] = Gravity(y: -9.81)
    /// world[resource: Gravity.self]?.y /= 6
    /// ```
    ///
    /// It has nothing to do with game objects that have a component of the type. It is saved with
    /// the world, and other contexts see it as they see components.
    ///
    /// - Complexity: O(1)
    @inlinable
    public subscript<Value: WorldComponent>(resource type: Value.Type) -> Value? {
        get {
            typealias Stored = Resource<Value.__Stored>
            guard let place = place(Stored.self, Stored.row) else { return nil }
            return Value.__unpack(
                place.pointee.value, Value.__isCoded ? column(Stored.self).contents : nil)
        }
        set {
            typealias Stored = Resource<Value.__Stored>
            if let newValue {
                if Value.__isCoded { sweepContents(of: Stored.self) }
                setResource(packResource(newValue))
            } else {
                checkNoLoop("removing \(Stored.componentName)")
                column(Stored.self).remove(Stored.row, now)
            }
        }
    }

    @inlinable
    func setResource<Value: StoredComponent>(_ value: Value) {
        let column = column(Resource<Value>.self)
        let row = Resource<Value>.row
        if let place = column.placeToWrite(row, now) {
            // SAFETY: the place has the size and alignment of the column's type.
            place.assumingMemoryBound(to: Resource<Value>.self).pointee = Resource(value)
        } else {
            checkNoLoop("adding \(Resource<Value>.componentName)")
            // SAFETY: as above.
            column.insert(row, now).assumingMemoryBound(to: Resource<Value>.self).pointee =
                Resource(value)
        }
    }
}

extension SystemContext {
    /// The world's value of a type whose ``Resource`` the system reads or writes; nil if it has
    /// none.
    ///
    /// Setting it needs a system that writes it, and a world that has one already.
    @inlinable
    public subscript<Value: WorldComponent>(resource type: Value.Type) -> Value? {
        get {
            access?.checkRead(world.column(Resource<Value.__Stored>.self))
            return world[resource: type]
        }
        set {
            access?.checkWrite(world.column(Resource<Value.__Stored>.self))
            world[resource: type] = newValue
        }
    }
}
