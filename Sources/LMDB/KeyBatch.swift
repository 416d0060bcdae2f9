// SPDX-License-Identifier: Apache-2.0

/// Integer keys to look up together, and what was found for them.
@frozen
public struct KeyBatch {
    /// The most keys: as many as a processor loads pages for at once.
    @inlinable public static var capacity: Int { 16 }

    @usableFromInline var keys = InlineArray<16, UInt64>(repeating: 0)
    @usableFromInline var values = InlineArray<16, UnsafeRawBufferPointer?>(repeating: nil)
    @usableFromInline var count = 0

    /// Makes an empty batch.
    @inlinable
    public init() {}

    /// Adds a key.
    @inlinable
    @inline(__always)
    public mutating func append(_ key: UInt64) {
        keys[count] = key
        count += 1
    }

    /// Takes all keys out.
    @inlinable
    @inline(__always)
    public mutating func removeAll() { count = 0 }

    /// What was found for a key: the value where it lies in the map, or nil for none.
    ///
    /// - Parameter index: The place of the key.
    @inlinable
    @inline(__always)
    public func value(_ index: Int) -> UnsafeRawBufferPointer? { values[index] }
}

extension Snapshot {
    /// Finds the values of several integer keys.
    ///
    /// Faster than one look-up after the other, as each waits for the memory of a page and of an
    /// entry: here all wait at the same time. Ascending keys that share a page are fastest.
    ///
    /// - Parameters:
    ///   - batch: The keys; then their values.
    ///   - database: A database with `integerKey` and one value for each key.
    /// - Throws: ``LMDBError`` with `badTransaction` or `corrupted`.
    public func find(_ batch: inout KeyBatch, in database: Database) throws(LMDBError) {
        database.requirePlainIntegerKeys()
        let tree = tree(of: database, isWanted: batch.count > 1)
        if let tree { search(tree, &batch) }
        for index in 0..<batch.count where tree == nil || batch.values[index] == nil {
            batch.values[index] = try value(of: batch.keys[index], in: database)
        }
    }

    /// Finds what is found without LMDB.
    private func search(_ tree: MappedTree, _ batch: inout KeyBatch) {
        let pageByteCount = tree.pageByteCount
        var leaves = InlineArray<16, RowLeaf?>(repeating: nil)
        var last: RowLeaf?
        for index in 0..<batch.count {
            let key = batch.keys[index]
            if last?.spans(key) != true {
                last = tree.leaf(for: key)
                last?.willSearch()
            }
            leaves[index] = last
        }
        for index in 0..<batch.count { leaves[index]?.willRead(batch.keys[index], pageByteCount) }
        for index in 0..<batch.count {
            batch.values[index] = leaves[index]?.value(of: batch.keys[index], pageByteCount)
        }
    }
}
