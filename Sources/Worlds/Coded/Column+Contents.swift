// SPDX-License-Identifier: Apache-2.0

import Contents
import Traps

/// The contents of a column of codable components.
extension Column {
    /// The key at a place of a coded column.
    package static func key(at place: UnsafeRawPointer) -> ContentKey {
        place.loadUnaligned(as: ContentKey.self)
    }

    /// The contents of values that lie one behind the other; none for another column.
    func contents(ofValues values: [UInt8]) -> [ContentKey: [UInt8]] {
        guard let contents else { return [:] }
        var found: [ContentKey: [UInt8]] = [:]
        for key in CodedValues.keys(values) { found[key] = contents.bytes(of: key) }
        return found
    }

    /// Forgets contents that neither the column nor what it may go back to has, if there may be
    /// many.
    ///
    /// - Complexity: O(rows), once for a part of as many new contents.
    func sweepContents() {
        guard let contents, contents.isFull else { return }
        var used: Set<ContentKey> = []
        var rowCount = removals.count
        for slot in usedSlots {
            for view in [ChunkView(bytes(of: slot), layout), ChunkView(base(of: slot), layout)] {
                for word in 0..<layout.words {
                    for bit in Bits(view.presence(word)) {
                        guard let value = view.value(word << 6 | bit) else { continue }
                        rowCount += 1
                        used.insert(Column.key(at: value))
                    }
                }
            }
        }
        removals.forEachValue { used.insert(Column.key(at: $0)) }
        contents.keepOnly(used, rowCount: rowCount)
    }

    /// The first row with a content.
    fileprivate func firstRow(with key: ContentKey) -> Int? {
        var found: Int?
        forEachValue { row, value in
            if found == nil, Column.key(at: value) == key { found = row }
        }
        return found
    }
}

/// A value of a codable component that its type cannot read.
package struct ComponentUnreadable: Error, CustomStringConvertible {
    let component: String
    let text: String

    /// Type, game object and what is wrong.
    package var description: String {
        "\(component) cannot be read as the program's type: \(text)"
    }
}

/// Packed values of coded columns.
enum CodedValues {
    static func keys(_ values: [UInt8]) -> [ContentKey] {
        values.withUnsafeBytes { values in
            stride(from: 0, to: values.count, by: ContentKey.byteCount).map {
                values.loadUnaligned(fromByteOffset: $0, as: ContentKey.self)
            }
        }
    }

    /// The content with other game objects.
    static func replacingReferences(
        _ bytes: [UInt8], _ other: (GameObjectID) -> GameObjectID
    ) -> [UInt8] {
        do {
            let node = try ContentBytes.read(bytes)
            let moved = node.replacingReferences { other(GameObjectID(rawValue: $0)).rawValue }
            return moved == node ? bytes : ContentBytes.make(moved)
        } catch {
            // They were read when they came in.
            trap("the content of a component is none: \(error)")
        }
    }
}

extension World {
    /// Lets the Swift type of a column read its contents.
    ///
    /// - Throws: ``ComponentUnreadable``, naming a game object with a value that it cannot read.
    func use(_ coder: ContentCoder, for column: Column) throws(ComponentUnreadable) {
        do { try column.contents?.use(coder) } catch {
            let name = nameOfValue(column, column.firstRow(with: error.key))
            throw ComponentUnreadable(component: name, text: error.text)
        }
    }

    /// What messages call a value of a column.
    package func nameOfValue(_ column: Column, _ row: Int?) -> String {
        if column.type.kind == .resource { return "the \(column.type.name)" }
        let object = row.map { "\(id(ofRow: $0))" } ?? "that is gone"
        return "the component \(column.type.name) of the game object \(object)"
    }

    /// Forgets contents of codable components that nothing has any more, unless commands that are
    /// applied have some that no column has yet.
    package func sweepContents() {
        if keepsContents { return }
        for column in columns { column.sweepContents() }
    }

    /// Forgets unused contents of a type if there are many, before another one comes: a world that
    /// nobody advances or saves would keep all that it ever had.
    @usableFromInline @inline(never)
    func sweepContents<C: StoredComponent>(of type: C.Type) {
        if isIdle, !keepsContents { storedColumn(type).sweepContents() }
    }

    @inlinable @inline(__always)
    func pack<C: WorldComponent>(_ value: C) -> C.__Stored {
        C.__pack(value) { keep(C.__Stored.self, $0, $1) }
    }

    @inlinable @inline(__always)
    func packAll<C: WorldComponent>(_ values: [C]) -> [C.__Stored] {
        C.__packAll(values) { keep(C.__Stored.self, $0, $1) }
    }

    @inlinable @inline(__always)
    func packResource<C: WorldComponent>(_ value: C) -> C.__Stored {
        C.__pack(value) { keep(Resource<C.__Stored>.self, $0, $1) }
    }

    @usableFromInline @inline(never)
    func keep<C: StoredComponent>(_ type: C.Type, _ key: ContentKey, _ bytes: [UInt8]) {
        storedColumn(type).contents?.keep(key, bytes, C.componentName)
    }

    /// The contents of a type; nil for one that has none.
    @inlinable @inline(__always)
    func contents<C: WorldComponent>(_ type: C.Type) -> ContentPool? {
        C.__isCoded ? column(type).contents : nil
    }
}

extension GameObjectID: ContentReference {
    /// The key.
    package var contentReference: UInt64 { rawValue }

    /// The ID of a key.
    package init(contentReference: UInt64) { self.init(rawValue: contentReference) }
}

extension World {
    /// The value of what a column of another world's file keeps.
    ///
    /// - Throws: ``ComponentUnreadable`` for a content that is missing or is not of the type.
    package func value<C: WorldComponent>(
        _ type: C.Type, _ stored: C.__Stored, _ content: (ContentKey) throws -> [UInt8]?
    ) throws -> C {
        guard C.__isCoded, let coder = C.__Stored.__coder else { return C.__unpack(stored, nil) }
        let pool = ContentPool()
        let key = withUnsafeBytes(of: stored) { $0.loadUnaligned(as: ContentKey.self) }
        do throws(ContentFailure) {
            try pool.use(coder)
            let bytes: [UInt8]?
            do { bytes = try content(key) } catch {
                throw ContentFailure(key: key, text: "\(error)")
            }
            guard let bytes else { throw ContentFailure(key: key, text: "its content is missing") }
            try pool.add(key, bytes)
        } catch {
            throw ComponentUnreadable(component: "a \(C.componentName)", text: error.text)
        }
        return C.__unpack(stored, pool)
    }

    /// Makes a type's column, and reads what a file has of it.
    ///
    /// - Throws: ``ComponentUnreadable`` for a codable component that the type cannot read.
    package func read<C: WorldComponent>(_ type: C.Type, _ described: ComponentType) throws {
        let made = column(describedBy: described)
        guard let coder = C.__Stored.__coder else { return }
        try use(coder, for: made)
        let name = World.resourcePrefix + C.componentName
        if let resource = names[name] { try use(coder, for: resource) }
    }
}

/// The game objects that codable values name.
package enum CodedReferences {
    /// Throws for a value that no component can be.
    ///
    /// - Throws: `DecodingError`.
    package static func check<C: Codable>(_ value: C, _ path: [any CodingKey]) throws {
        do {
            _ = try ContentDecoder.decode(C.self, from: try ContentEncoder.encode(value))
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: path,
                    debugDescription: "the value cannot be kept: "
                        + ContentDecoder.text(of: error)))
        }
    }

    /// The value with other game objects.
    package static func replace<C: Codable>(
        in value: C, _ other: (GameObjectID) -> GameObjectID
    ) -> C {
        do {
            let bytes = try ContentEncoder.encode(value)
            let moved = CodedValues.replacingReferences(bytes, other)
            return moved == bytes ? value : try ContentDecoder.decode(C.self, from: moved)
        } catch {
            trap("\(C.self) does not read what it writes: \(ContentDecoder.text(of: error))")
        }
    }
}
