// SPDX-License-Identifier: Apache-2.0

import Contents
import Synchronization
import Traps

/// Makes values of a component type of bytes.
@_documentation(visibility: internal)
public struct ContentCoder: Sendable {
    let decode: @Sendable ([UInt8]) throws -> any Sendable

    init<C: CodedContent>(_ type: C.Type) {
        decode = { try ContentDecoder.decode(type, from: $0) }
    }
}

/// Why a content cannot be read as what it should be.
package struct ContentFailure: Error {
    /// The content.
    package let key: ContentKey
    /// What is wrong.
    package let text: String
}

/// What the keys of a column stand for: bytes, and values once the type is known.
///
/// It may have more than the column needs, which ``keepOnly(_:)`` removes.
@_documentation(visibility: internal)
public final class ContentPool: Sendable {
    private struct Entry {
        let bytes: [UInt8]
        /// The value; not nil once the coder is known.
        var value: (any Sendable)?
    }

    private struct State {
        var entries: [ContentKey: Entry] = [:]
        var coder: ContentCoder?
        var byteCount = 0
        /// The number of entries, and of their bytes, at which it pays to look for unused ones.
        var limit = ContentPool.least
        var byteLimit = ContentPool.leastBytes
    }

    private static var least: Int { 1_024 }
    /// How many rows a sweep may walk for each content that came since the last one.
    private static var rowsPerContent: Int { 16 }
    private static var leastBytes: Int { 16 << 20 }

    // Threads of one loop set values, and read others.
    private let state = Mutex(State())

    /// The value of a key that the column has.
    func value<C: CodedContent>(_ key: ContentKey, _ type: C.Type) -> C {
        let found = state.withLock { $0.entries[key]?.value }
        guard let value = found as? C else { trap("\(C.componentName) lacks the content \(key)") }
        return value
    }

    /// The bytes of a key.
    package func bytes(of key: ContentKey) -> [UInt8]? {
        state.withLock { $0.entries[key]?.bytes }
    }

    /// Whether a key is known.
    package func has(_ key: ContentKey) -> Bool { state.withLock { $0.entries[key] != nil } }

    /// Adds a content.
    ///
    /// - Throws: ``ContentFailure`` where the column's type cannot read it.
    package func add(_ key: ContentKey, _ bytes: [UInt8]) throws(ContentFailure) {
        var isKept = false
        while !isKept {
            let (known, coder) = state.withLock { ($0.entries[key]?.bytes, $0.coder) }
            if let known {
                guard known == bytes else {
                    throw ContentFailure(key: key, text: "two contents have one key")
                }
                return
            }
            // The code of the program runs without the lock. Another thread may make the type known
            // meanwhile, and would not see this entry.
            let value = try ContentPool.decode(key, bytes, coder)
            isKept = state.withLock {
                guard ($0.coder == nil) == (coder == nil) else { return false }
                let former = $0.entries.updateValue(Entry(bytes: bytes, value: value), forKey: key)
                $0.byteCount += bytes.count - (former?.bytes.count ?? 0)
                return true
            }
        }
    }

    /// Adds a content of a value that the program has set.
    func keep(_ key: ContentKey, _ bytes: [UInt8], _ name: String) {
        do { try add(key, bytes) } catch {
            trap("the component \(name) does not read what it writes: \(error.text)")
        }
    }

    /// Adds a content in which other game objects stand for some.
    ///
    /// - Returns: Its key.
    func keep(
        _ key: ContentKey, _ bytes: [UInt8], _ name: String,
        replacing other: (GameObjectID) -> GameObjectID
    ) -> ContentKey {
        let moved = CodedValues.replacingReferences(bytes, other)
        let new = moved == bytes ? key : ContentKey(of: moved)
        keep(new, moved, name)
        return new
    }

    private static func decode(
        _ key: ContentKey, _ bytes: [UInt8], _ coder: ContentCoder?
    ) throws(ContentFailure) -> (any Sendable)? {
        guard let coder else { return nil }
        do { return try coder.decode(bytes) } catch {
            throw ContentFailure(key: key, text: ContentDecoder.text(of: error))
        }
    }

    /// Makes values of all contents, and of those that come later.
    ///
    /// - Throws: ``ContentFailure`` for the first one that the type cannot read.
    func use(_ coder: ContentCoder) throws(ContentFailure) {
        let entries = state.withLock { $0.entries }
        var decoded: [ContentKey: Entry] = [:]
        for (key, entry) in entries {
            let value = try ContentPool.decode(key, entry.bytes, coder)
            decoded[key] = Entry(bytes: entry.bytes, value: value)
        }
        state.withLock { [decoded] in
            $0.entries.merge(decoded) { $1 }
            $0.coder = coder
        }
    }

    /// Whether bytes are readable by the column's type, if that is known.
    func check(_ key: ContentKey, _ bytes: [UInt8]) throws(ContentFailure) {
        let coder = state.withLock { $0.coder }
        _ = try ContentPool.decode(key, bytes, coder)
    }

    /// Takes all contents of another pool.
    func take(_ other: ContentPool) {
        let (entries, coder) = other.state.withLock { ($0.entries, $0.coder) }
        state.withLock {
            $0.entries = entries
            $0.byteCount = ContentPool.byteCount(of: entries)
            $0.coder = coder
        }
    }

    /// Whether there may be many unused contents.
    package var isFull: Bool {
        state.withLock { $0.entries.count > $0.limit || $0.byteCount > $0.byteLimit }
    }

    private static func byteCount(of entries: [ContentKey: Entry]) -> Int {
        entries.values.reduce(0) { $0 + $1.bytes.count }
    }

    /// Removes all contents but some.
    ///
    /// The next sweep is due when as many have come as are left, or as pay for a walk of as many
    /// rows; they take no more memory than the keys of the rows, or are few.
    ///
    /// - Parameters:
    ///   - used: The contents that stay.
    ///   - rowCount: The number of rows that were walked to find them.
    func keepOnly(_ used: Set<ContentKey>, rowCount: Int) {
        state.withLock {
            $0.entries = $0.entries.filter { used.contains($0.key) }
            $0.byteCount = ContentPool.byteCount(of: $0.entries)
            $0.limit =
                $0.entries.count
                + max(ContentPool.least, $0.entries.count, rowCount / ContentPool.rowsPerContent)
            $0.byteLimit =
                $0.byteCount
                + max(ContentPool.leastBytes, $0.byteCount, rowCount * ContentKey.byteCount)
        }
    }
}
