// SPDX-License-Identifier: Apache-2.0

import Traps

/// A key and a value where they lie in the map.
///
/// The bytes are good until the transaction ends; in a write transaction, only
/// until its next write. They are two-byte aligned at best: use unaligned
/// loads.
@frozen
public struct Entry {
    /// The bytes of the key.
    public let key: UnsafeRawBufferPointer
    /// The bytes of the value.
    public let value: UnsafeRawBufferPointer

    @inlinable
    init(key: UnsafeRawBufferPointer, value: UnsafeRawBufferPointer) {
        self.key = key
        self.value = value
    }

    /// The key of an `integerKey` database.
    ///
    /// A key that has not the eight bytes of a number, as in a damaged page, reads as the greatest
    /// number: callers refuse it as they refuse that one.
    @inlinable public var integerKey: UInt64 {
        guard key.count == 8 else { return .max }
        // unsafe: eight bytes were checked above, so there is an address.
        return key.baseAddress.unsafelyUnwrapped.loadUnaligned(as: UInt64.self)
    }

    /// The value of an `integerDup` database, or any value of eight bytes.
    @inlinable public var integerValue: UInt64 {
        require(value.count == 8, "the value has \(value.count) bytes, not 8")
        // unsafe: eight bytes were checked above, so there is an address.
        return value.baseAddress.unsafelyUnwrapped.loadUnaligned(as: UInt64.self)
    }
}
