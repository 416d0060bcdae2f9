// SPDX-License-Identifier: Apache-2.0

/// The 48 bytes with which LMDB describes a tree: of a database, or of the values of one key.
struct TreeRecord {
    static let byteCount = 48
    static let reverseKey: UInt16 = 0x02
    static let dupSort: UInt16 = 0x04
    static let integerKey: UInt16 = 0x08
    static let dupFixed: UInt16 = 0x10
    static let integerDup: UInt16 = 0x20

    /// The size of each key of a page without entries.
    let keySize: Int
    let flags: UInt16
    let depth: Int
    let entries: UInt64
    /// The first page; `UInt64.max` for none.
    let root: UInt64

    /// Reads a record from that many bytes.
    init(_ bytes: UnsafeRawBufferPointer) {
        keySize = Int(bytes.loadUnaligned(fromByteOffset: 0, as: UInt32.self))
        flags = bytes.loadUnaligned(fromByteOffset: 4, as: UInt16.self)
        depth = Int(bytes.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
        entries = bytes.loadUnaligned(fromByteOffset: 32, as: UInt64.self)
        root = bytes.loadUnaligned(fromByteOffset: 40, as: UInt64.self)
    }
}
