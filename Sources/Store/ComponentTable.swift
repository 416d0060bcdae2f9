// SPDX-License-Identifier: Apache-2.0

import LMDB
import RecordFormat
import Schema

/// An entry of `owners`: the component that holds a data object, and the component's game object.
public struct ComponentOwner: Sendable, Hashable {
    /// The component.
    public let component: ObjectKey
    /// The game object.
    public let gameObject: ObjectKey

    /// Makes an owner.
    public init(component: ObjectKey, gameObject: ObjectKey) {
        self.component = component
        self.gameObject = gameObject
    }
}

/// The keys of the `components` database: component type (u32), game object (u64), big-endian.
enum ComponentKey {
    static func bytes(type: EntityNumber, gameObject: ObjectKey) -> [UInt8] {
        withBytes(type: type, gameObject: gameObject) { Array($0) }
    }

    /// Calls a body with the bytes of a key, which lie on the stack.
    @inline(__always)
    static func withBytes<Result, Failure: Error>(
        type: EntityNumber, gameObject: ObjectKey,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // Eight bytes and four, without a gap between them.
        let words = (
            (UInt64(type.rawValue) << 32 | gameObject.rawValue >> 32).bigEndian,
            UInt32(truncatingIfNeeded: gameObject.rawValue).bigEndian
        )
        return try withUnsafeBytes(of: words, body)
    }

    /// The parts of a key of the database.
    @inline(__always)
    static func parts(
        of key: UnsafeRawBufferPointer
    ) throws(RecordFormatError) -> (type: UInt32, gameObject: ObjectKey) {
        guard key.count == 12 else {
            throw RecordFormatError(
                .truncated,
                "a key of components has \(key.count) bytes instead of 12; restore the file from a "
                    + "copy")
        }
        let number = UInt64(bigEndian: key.loadUnaligned(fromByteOffset: 4, as: UInt64.self))
        return (
            UInt32(bigEndian: key.loadUnaligned(as: UInt32.self)), ObjectKey(rawValue: number)
        )
    }

    static func data(_ value: UnsafeRawBufferPointer) throws(RecordFormatError) -> ObjectKey {
        guard value.count == 8 else {
            throw RecordFormatError(
                .truncated,
                "a value of components has \(value.count) bytes instead of 8; restore the file "
                    + "from a copy")
        }
        return ObjectKey(rawValue: value.loadUnaligned(as: UInt64.self))
    }
}

extension SaveTransaction {
    /// Notes that a game object has a data object of a type.
    ///
    /// The component type is the number of the data object's entity.
    public func putComponent(data: ObjectKey, owner: ComponentOwner) throws {
        try flushComponents()
        noteComponent(ofData: data)
        try ComponentKey.withBytes(type: data.entity, gameObject: owner.gameObject) { key in
            _ = try transaction.put(data.rawValue, for: key, in: store.databases.components)
        }
        try owner.withStored(for: data, store.seal) { value in
            _ = try transaction.put(value, for: data.rawValue, in: store.databases.owners)
        }
    }

    /// The owner of a data object as of now, including what this save has written so far.
    public func componentOwner(ofData data: ObjectKey) throws -> ComponentOwner? {
        try flushComponents()
        return try transaction.get(data.rawValue, in: store.databases.owners)
            .map { try ComponentOwner($0, of: data, store.seal) }
    }

    /// Forgets that a game object has a data object, unless another of its components has claimed
    /// the data object since.
    public func deleteComponent(data: ObjectKey, owner: ComponentOwner) throws {
        try flushComponents()
        let key = ComponentKey.bytes(type: data.entity, gameObject: owner.gameObject)
        try write { transaction, databases in
            let current = try transaction.get(data.rawValue, in: databases.owners)
                .map { try ComponentOwner($0, of: data, store.seal) }
            if let current, current != owner, current.gameObject == owner.gameObject { return }
            _ = try transaction.delete(key, data.rawValue, in: databases.components)
            if current == owner { _ = try transaction.delete(data.rawValue, in: databases.owners) }
        }
    }
}

extension ComponentOwner {
    /// Calls a body with the value of an entry of `owners`, which lies on the stack.
    @inline(__always)
    func withStored<Failure: Error>(
        for data: ObjectKey, _ seal: EntrySeal,
        _ body: (UnsafeRawBufferPointer) throws(Failure) -> Void
    ) throws(Failure) {
        let keys = (component.rawValue.littleEndian, gameObject.rawValue.littleEndian)
        guard seal.isOn else { return try withUnsafeBytes(of: keys, body) }
        let sum = withUnsafeBytes(of: keys) { seal.sum($0, for: data.rawValue) }
        return try withUnsafeBytes(of: (keys.0, keys.1, sum.littleEndian), body)
    }

    /// Reads the value of an entry of `owners`.
    init(
        _ stored: UnsafeRawBufferPointer, of data: ObjectKey, _ seal: EntrySeal
    ) throws(RecordFormatError) {
        let bytes = try seal.open(stored, for: data.rawValue, "the owner of \(data)")
        guard bytes.count == 16 else {
            throw RecordFormatError(
                .truncated,
                "an entry of owners has \(bytes.count) bytes instead of 16; restore the file "
                    + "from a copy")
        }
        component = ObjectKey(rawValue: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self))
        gameObject = ObjectKey(rawValue: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
    }
}

extension StoreSnapshot {
    /// The data objects of one type that a game object has, ascending: one key look-up.
    public func components(
        of gameObject: ObjectKey, type: EntityNumber
    ) throws(StoreError) -> ContiguousArray<ObjectKey> {
        var keys: ContiguousArray<ObjectKey> = []
        try appendComponents(of: gameObject, types: [type], to: &keys)
        return keys
    }

    /// Appends the data objects of types that a game object has, those of one type ascending: one
    /// key look-up a type.
    public func appendComponents(
        of gameObject: ObjectKey, types: [EntityNumber],
        to keys: inout ContiguousArray<ObjectKey>
    ) throws(StoreError) {
        do {
            try snapshot.search(store.databases.components) { cursor in
                for type in types {
                    var entry = try ComponentKey.withBytes(type: type, gameObject: gameObject) {
                        (key) throws(LMDBError) in try cursor.seek(exactly: key)
                    }
                    while let current = entry {
                        keys.append(try ComponentKey.data(current.value))
                        entry = try cursor.nextDuplicate()
                    }
                }
            }
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
    }

    /// The game objects that have a data object of a type: one prefix scan, ascending.
    public func gameObjects(
        withType type: EntityNumber
    ) throws(StoreError) -> ContiguousArray<ObjectKey> {
        let wanted = UInt32(type.rawValue)
        var keys: ContiguousArray<ObjectKey> = []
        do {
            let cursor = try snapshot.makeCursor(store.databases.components)
            var entry = try withUnsafeBytes(of: wanted.bigEndian) {
                (prefix) throws(LMDBError) in try cursor.seek(atLeast: prefix)
            }
            while let current = entry {
                let (type, gameObject) = try ComponentKey.parts(of: current.key)
                guard type == wanted else { break }
                keys.append(gameObject)
                entry = try cursor.nextKey()
            }
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
        return keys
    }

    /// The owner of a data object: one key look-up.
    public func owner(ofData data: ObjectKey) throws(StoreError) -> ComponentOwner? {
        do {
            return try snapshot.search(store.databases.owners) { cursor in
                try cursor.seek(exactly: data.rawValue)
                    .map { try ComponentOwner($0.value, of: data, store.seal) }
            }
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
    }

    /// Puts the components of data objects into their place; data without one is left out.
    ///
    /// - Complexity: One key look-up for each; where the data's rows follow each other, one step.
    public func replaceByComponents(
        _ data: inout ContiguousArray<ObjectKey>
    ) throws(StoreError) {
        do {
            try snapshot.search(store.databases.owners) { cursor in
                var count = 0
                // The data that the cursor stands on.
                var former: UInt64 = 0
                for position in data.indices {
                    let key = data[position]
                    var entry = key.rawValue == former + 1 ? try cursor.next() : nil
                    if entry?.integerKey != key.rawValue {
                        entry = try cursor.seek(exactly: key.rawValue)
                    }
                    former = entry == nil ? 0 : key.rawValue
                    guard let entry else { continue }
                    data[count] = try ComponentOwner(entry.value, of: key, store.seal).component
                    count += 1
                }
                data.removeSubrange(count...)
            }
        } catch {
            throw StoreError(wrapping: error, path: store.path)
        }
    }
}
