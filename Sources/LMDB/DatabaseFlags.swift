// SPDX-License-Identifier: Apache-2.0

import CLMDB

/// How a named database orders its keys and values.
@frozen
public struct DatabaseFlags: OptionSet, Hashable, Sendable {
    /// LMDB's bits.
    public let rawValue: UInt16

    /// Wraps LMDB's bits.
    @inlinable
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Keys are compared from their last byte to their first.
    @inlinable public static var reverseKey: Self { Self(rawValue: 0x02) }
    /// A key has any number of values, sorted, each of at most 511 bytes.
    @inlinable public static var dupSort: Self { Self(rawValue: 0x04) }
    /// Keys are native `UInt64` values.
    @inlinable public static var integerKey: Self { Self(rawValue: 0x08) }
    /// The values of a `dupSort` database all have one length.
    ///
    /// LMDB does not check the length: writing another one damages the database. With
    /// `integerDup` it is checked in debug builds.
    @inlinable public static var dupFixed: Self { Self(rawValue: 0x10) }
    /// The values of a `dupFixed` database are native `UInt64` values.
    @inlinable public static var integerDup: Self { Self(rawValue: 0x20) }

    /// The bits as LMDB takes them, with what each implies.
    var normalized: Self {
        var flags = self
        if flags.contains(.integerDup) { flags.insert(.dupFixed) }
        if flags.contains(.dupFixed) { flags.insert(.dupSort) }
        return flags
    }
}
