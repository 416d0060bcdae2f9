// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// Look-ups in the pages themselves.
///
/// A search by LMDB sets up a cursor, and compares by calls of functions. A snapshot knows where
/// the tree of a database begins until it moves. So it finds a key by itself, and leaves to LMDB
/// all that pages do not show as ``PageLayout`` expects it: values outside their entries, and
/// damage.
extension Snapshot {
    /// Finds the value of an integer key, as each ``Transaction`` does.
    ///
    /// - Parameters:
    ///   - key: The key.
    ///   - database: A database with `integerKey`.
    /// - Returns: The value where it lies in the map, or nil where there is no such key.
    /// - Throws: ``LMDBError`` with `badTransaction` or `corrupted`.
    /// - Complexity: O(log *n*), without allocation.
    public func get(
        _ key: UInt64, in database: Database
    ) throws(LMDBError) -> UnsafeRawBufferPointer? {
        assert(database.belongs(to: handle) && database.flags.contains(.integerKey))
        if let tree = tree(of: database), let value = tree.value(of: key) { return value }
        return try value(of: key, in: database)
    }

    /// Finds the value of a key, as each ``Transaction`` does; the first value in a `dupSort`
    /// database.
    ///
    /// - Parameters:
    ///   - key: The key, of 1 to 511 bytes.
    ///   - database: The database to look in.
    /// - Returns: The value where it lies in the map, or nil where there is no such key.
    /// - Throws: ``LMDBError`` with `badValueSize` for an empty key, `badTransaction` or
    ///   `corrupted`.
    /// - Complexity: O(log *n*), without allocation.
    public func get(
        _ key: UnsafeRawBufferPointer, in database: Database
    ) throws(LMDBError) -> UnsafeRawBufferPointer? {
        assert(database.belongs(to: handle) && database.takesKey(ofByteCount: key.count))
        if !key.isEmpty, let tree = tree(of: database) {
            switch tree.search(key) {
            case .value(let value): return value
            case .nothing: return nil
            case .unknown: break
            }
        }
        return try value(of: key, in: database)
    }

    /// The tree of a database, if it is known by now; nil where it has to be read by LMDB.
    ///
    /// From the second look-up on: finding the tree takes as long as a search by LMDB.
    ///
    /// - Parameter isWanted: Whether there are several look-ups.
    @inline(__always)
    func tree(of database: Database, isWanted: Bool = false) -> MappedTree? {
        let place = Int(database.handle)
        if place < trees.count, case .known(let tree) = trees[place] { return tree }
        return noteTree(of: database, isWanted)
    }

    @inline(never)
    private func noteTree(of database: Database, _ isWanted: Bool) -> MappedTree? {
        let place = Int(database.handle)
        while trees.count <= place { trees.append(.unused) }
        switch trees[place] {
        case .unused where !isWanted: trees[place] = .used
        case .unused, .used:
            let name = environment.namesByHandle.withLock { $0[database.handle] }
            let tree = name.flatMap { MappedTree(named: $0, in: handle) }
            trees[place] = tree.map { .known($0) } ?? .unreadable
            return tree
        case .known, .unreadable: break
        }
        return nil
    }
}

/// What a snapshot knows of the tree of a database.
enum KnownTree {
    /// Nothing was looked up yet.
    case unused
    /// Something was.
    case used
    case known(MappedTree)
    /// It has to be read by LMDB.
    case unreadable
}
