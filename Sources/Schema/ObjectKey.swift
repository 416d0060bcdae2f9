// SPDX-License-Identifier: Apache-2.0

/// The identity of an object: entity number (16 bits) above row number (48 bits).
///
/// Inside a store it names the record `row` of `o.<entity>`. Bit 47 of the row is never set in a
/// file: in memory it marks the temporary identity of an object that was not saved yet.
@frozen
public struct ObjectKey: Sendable, Hashable {
    /// Entity number and row number as they are written to disk.
    public var rawValue: UInt64

    /// Makes a key of its stored form.
    @inlinable
    public init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    /// Makes a key of an entity and a row.
    @inlinable
    public init(entity: EntityNumber, row: UInt64) {
        assert(row <= ObjectKey.rowMask, "row \(row) needs more than 48 bits")
        rawValue = UInt64(entity.rawValue) << 48 | row
    }

    /// The bits that hold the row.
    @inlinable
    public static var rowMask: UInt64 { (1 << 48) - 1 }

    /// The row bit that marks a temporary identity.
    @inlinable
    public static var temporaryBit: UInt64 { 1 << 47 }

    /// The number of the entity in its store.
    @inlinable
    public var entity: EntityNumber { EntityNumber(rawValue: UInt16(rawValue >> 48)) }

    /// The row in the entity's table; rows start at 1.
    @inlinable
    public var row: UInt64 { rawValue & ObjectKey.rowMask }

    /// Whether the object was never saved.
    @inlinable
    public var isTemporary: Bool { rawValue & ObjectKey.temporaryBit != 0 }
}

extension ObjectKey: Comparable {
    /// Orders by entity number, then by row.
    @inlinable
    public static func < (left: ObjectKey, right: ObjectKey) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension ObjectKey: CustomStringConvertible {
    /// The entity number and the row, as in `3/p17` or, for a temporary key, `3/t17`.
    public var description: String {
        let number = row & ~ObjectKey.temporaryBit
        return "\(entity.rawValue)/\(isTemporary ? "t" : "p")\(number)"
    }
}
