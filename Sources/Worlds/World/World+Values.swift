// SPDX-License-Identifier: Apache-2.0

import Traps

/// Values of single game objects.
extension World {
    /// A game object's value of a component type; nil if it has none.
    ///
    /// Setting it adds the component or changes it; setting nil removes it.
    ///
    /// - Complexity: O(1)
    @inlinable
    public subscript<C: WorldComponent>(_ object: GameObjectID, _ type: C.Type) -> C? {
        get {
            guard let place = place(C.__Stored.self, number(of: object)) else { return nil }
            return C.__unpack(place.pointee, contents(type))
        }
        set {
            if let newValue {
                set(newValue, of: object)
            } else {
                remove(type, from: object)
            }
        }
    }

    /// Whether a game object has a component.
    @inlinable
    public func has<C: WorldComponent>(_ type: C.Type, _ object: GameObjectID) -> Bool {
        place(C.__Stored.self, number(of: object)) != nil
    }

    /// The row of a game object; far beyond all rows for an object of another entity.
    @inlinable @inline(__always)
    func number(of object: GameObjectID) -> Int {
        Int(bitPattern: UInt(object.rawValue &- firstID))
    }

    /// Gives a game object a component, or the one that it has another value.
    ///
    /// Traps for a game object that the world does not have, and for an addition in a loop.
    @inlinable
    public func set<C: WorldComponent>(_ value: C, of object: GameObjectID) {
        checkSettable(C.__Stored.self)
        if C.__isCoded { sweepContents(of: C.__Stored.self) }
        let stored = pack(value)
        placeToSet(C.__Stored.self, object).pointee = stored
    }

    /// Where a game object's value comes, which the caller puts there at once.
    // SAFETY: the place has the size and alignment of the column's type, and the world keeps its
    // columns. No closure here has the value: one that took a large value changed the register that
    // errors are thrown in (Swift 6.3).
    @inlinable @inline(__always)
    func placeToSet<C: StoredComponent>(
        _ type: C.Type, _ object: GameObjectID
    ) -> UnsafeMutablePointer<C> {
        let column = columnToChange(type)
        let (row, tick) = (object.row, now)
        if object.entity == entity,
            let place = column._withUnsafeGuaranteedRef({ $0.placeToWrite(row, tick) })
        {
            require(
                column._withUnsafeGuaranteedRef({ $0.readers }) == 0,
                "\(C.componentName) of \(object) is changed in a loop that reads it; query Mut<"
                    + "\(C.componentName)>")
            return place.assumingMemoryBound(to: C.self)
        }
        checkNoLoop("adding \(C.componentName) to \(object)")
        checkAlive(object, "adding \(C.componentName)")
        return column._withUnsafeGuaranteedRef({ $0.insert(row, tick) })
            .assumingMemoryBound(to: C.self)
    }

    /// Gives a game object components that it may have already, as ``set(_:of:)`` each.
    @inlinable
    public func add<each C: WorldComponent>(_ values: repeat each C, to object: GameObjectID) {
        for (type, value) in repeat ((each C).self, each values) { type.__set(value, object, self) }
    }

    /// Takes a component from a game object.
    ///
    /// - Returns: Whether it had one.
    @inlinable
    @discardableResult
    public func remove<C: WorldComponent>(_ type: C.Type, from object: GameObjectID) -> Bool {
        checkNoLoop("removing \(C.componentName) from \(object)")
        guard object.entity == entity else { return false }
        let (row, tick) = (object.row, now)
        // SAFETY: the world keeps its columns.
        return columnToChange(C.__Stored.self)._withUnsafeGuaranteedRef {
            $0.remove(row, tick, C.__Stored.self)
        }
    }

    /// Whether the world has a game object: it was spawned, and not despawned since.
    ///
    /// - Complexity: O(1)
    @inlinable @inline(__always)
    public func isAlive(_ object: GameObjectID) -> Bool {
        aliveHead.pointee.place(of: number(of: object), UsualLayout(stride: 0)) != nil
    }

    @inlinable @inline(__always)
    func checkSettable<C: StoredComponent>(_ type: C.Type) {
        require(
            C.__isSettable,
            "\(C.self) is no component that a program sets: relate and unrelate make and end "
                + "relationships, and world[resource:] has resources")
    }

    @inlinable @inline(__always)
    func checkAlive(_ object: GameObjectID, _ what: @autoclosure () -> String) {
        require(
            isAlive(object),
            "\(what()): the game object \(object) is not in this world: it was despawned, or is of "
                + "another world")
    }
}
