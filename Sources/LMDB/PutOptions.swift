// SPDX-License-Identifier: Apache-2.0

/// How an entry is written.
@frozen
public struct PutOptions: OptionSet, Sendable {
    /// LMDB's bits.
    public let rawValue: UInt32

    /// Wraps LMDB's bits.
    @inlinable
    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Leave the entry alone if the key is there; `put` then returns false.
    @inlinable public static var noOverwrite: Self { Self(rawValue: 0x10) }
    /// Leave the pair alone if it is there (`dupSort`); `put` then returns false.
    @inlinable public static var noDuplicate: Self { Self(rawValue: 0x20) }
    /// The key is above every key of the database: fastest, and packs best.
    ///
    /// A key that is not throws ``LMDBError/Code/keyExists``.
    @inlinable public static var append: Self { Self(rawValue: 0x20000) }
    /// The value is above all values of its key (`dupSort`), which may be any key.
    ///
    /// A value that is not throws ``LMDBError/Code/keyExists``.
    @inlinable public static var appendDuplicate: Self { Self(rawValue: 0x40000) }

    /// The options under which an existing entry is an answer, not an error.
    @inlinable var reportsExisting: Bool {
        rawValue & 0x30 != 0 && rawValue & 0x60000 == 0
    }
}
